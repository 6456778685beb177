"""``mamenoki gameday``: the service broken on purpose, and asked what it lost."""

import secrets
import shlex
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.places import state_file
from mamenoki.cli.screen import emit, note
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mamenoki.operate.gameday.day import Verdict
    from mamenoki.operate.gameday.ground import Ground

verbs = typer.Typer()


@verbs.command()
def gameday(
    seed: Annotated[
        int | None, typer.Option(min=0, help="As a day before printed it; none: a new one.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.1, max=600, help="How long faults go on.")] = 3.0,
    tables: Annotated[
        int, typer.Option(min=0, help="Go on until so many have ended, three times as long at most.")
    ] = 0,
    fault: Annotated[
        list[str] | None, typer.Option(help="Only this one; may be given again. None: all.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="On a stack of its own, in a folder that goes with it.")
    ] = False,
    restart_database: Annotated[
        str, typer.Option(metavar="COMMAND", help="Restarts the database's server, as one more fault.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Kill, freeze and wipe parts of a running stack, then say what was lost and what counted twice.

    The stack is the running demo, or with --fresh one of its own. Only its processes are
    touched. Exit 1 if anything was lost, counted twice or left broken.
    """
    from mamenoki.operate.gameday.day import Plan, play
    from mamenoki.operate.gameday.faults import FAULTS
    from mamenoki.operate.gameday.ground import GroundError
    from mamenoki.serve.demo import Stopped, stopped_by_signals
    from mamenoki.serve.stack import StackError

    unknown = sorted(set(fault or ()) - set(FAULTS))
    if unknown:
        raise UsageError(f"there is no fault {unknown[0]!r}; there are: {', '.join(FAULTS)}")
    drawn = secrets.randbelow(1_000_000) if seed is None else seed
    plan = Plan(drawn, minutes * 60, tables=tables, faults=tuple(fault or FAULTS))
    note(f"gameday: seed {drawn}, {minutes:g} minutes")
    try:
        with stopped_by_signals(), _ground(fresh, tuple(shlex.split(restart_database))) as ground:
            verdict = play(ground, plan, note)
    except Stopped:
        raise CommandError("stopped; the stack goes on healing by itself", 130) from None
    except (GroundError, StackError, TimeoutError) as error:
        raise CommandError(str(error)) from error
    emit(_plain(verdict)) if json else _tell(verdict)
    if not verdict.good:
        raise typer.Exit(1)


@contextmanager
def _ground(fresh: bool, restart: tuple[str, ...]) -> "Iterator[Ground]":
    from mamenoki.operate.gameday.ground import own_stack, running_stack
    from mamenoki.operate.gameday.processes import owned_by

    if not fresh:
        with running_stack(state_file().parent, restart) as ground:
            yield ground
        return
    with tempfile.TemporaryDirectory(prefix="mamenoki-gameday-") as folder:
        home = Path(folder).resolve()
        with own_stack(home, {}, restart) as ground:
            yield ground
        left = owned_by(home)
        if left:
            raise CommandError(f"processes were left behind: {', '.join(map(str, left))}")


def _plain(verdict: "Verdict") -> dict[str, Any]:
    return {
        "seed": verdict.seed,
        "seconds": round(verdict.seconds, 1),
        "faults": dict(verdict.faults),
        "impossible": sorted(verdict.impossible),
        "slowest_recovery_s": round(verdict.slowest_s, 1),
        "stuck_after": verdict.stuck_after,
        "planned": verdict.planned,
        "done": verdict.done,
        "void": verdict.void,
        "voids": verdict.voids,
        "attempts": verdict.attempts,
        "lost": verdict.lost,
        "twice": verdict.twice,
        "broken": {one.promise: one.count for one in verdict.broken if one.count},
        "good": verdict.good,
    }


def _tell(verdict: "Verdict") -> None:
    broken = [
        f"{one.promise} ({one.count}: {', '.join(one.examples)})" for one in verdict.broken if one.count
    ]
    lines = {
        "faults": _listed(verdict.faults),
        "not possible here": ", ".join(sorted(verdict.impossible - set(verdict.faults))) or "none",
        "slowest recovery": f"{verdict.slowest_s:.1f} s",
        "stuck after": ", ".join(verdict.stuck_after) or "none",
        "tables planned": f"{verdict.planned}, of them {verdict.done} played, {verdict.void} void",
        "void because of": _listed(verdict.voids),
        "attempts lost to": _listed(verdict.attempts),
        "promises broken": ", ".join(broken) or f"none of {len(verdict.broken)}",
        "lost": str(verdict.lost),
        "counted twice": str(verdict.twice),
    }
    for name, value in lines.items():
        print(f"{name:18} {value}")
    days = f"gameday --seed {verdict.seed}"
    good = f"good: {counted(sum(verdict.faults.values()), 'fault')}, nothing lost, nothing twice"
    print(good if verdict.good else f"NOT GOOD; `mamenoki {days}` draws the same faults again")


def _listed(counts: "dict[str, int]") -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
