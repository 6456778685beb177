"""A league round: everybody sits at the same number of tables.

Tables have the wanted size; where that does not divide, some are one seat shorter, and only
where shorter ones are against the game's rules are some longer. Nobody sits twice at a
table. Who has met seldom meets, bots of one owner meet last, and seats are evened out over
all that was played before.

Pure: the seed is an argument, and the same call gives the same round.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, cycle, islice
from random import Random

from .seating import Sat, seat

SWAPS_PER_SEAT = 40
KIN = 3
"""Two bots of one owner meet as if they had met three times before,"""
KIN_ON_ONE_DEAL = 1000
"""and so often where all play the same deal, of which one could tell the other."""


class RoundError(ValueError):
    """No round can be made of these; the message says why and what could be."""


@dataclass(frozen=True, slots=True)
class Wish:
    """``tables_each``: tables a player; ``size``: the wanted seats, between ``least`` and ``most``."""

    tables_each: int
    size: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Past:
    """What was played before: how often two met (lower id first), who sat where, who belongs together.

    ``owners`` has no house bots: those may meet. ``kin``: how often bots of one owner count as met.
    """

    met: Mapping[tuple[int, int], int] = field(default_factory=dict)
    sat: Mapping[int, Sat] = field(default_factory=dict)
    owners: Mapping[int, frozenset[str]] = field(default_factory=dict)
    kin: int = KIN


def table_sizes(players: int, wish: Wish) -> tuple[int, list[int]]:
    """(tables each, the sizes of all tables, falling).

    Where ``tables_each`` cannot be played exactly by everybody (three players, tables of
    two, one each), it is the next number that can. RoundError for too few players.
    """
    if players < wish.least:
        raise RoundError(f"a table needs {wish.least} players and there are {players}; wait for more")
    size = min(wish.size, players)
    for each in range(wish.tables_each, wish.tables_each + wish.least + 1):
        for longest in range(size, min(wish.most, players) + 1):
            count = -(-players * each // longest)
            if players * each >= count * wish.least:
                return each, _shared(players * each, count)
    raise RoundError(f"{players} players make no tables of {wish.least} to {wish.most} for everybody")


def plan_round(players: Sequence[int], wish: Wish, past: Past, seed: int) -> list[tuple[int, ...]]:
    """The round's tables, each its players in seat order. The order of ``players`` makes no difference."""
    random = Random(seed)  # a round must come out the same twice; it is no secret
    each, sizes = table_sizes(len(players), wish)
    order = sorted(players)
    random.shuffle(order)
    mixer = _Mixer(_dealt(order, sizes), past, random)
    mixer.mix(len(players) * each * SWAPS_PER_SEAT)
    return _seated(mixer.tables, past, random)


def merge_small(fields: Sequence[Sequence[int]], least: int) -> list[list[int]]:
    """Fields, each with ``least`` players or more: one that is smaller joins the one before it, or else
    the next. Only if all together are fewer is what is left still smaller."""
    merged: list[list[int]] = []
    for players in fields:
        if merged and (len(players) < least or len(merged[-1]) < least):
            merged[-1] += players
        else:
            merged.append([*players])
    return merged


def _shared(seats: int, tables: int) -> list[int]:
    size, longer = divmod(seats, tables)
    return [size + 1] * longer + [size] * (tables - longer)


def _dealt(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Round and round the order, so that whoever sits at two tables sits a whole round apart:
    never twice at one, and as often as everybody else."""
    players = cycle(order)
    return [list(islice(players, size)) for size in sizes]


class _Mixer:
    """Swaps players between tables while that lowers the cost: for each pair the square of
    its meetings, old and new. Every swap leaves each player its number of tables."""

    def __init__(self, tables: list[list[int]], past: Past, random: Random) -> None:
        self.tables, self._past, self._random = tables, past, random
        self._meets: Counter[tuple[int, int]] = Counter()
        for table in tables:
            self._meets.update(combinations(sorted(table), 2))

    def mix(self, tries: int) -> None:
        if len(self.tables) < 2:
            return
        for _ in range(tries):
            here, there = self._random.sample(self.tables, 2)
            self._try_swap(here, self._random.randrange(len(here)), there, self._random.randrange(len(there)))

    def _try_swap(self, here: list[int], i: int, there: list[int], j: int) -> None:
        one, other = here[i], there[j]
        if one in there or other in here:
            return
        stay, go = here[:i] + here[i + 1 :], there[:j] + there[j + 1 :]
        gain = self._cost(one, stay, -1) + self._cost(other, go, -1)
        loss = self._cost(other, stay, 0) + self._cost(one, go, 0)
        if loss < gain:
            self._count(one, stay, -1)
            self._count(other, go, -1)
            self._count(other, stay, 1)
            self._count(one, go, 1)
            here[i], there[j] = other, one

    def _cost(self, player: int, company: Sequence[int], shift: int) -> int:
        """What sitting there costs: for each pair the step from n to n + 1 meetings, squared."""
        return sum(2 * (self._weight(player, other) + shift) + 1 for other in company)

    def _weight(self, one: int, other: int) -> int:
        pair = (one, other) if one < other else (other, one)
        owners = self._past.owners.get(one, frozenset())
        kin = 0 if owners.isdisjoint(self._past.owners.get(other, frozenset())) else self._past.kin
        return self._meets[pair] + self._past.met.get(pair, 0) + kin

    def _count(self, player: int, company: Sequence[int], step: int) -> None:
        for other in company:
            self._meets[min(player, other), max(player, other)] += step


def _seated(tables: Sequence[Sequence[int]], past: Past, random: Random) -> list[tuple[int, ...]]:
    sat = {player: Counter(past.sat.get(player, {})) for table in tables for player in table}
    seated = []
    for table in tables:
        order = seat(table, sat, random)
        for place, player in enumerate(order):
            sat[player][len(order), place] += 1
        seated.append(order)
    return seated
