"""``mamenoki compare``: is the new version of a bot better than the old one?"""

import math
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import emit, progress
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from mamenoki.cli.bots import Entrant
    from mamenoki.strength.contest import Outcome, Pairing

verbs = typer.Typer()

NEW, OLD = "new", "old"
NO_BETTER, OPEN = 1, 3
"""Exits; better is 0, and 2 is wrong usage."""


@verbs.command()
def compare(
    new: Annotated[str, typer.Argument(help="A bot as for play: new/my_bot.py:MyBot, greedy:key=value, ...")],
    old: Annotated[str, typer.Argument(help="What it is measured by.")],
    game: Annotated[str, typer.Option(help="mushi or mushi/standard.")],
    seats: Annotated[int, typer.Option(help="Seats at the table; 0: as few as may be.")] = 0,
    edge: Annotated[
        float | None,
        typer.Option(
            help="What counts as better: so much more wins than an even share, relatively (0.2); together: so many points more on the same deal (1)."
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(help="Chance to call it better though it is not.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance to call it no better though it has the edge.")] = 0.05,
    matches: Annotated[int, typer.Option(min=60, help="At most so many.")] = 20_000,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Decides deals, dice and bots; none: a new one.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play a new version against an old one until it is known whether it is better.

    One of the new sits among as many of the old as make a table, and every deal is played from each
    of its seats. Exit 0: better, 1: no better, 3: not known after so many matches.
    """
    _check_chances(edge, alpha, beta)
    pairing = _pairing(game, seats)
    number = secrets.randbits(32) if seed is None else seed
    outcome = _measure(pairing, _entrants(pairing, new, old), (edge, alpha, beta), number, matches)
    verdict = {True: "better", False: "no better", None: "open"}[outcome.trial.verdict]
    if json:
        emit(_plain(outcome, verdict, number))
    else:
        _show(outcome, verdict, new, old, number)
    if outcome.trial.verdict is not True:
        raise typer.Exit(OPEN if outcome.trial.verdict is None else NO_BETTER)


def _check_chances(edge: float | None, alpha: float, beta: float) -> None:
    for name, chance in (("alpha", alpha), ("beta", beta)):
        if not 0 < chance < 0.5:
            raise UsageError(f"--{name} is a chance between 0 and 0.5, not {chance}")
    if edge is not None and not (edge > 0 and math.isfinite(edge)):
        raise UsageError(f"--edge is more than 0, not {edge}")


def _pairing(game: str, seats: int) -> "Pairing":
    from engine_service.core.game import ConfigError, check_seats
    from engine_service.games import find
    from mamenoki.strength.contest import Pairing

    try:
        rules, variant = find(game)
        seats = seats or max(2, variant.min_seats)
        check_seats(variant, seats)
    except ConfigError as error:
        raise UsageError(str(error)) from error
    return Pairing(f"{rules.card.id}/{variant.name}", seats, NEW, OLD)


def _entrants(pairing: "Pairing", new: str, old: str) -> "dict[str, Entrant]":
    """Each version with what stands beside its own file, though both have the same names."""
    from mamenoki.cli.bots import entrants
    from mamenoki.cli.loading import own_neighbours

    game, _, variant = pairing.game.partition("/")
    made = {}
    for name, spec in ((NEW, new), (OLD, old)):
        with own_neighbours(Path(spec.partition(".py")[0])):
            found = entrants(spec, game, variant)
        if len(found) != 1:
            raise UsageError(f"{spec!r} is {counted(len(found), 'bot')}; name one")
        made[name] = found[0]
    return made


def _measure(
    pairing: "Pairing",
    bots: "dict[str, Entrant]",
    chances: tuple[float | None, float, float],
    seed: int,
    most: int,
) -> "Outcome":
    from mamenoki.strength.contest import Faulty, claim_of, progress_of

    claim = claim_of(pairing, *chances)
    with progress() as bar:
        task = bar.add_task(pairing.game, total=most)
        try:
            for outcome in progress_of(pairing, seed, most, claim, lambda name: bots[name].make()):
                bar.update(task, completed=outcome.matches)
        except Faulty as fault:
            raise CommandError(str(fault)) from fault
    return outcome


def _show(outcome: "Outcome", verdict: str, new: str, old: str, seed: int) -> None:
    pairing, trial = outcome.pairing, outcome.trial
    claim = trial.claim
    words = {
        "better": f"{new} is better than {old}; the chance to say so though it is not is {claim.alpha:.0%}",
        "no better": f"{new} is no better than {old}; the chance to say so though it has the edge is {claim.beta:.0%}",
        "open": f"it is not known whether {new} is better than {old}; give it more --matches",
    }
    print(words[verdict])
    what = "points more on the same deal" if pairing.together else "of the matches won"
    print(
        f"{pairing.game}, {counted(pairing.seats, 'seat')}: {trial.mean:.3f} ± {1.96 * trial.error:.3f} {what}, "
        f"{claim.null:.3f} is even, {claim.alternative:.3f} the edge; "
        f"{counted(trial.count, 'deal')}, {counted(outcome.matches, 'match')}, seed {seed}"
    )


def _plain(outcome: "Outcome", verdict: str, seed: int) -> dict[str, object]:
    pairing, trial = outcome.pairing, outcome.trial
    return {
        "verdict": verdict,
        "game": pairing.game,
        "seats": pairing.seats,
        "mean": trial.mean,
        "error": trial.error,
        "even": trial.claim.null,
        "edge": trial.claim.alternative,
        "alpha": trial.claim.alpha,
        "beta": trial.claim.beta,
        "ratio": trial.ratio,
        "deals": trial.count,
        "matches": outcome.matches,
        "seed": seed,
    }
