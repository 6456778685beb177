"""``mamenoki strength``: is a house bot stronger than the one below it, at every table size?"""

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import note, progress, show_table

if TYPE_CHECKING:
    from mamenoki.strength.contest import Outcome, Pairing

verbs = typer.Typer()

COLUMNS = (
    "game",
    "seats",
    "bot",
    "against",
    "matches",
    "result",
    "even would be",
    "z",
    "verdict",
    "CPU ms a decision",
)
RIGHT = (1, 4, 5, 6, 7, 9)
HEADING = """# How strong the house bots are

Made by `./dev mamenoki strength --seed {seed} --matches {most} --out docs/strength.md`. Rules versions: {rules}.

Where seats play against each other, one of the bot sits among as many of the other as make a table; a deal is played once from each seat, and the result is the share of wins, a shared win counting its part. Where they play together, a whole table of the one bot and a whole table of the other play the same deals; the result is by how many points the bot is better, its own mean in brackets.

A line ends when a sequential test (GSPRT, α = β = 0.01) knows whether the bot wins at least a fifth more often than an even share (together: {coop} points more), or after {most} matches: then the verdict is *open*. *z* is the distance from even in standard errors. The last column is processor time of the bot, on the machine that made the table.

"""


@verbs.command()
def strength(
    games: Annotated[
        list[str] | None, typer.Argument(help="Such as mushi/standard; none: every game and variant.")
    ] = None,
    matches: Annotated[int, typer.Option(min=24, help="At most so many for each line.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Decides the deals and the bots' dice.")] = 7,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play at once.")] = 2,
    out: Annotated[Path | None, typer.Option(help="Write the table here too, as Markdown.")] = None,
) -> None:
    """Measure each house program against the next weaker one, in every game at every table size.

    Exit 1 if one of them is shown to be no stronger.
    """
    pairings = list(_pairings(games or []))
    if not pairings:
        raise CommandError(_alone(games or []))
    if out is not None:
        _write(out, "", "a")  # what cannot be written is better known now than after half an hour
    outcomes = _measure(pairings, seed, matches, jobs)
    columns = [(name, ">" if at in RIGHT else "<") for at, name in enumerate(COLUMNS)]
    show_table(f"strength, seed {seed}", columns, [_row(one) for one in outcomes])
    if out is not None:
        _write(out, _page(outcomes, seed, matches), "w")
        note(f"the table is in {out}")
    if any(one.trial.verdict is False for one in outcomes):
        raise typer.Exit(1)


def _alone(names: Sequence[str]) -> str:
    game = ", ".join(name.partition("/")[0] for name in names)
    return f"{game} has no two house programs to compare; write a stronger one in mamenoki/house/{game}"


def _measure(pairings: "Sequence[Pairing]", seed: int, most: int, jobs: int) -> "list[Outcome]":
    from mamenoki.strength.contest import Faulty

    outcomes = []
    with progress() as bar, ProcessPoolExecutor(jobs, initializer=_end_by_interrupt) as pool:
        task = bar.add_task("strength", total=len(pairings))
        try:
            for outcome in pool.map(partial(_measured, seed=seed, most=most), pairings):
                outcomes.append(outcome)
                note(" ".join(_row(outcome)))
                bar.advance(task)
        except Faulty as fault:
            raise CommandError(str(fault)) from fault
    return outcomes


def _end_by_interrupt() -> None:
    """^C ends a player at once and without a word; the process that has the terminal answers for all."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _measured(pairing: "Pairing", seed: int, most: int) -> "Outcome":
    from mamenoki.strength.contest import contest

    return contest(pairing, seed, most)


def _pairings(names: Sequence[str]) -> "Iterator[Pairing]":
    from engine_service.core.game import ConfigError
    from engine_service.games import GAMES, find
    from mamenoki import house
    from mamenoki.strength.contest import Pairing

    every = [f"{game.card.id}/{variant.name}" for game in GAMES.values() for variant in game.card.variants]
    for name in names or every:
        try:
            game, variant = find(name)
        except ConfigError as error:
            raise UsageError(str(error)) from error
        for seats in range(variant.min_seats, variant.max_seats + 1):
            for other, one in pairwise(house.programs(game.card.id)):
                yield Pairing(f"{game.card.id}/{variant.name}", seats, one, other)


def _row(outcome: "Outcome") -> list[str]:
    pairing, trial = outcome.pairing, outcome.trial
    result = f"{trial.mean:.3f}"
    if pairing.together:
        result = f"{trial.mean:+.2f} ({2 * outcome.scores[0] / outcome.matches:.1f})"
    verdict = {True: "stronger", False: "NOT STRONGER", None: "open"}[trial.verdict]
    return [
        pairing.game,
        str(pairing.seats),
        pairing.one,
        pairing.other,
        str(outcome.matches),
        result,
        f"{trial.claim.null:.3f}" if not pairing.together else "0",
        f"{outcome.z:.1f}",
        verdict,
        f"{outcome.cpu_ms:.2f}",
    ]


def _page(outcomes: "Sequence[Outcome]", seed: int, most: int) -> str:
    from engine_service.games import GAMES
    from mamenoki.strength.contest import COOP_EDGE

    rules = ", ".join(f"{game.card.id} {game.card.rules}" for game in GAMES.values())
    lines = [
        f"| {' | '.join(COLUMNS)} |",
        f"|{'|'.join('--:' if at in RIGHT else '---' for at in range(len(COLUMNS)))}|",
        *(f"| {' | '.join(_row(one))} |" for one in outcomes),
    ]
    return HEADING.format(seed=seed, most=most, rules=rules, coop=COOP_EDGE) + "\n".join(lines) + "\n"


def _write(out: Path, text: str, mode: str) -> None:
    try:
        with out.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}; name another file") from error
