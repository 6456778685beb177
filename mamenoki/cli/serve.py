"""Verbs that run the service: ``demo`` on one machine, ``serve`` one part of it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.errors import CommandError
from mamenoki.cli.places import PROJECT
from mamenoki.cli.screen import note, progress

if TYPE_CHECKING:
    from mamenoki.serve.demo import Contest, Score
    from mamenoki.serve.stack import Stack
    from storage.database import Database

verbs = typer.Typer()
serve = typer.Typer(
    help="Run one part of the service; settings come from the environment.", no_args_is_help=True
)
verbs.add_typer(serve, name="serve")


@verbs.command()
def demo(
    once: Annotated[
        bool, typer.Option("--once", help="End when the round has been played and rated.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write the round's replays to this folder, one file a match.")
    ] = None,
) -> None:
    """Run everything here with a league of house bots, until ^C. DATABASE_URL and REDIS_URL name real servers."""
    from mamenoki.serve.demo import Stopped, idle, running, stopped_by_signals
    from mamenoki.serve.stack import StackError

    home = Path(os.environ.get("MAMENOKI_HOME") or PROJECT / ".demo")
    if export is not None:
        _check_writable(export)
    try:
        with (
            stopped_by_signals(),
            running(home, note) as (stack, database, contests),
        ):
            _announce(stack)
            _hand_in_sample(stack, database)
            _play_round(stack, database, contests, export)
            if not once:
                note("more rounds and ladder tables are played until you press ^C")
                idle(stack)
    except Stopped:
        if once:
            raise CommandError(
                "stopped before the round was over; start again to go on with it", 130
            ) from None
        note("stopped; start again to go on where it was")
    except StackError as error:
        raise CommandError(str(error)) from None


def _check_writable(folder: Path) -> None:
    """CommandError now, not when the round has been played."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
        (folder / ".writable").unlink()
    except OSError as error:
        raise CommandError(f"--export {folder}: nothing can be written there ({error.strerror})") from None


def _announce(stack: "Stack") -> None:
    note(f"page:    http://{stack.places.web_address}/")
    note(f"engine:  {stack.places.public_address} (gRPC)")
    note(f"logs:    {stack.home / 'logs'}")


def _hand_in_sample(stack: "Stack", database: "Database") -> None:
    """An uploaded bot among the house bots; the demo goes on without it where it is not taken."""
    import grpc

    from mamenoki.serve.sample import LADDER, hand_in

    try:
        name = hand_in(database, stack.places.public_address)
    except grpc.RpcError as error:
        note(f"sample:  not handed in: {error.details()}")
        return
    note(f"sample:  {name} is handed in; once it has qualified in the sandbox it plays on {LADDER}")


def _play_round(stack: "Stack", database: "Database", contests: "list[Contest]", folder: Path | None) -> None:
    from mamenoki.serve.demo import export, follow

    with progress() as bar:
        bars = {
            contest.round.id: bar.add_task(
                f"{contest.league.name}, round {contest.round.number}", total=contest.tables
            )
            for contest in contests
        }

        def show(contest: "Contest", now: "Score") -> None:
            bar.update(bars[contest.round.id], completed=now.ended)

        follow(stack, database, contests, show)
    for contest in contests:
        _conclude(database, contest)
        if folder is not None:
            note(f"{export(database, contest, folder)} replays are in {folder}")


def _conclude(database: "Database", contest: "Contest") -> None:
    from mamenoki.cli.leaderboard import leaderboard
    from mamenoki.serve.demo import score

    now = score(database, contest)
    void = f", {now.void} of them void" if now.void else ""
    note(f"{contest.league.name}, round {contest.round.number}: {now.ended} tables played and rated{void}")
    leaderboard(contest.ladder.name)


@serve.command()
def engine() -> None:
    """Matches over gRPC, on a public and an internal port."""
    from mamenoki.serve.engine import main

    main()


@serve.command()
def web() -> None:
    """The pages."""
    from mamenoki.serve.web import main

    main()


@serve.command()
def worker() -> None:
    """Plays tables and does what follows from results."""
    from scheduler.worker import main

    main()


@serve.command()
def beat() -> None:
    """Says every second that there may be something to do."""
    from scheduler.beat import main

    main()
