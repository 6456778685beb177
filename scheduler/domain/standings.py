"""A season's table: points, and what decides between equal ones.

A seat gets two points for each opponent placed behind it and one for each placed level;
its *share* is its points over the most it could have had. Shares make tables of different
sizes, and players with a void table fewer, comparable. Equal shares are decided by, in
this order, :data:`TIE_BREAKS`; what is still equal shares its rank. Exact: no floats.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

TIE_BREAKS: Mapping[str, str] = {
    "share": "points over the most that could be had at the same tables",
    "wins": "tables won alone, over tables played",
    "opponents": "the mean share of everybody it sat with, once for each table",
    "mutual": "points over the most, counted only against those that are still level",
}


@dataclass(frozen=True, slots=True)
class Played:
    """A finished table: player ids and placements (0 best, equal is a tie), parallel, by seat."""

    players: Sequence[int]
    placements: Sequence[int]


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line. ``rank``: 1 for the best; ``points`` of ``possible``; ``wins`` of ``tables``."""

    rank: int
    player: int
    points: int
    possible: int
    wins: int
    tables: int
    opponents: Fraction
    mutual: Fraction

    @property
    def share(self) -> Fraction:
        return _ratio(self.points, self.possible)


@dataclass(slots=True)
class _Tally:
    points: int = 0
    possible: int = 0
    wins: int = 0
    tables: int = 0
    company: list[int] = field(default_factory=list)


def standings(entrants: Iterable[int], played: Iterable[Played]) -> list[Line]:
    """The lines of all entrants and of whoever else has played, best first; equals by id."""
    finished = list(played)
    tallies = _tallied(finished)
    for player in entrants:
        tallies.setdefault(player, _Tally())
    shares = {player: _ratio(tally.points, tally.possible) for player, tally in tallies.items()}
    keys = {player: (shares[player], *_breaks(tally, shares)) for player, tally in tallies.items()}
    mutual = _mutual(keys, finished)
    order = sorted(tallies, key=lambda player: (*(-part for part in keys[player]), -mutual[player], player))
    return _lines(order, tallies, keys, mutual)


def rank_divisions(divisions: Mapping[int, int | None], played: Iterable[Played]) -> list[list[Line]]:
    """The lines of each division, the highest first, ranked among themselves.

    ``divisions``: everybody's, from 1. None: there are none yet, or whoever it is has left before
    there were. What was played between divisions counts for both.
    """
    finished = list(played)
    begun = any(divisions.values())
    fields: dict[int, set[int]] = {}
    for player, division in divisions.items():
        if division or not begun:
            fields.setdefault(division or 1, set()).add(player)
    return [_rank_field(fields[number], finished) for number in sorted(fields)]


def _rank_field(field: Collection[int], played: Iterable[Played]) -> list[Line]:
    lines = [line for line in standings(field, played) if line.player in field]
    ranks = [sum(other.rank < line.rank for other in lines) + 1 for line in lines]
    return [replace(line, rank=rank) for line, rank in zip(lines, ranks, strict=True)]


Key = tuple[Fraction, Fraction, Fraction]
"""Share, wins, opponents."""


def _tallied(played: Iterable[Played]) -> dict[int, _Tally]:
    tallies: dict[int, _Tally] = {}
    for table in played:
        for seat, player in enumerate(table.players):
            tally = tallies.setdefault(player, _Tally())
            points, alone = _points(table.placements, seat)
            tally.points += points
            tally.possible += 2 * (len(table.players) - 1)
            tally.wins += alone
            tally.tables += 1
            tally.company.extend(other for other in table.players if other != player)
    return tallies


def _points(placements: Sequence[int], seat: int) -> tuple[int, bool]:
    """(points, whether it won alone)."""
    mine = placements[seat]
    behind = sum(other > mine for other in placements)
    level = sum(other == mine for other in placements) - 1
    return 2 * behind + level, behind == len(placements) - 1 and behind > 0


def _breaks(tally: _Tally, shares: Mapping[int, Fraction]) -> tuple[Fraction, Fraction]:
    met = sum((shares[other] for other in tally.company), Fraction())
    return _ratio(tally.wins, tally.tables), met / len(tally.company) if tally.company else Fraction()


def _mutual(keys: Mapping[int, Key], played: Sequence[Played]) -> dict[int, Fraction]:
    """For each player its share against those that are level with it so far, at their common tables."""
    points: dict[int, int] = dict.fromkeys(keys, 0)
    possible: dict[int, int] = dict.fromkeys(keys, 0)
    for table in played:
        for seat, player in enumerate(table.players):
            level = [
                table.placements[other]
                for other, opponent in enumerate(table.players)
                if other != seat and keys[opponent] == keys[player]
            ]
            mine = table.placements[seat]
            points[player] += sum(2 if other > mine else int(other == mine) for other in level)
            possible[player] += 2 * len(level)
    return {player: _ratio(points[player], possible[player]) for player in keys}


def _lines(
    order: Sequence[int],
    tallies: Mapping[int, _Tally],
    keys: Mapping[int, Key],
    mutual: Mapping[int, Fraction],
) -> list[Line]:
    lines: list[Line] = []
    for at, player in enumerate(order):
        level = at > 0 and (keys[player], mutual[player]) == (keys[order[at - 1]], mutual[order[at - 1]])
        rank = lines[-1].rank if level else at + 1
        one = tallies[player]
        lines.append(
            Line(
                rank,
                player,
                one.points,
                one.possible,
                one.wins,
                one.tables,
                keys[player][2],
                mutual[player],
            )
        )
    return lines


def _ratio(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction()
