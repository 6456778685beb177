"""A season's standings, recomputed from its results: nothing is counted up, so nothing can drift.

At a table of n a player earns one point for each seat that it came in ahead of and half a
point for each that it was level with, divided by n - 1: the winner 1, the last 0, whatever
the table's size. Ties in points are broken, in this order, by tables won (a shared win
counts as its share), then by the opposition: table by table, the points of the whole season
that the opponents there have earned, on average; then by fewer forfeits. Who is still level
shares the rank.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Played:
    """One table of the season: its players and their placements (0 best, equal is level), by seat.

    ``forfeited``: the seats that were forfeited.
    """

    players: Sequence[int]
    placements: Sequence[int]
    forfeited: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """One player's line. ``rank`` from 1, equal is level; the rest as the module says."""

    rank: int
    player: int
    tables: int
    points: Fraction
    wins: Fraction
    opposition: Fraction
    forfeits: int


@dataclass(slots=True)
class _Account:
    tables: int = 0
    points: Fraction = Fraction(0)
    wins: Fraction = Fraction(0)
    forfeits: int = 0


def standings(entrants: Iterable[int], played: Sequence[Played]) -> list[Line]:
    """Every entrant and everybody who played, best first; who is level, by player id."""
    accounts: dict[int, _Account] = defaultdict(_Account)
    for player in entrants:
        accounts[player] = _Account()
    for table in played:
        for seat, player in enumerate(table.players):
            _book(accounts[player], table, seat)
    opposition = _opposition(accounts, played)
    keys = {player: _key(account, opposition[player]) for player, account in accounts.items()}
    order = sorted(accounts, key=lambda player: (keys[player], player))
    ranks = _ranks([keys[player] for player in order])
    return [
        _line(rank, player, accounts[player], opposition[player])
        for rank, player in zip(ranks, order, strict=True)
    ]


def share(placements: Sequence[int], seat: int) -> Fraction:
    """The points that a seat earns at a table with these placements, 0 to 1."""
    own = placements[seat]
    behind = sum(other > own for other in placements)
    level = sum(other == own for other in placements) - 1
    return (behind + Fraction(level, 2)) / (len(placements) - 1)


def _book(account: _Account, table: Played, seat: int) -> None:
    account.tables += 1
    account.points += share(table.placements, seat)
    account.forfeits += seat in table.forfeited
    if table.placements[seat] == 0:
        account.wins += Fraction(1, list(table.placements).count(0))


def _opposition(accounts: Mapping[int, _Account], played: Sequence[Played]) -> dict[int, Fraction]:
    total = dict.fromkeys(accounts, Fraction(0))
    for table in played:
        everybody = sum((accounts[player].points for player in table.players), Fraction(0))
        for player in table.players:
            total[player] += (everybody - accounts[player].points) / (len(table.players) - 1)
    return total


def _key(account: _Account, opposition: Fraction) -> tuple[Fraction, Fraction, Fraction, int]:
    return -account.points, -account.wins, -opposition, account.forfeits


def _ranks(keys: Sequence[object]) -> list[int]:
    """Ranks from 1 of keys in order: equal keys share the rank of the first of them."""
    ranks: list[int] = []
    for index, key in enumerate(keys):
        ranks.append(ranks[-1] if index and key == keys[index - 1] else index + 1)
    return ranks


def _line(rank: int, player: int, account: _Account, opposition: Fraction) -> Line:
    return Line(rank, player, account.tables, account.points, account.wins, opposition, account.forfeits)
