"""Round robin, Swiss and gauntlet: everybody plays on, and points decide.

A match gives each a score from 0 to 1: two points for each left behind and one for each that is
level, over the most that could be had, so that two at a table win 1, ½ or 0. A bye gives 1. A match
whose every game was void gives ½: it was nobody's doing.

Ties are decided, in this order, by the names in :data:`TIE_BREAKS`; docs/tie-breaks.md explains them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .facts import Match
from .series import Settled
from .situation import Line, lot

TIE_BREAKS: Mapping[str, str] = {
    "score": "the sum of its matches' scores, each from 0 to 1; a bye gives 1, a void match ½",
    "buchholz": "for each match the mean score of those it sat with; for a bye its own",
    "sonneborn-berger": "for each match the sum of the scores of those left behind and half of those level, over their number",
    "wins": "matches won alone, byes left out",
    "lot": "drawn from the event's published seed",
}
HALF = Fraction(1, 2)


@dataclass(slots=True)
class _Tally:
    score: Fraction = Fraction()
    wins: int = 0
    byes: int = 0
    met: list[tuple[Sequence[int], Settled]] = field(default_factory=list)


def table_of(entrants: Iterable[int], settled: Iterable[Settled], seed: str, group: int = 0) -> list[Line]:
    """The lines of all entrants, best first. ``seed``: the event's, for the lots."""
    tallies = {one: _Tally() for one in entrants}
    for outcome in settled:
        for one in outcome.match.company:
            _count(tallies[one], one, outcome)
    values = {one: _values(one, tally, tallies, seed) for one, tally in tallies.items()}
    best = sorted(values, key=lambda one: tuple(values[one].values()), reverse=True)
    return [Line(rank, one, group, values[one]) for rank, one in enumerate(best, 1)]


def score(outcome: Settled, one: int) -> Fraction:
    """What a match gives one of its company."""
    if len(outcome.match.company) == 1:
        return Fraction(1)
    if not outcome.is_played and len(set(outcome.places.values())) == 1:
        return HALF
    others = [place for other, place in outcome.places.items() if other != one]
    mine = outcome.places[one]
    return Fraction(sum(2 if place > mine else int(place == mine) for place in others), 2 * len(others))


def byes_of(matches: Iterable[Match]) -> set[int]:
    """Who has had a bye in them."""
    return {match.company[0] for match in matches if len(match.company) == 1}


def _count(tally: _Tally, one: int, outcome: Settled) -> None:
    tally.score += score(outcome, one)
    others = [other for other in outcome.match.company if other != one]
    if others:
        tally.wins += score(outcome, one) == 1
        tally.met.append((others, outcome))
    else:
        tally.byes += 1


def _values(one: int, tally: _Tally, tallies: Mapping[int, _Tally], seed: str) -> dict[str, Fraction]:
    means = [
        sum((tallies[other].score for other in others), Fraction()) / len(others) for others, _ in tally.met
    ]
    return {
        "score": tally.score,
        "buchholz": sum(means, Fraction()) + tally.byes * tally.score,
        "sonneborn-berger": sum((_beaten(one, *met, tallies) for met in tally.met), Fraction()),
        "wins": Fraction(tally.wins),
        "lot": lot(seed, one),
    }


def _beaten(one: int, others: Sequence[int], outcome: Settled, tallies: Mapping[int, _Tally]) -> Fraction:
    mine = outcome.places[one]
    behind = sum((tallies[other].score for other in others if outcome.places[other] > mine), Fraction())
    level = sum((tallies[other].score for other in others if outcome.places[other] == mine), Fraction())
    return (behind + level / 2) / len(others)
