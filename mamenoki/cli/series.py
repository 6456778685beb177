"""A series of local matches: who sits where, and what came of it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine_service.core.clock import UNLIMITED, Limits
from mamenoki.cli.bots import Entrant
from mamenoki.sdk.local import Played, Table, match_seed, play_match, running, still


@dataclass(frozen=True, slots=True)
class Series:
    """``matches`` matches of ``game`` (``mushi/standard``), decided by ``seed`` alone.

    With ``limits`` the machine's clock runs and measured times get into the replays.
    """

    game: str
    seats: int
    entrants: Sequence[Entrant]
    matches: int
    seed: int
    config: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits | None = None


def seatings(entrants: int, seats: int, matches: int, seed: int) -> Iterator[list[int]]:
    """Who sits where, match by match, as indices of entrants.

    The entrants stand in a circle and move on by one seat a match: in every block of as
    many matches as entrants each of them sits once at every seat. The next block stands
    in another order, so that nobody always plays after the same neighbour.
    """
    dice = random.Random(seed)
    for first in range(0, matches, entrants):
        circle = list(range(entrants))
        if first:
            dice.shuffle(circle)
        for turn in range(min(entrants, matches - first)):
            yield [circle[(turn + seat) % entrants] for seat in range(seats)]


def play_series(series: Series) -> Iterator[tuple[list[int], Played]]:
    """Every match with its seating, in order."""
    places = seatings(len(series.entrants), series.seats, series.matches, series.seed)
    for index, seating in enumerate(places):
        sitting = [series.entrants[entrant] for entrant in seating]
        table = table_of(series, index, [entrant.name for entrant in sitting])
        clock = still if series.limits is None else running
        yield seating, play_match(table, [entrant.make() for entrant in sitting], clock)


def table_of(series: Series, index: int, players: list[str]) -> Table:
    """The series' match of that index, counted from 0, with these players."""
    name = f"{series.game.replace('/', '-')}-{series.seats}-{series.seed}-{index + 1}"
    return Table(
        match=name,
        game=series.game,
        players=players,
        seed=match_seed(series.seed, index),
        config=series.config,
        limits=series.limits or UNLIMITED,
    )


@dataclass(slots=True)
class Tally:
    """What one entrant has come to. A place counts from 1; forfeited seats share the last."""

    name: str
    matches: int = 0
    won: int = 0
    shared: int = 0
    score: int = 0
    place: int = 0
    decisions: int = 0
    ns: int = 0
    refused: int = 0
    late: int = 0
    raised: int = 0

    def add(self, played: Played, seat: int) -> None:
        """Count one seat of a match."""
        outcome, thinking = played.outcome, played.thinking[seat]
        first = outcome.placements[seat] == 0
        alone = outcome.placements.count(0) == 1
        self.matches += 1
        self.won += first and alone
        self.shared += first and not alone
        self.score += outcome.scores[seat]
        self.place += outcome.placements[seat] + 1
        self.decisions += thinking.decisions
        self.ns += thinking.ns
        for fault in played.faults:
            if fault.seat == seat:
                setattr(self, fault.kind, getattr(self, fault.kind) + 1)

    def figures(self) -> dict[str, Any]:
        """For a table or a program; means are None without a match."""
        return {
            "name": self.name,
            "matches": self.matches,
            "won": self.won,
            "shared": self.shared,
            "mean_score": _ratio(self.score, self.matches),
            "mean_place": _ratio(self.place, self.matches),
            "decisions": self.decisions,
            "ms_a_decision": _ratio(self.ns / 1e6, self.decisions),
            "refused": self.refused,
            "late": self.late,
            "raised": self.raised,
        }


def _ratio(total: float, count: int) -> float | None:
    return round(total / count, 4) if count else None
