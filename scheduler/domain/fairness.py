"""How even a field's tables were, in numbers that can be shown and held to bounds.

All figures are over the tables that are given: for a ladder those planned since the last of
its players joined, so that nobody is behind for having come late. Where these are too many to
be looked at and only the latest are, a count may differ by as much at the cut as it does at
the end, so that its bound is twice as wide. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

ENOUGH_TABLES = 20
"""Shares of table sizes are compared between players with as many tables; of fewer they say nothing."""

BOUNDS: Mapping[str, Fraction] = {
    "games_spread": Fraction(3),
    "seat_spread": Fraction(4),
    "size_spread": Fraction(1, 4),
}
"""What matchmaking promises of figures that have a bound; see :mod:`scheduler.domain.matchmaking`."""

FIGURES = ("games_spread", "seat_spread", "size_spread", "repeats")
OF_TABLES = ("seat_spread", "size_spread")
"""What means nothing where each table of a set is an entrant's own."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """``games_spread``: most tables of a player less fewest. ``seat_spread``: the most that somebody sat
    more often at one seat than at another, at tables of one size. ``size_spread``: the most by which the
    shares of a table size differ between players of ENOUGH_TABLES. ``repeats``: the share of meetings
    that followed at once on a meeting of the same two, of all meetings that could have. ``cut``: there
    were earlier tables.
    """

    players: int
    tables: int
    games_spread: int
    seat_spread: int
    size_spread: Fraction
    repeats: Fraction
    cut: bool

    def bound(self, name: str) -> Fraction | None:
        """What is promised of a figure, by its name; None: nothing."""
        bound = BOUNDS.get(name)
        return None if bound is None else bound * (2 if self.cut else 1)

    def exceeded(self) -> list[str]:
        """The figures that are beyond their bound."""
        return [name for name in BOUNDS if getattr(self, name) > (self.bound(name) or 0)]


def told(*, together: bool) -> list[str]:
    """The names of the figures that mean something. ``together``: each table of a set is an entrant's own."""
    return [name for name in FIGURES if not (together and name in OF_TABLES)]


def assess(players: Iterable[int], tables: Sequence[Sequence[int]], *, cut: bool = False) -> Fairness:
    """The figures of a field. ``tables``: player ids in seat order, the oldest table first.

    Players who are not of the field count as company, but have no figures of their own.
    """
    field = set(players)
    sat: dict[int, Counter[tuple[int, int]]] = {player: Counter() for player in field}
    for table in tables:
        for seat, player in enumerate(table):
            if player in field:
                sat[player][len(table), seat] += 1
    games = [counts.total() for counts in sat.values()] or [0]
    return Fairness(
        players=len(field),
        tables=len(tables),
        games_spread=max(games) - min(games),
        seat_spread=max((_seat_spread(counts) for counts in sat.values()), default=0),
        size_spread=_size_spread(sat.values()),
        repeats=_repeats(field, tables),
        cut=cut,
    )


def _seat_spread(sat: Mapping[tuple[int, int], int]) -> int:
    spreads = [0]
    for size in {size for size, _ in sat}:
        times = [sat.get((size, seat), 0) for seat in range(size)]
        spreads.append(max(times) - min(times))
    return max(spreads)


def _size_spread(fields: Iterable[Counter[tuple[int, int]]]) -> Fraction:
    shares = [_shares(sat) for sat in fields if sat.total() >= ENOUGH_TABLES]
    sizes = {size for share in shares for size in share}
    spreads = [
        max(share.get(size, Fraction()) for share in shares)
        - min(share.get(size, Fraction()) for share in shares)
        for size in sizes
    ]
    return max(spreads, default=Fraction())


def _shares(sat: Counter[tuple[int, int]]) -> dict[int, Fraction]:
    shares: dict[int, Fraction] = {}
    for (size, _), times in sat.items():
        shares[size] = shares.get(size, Fraction()) + Fraction(times, sat.total())
    return shares


def _repeats(field: set[int], tables: Iterable[Sequence[int]]) -> Fraction:
    """A player's company counts from its second table on; two that repeat are counted on both sides."""
    last: dict[int, frozenset[int]] = {}
    again = could = 0
    for table in tables:
        for player in field.intersection(table):
            company = frozenset(table) - {player}
            if player in last:
                again += len(company & last[player])
                could += len(company)
            last[player] = company
    return Fraction(again, could) if could else Fraction()
