"""The continuous ladder: which tables to play next.

Each table is built around an *anchor*. In this order of weight:

1. whoever has waited longer than ``longest_wait_ms``, the longest wait first;
2. the fewest games, so newcomers come first, then the longest wait.

The table's size is the one that the anchor has sat at least often. The others are drawn
from the entrants with a free place: never two of one owner (house bots excepted); at most
``slack`` games more than the fewest; nobody whom somebody has just met, while there are
others; of these the nearest in skill, half of them above the anchor and half below, so that
a runaway leader is met by those behind it and the leaders meet each other. Two of these are
drawn at random, and the one that has sat less often at tables of this size plays.

What follows, and is tested over 2 to 300 entrants (the first three for fields that came
together and in which no owner has more than one bot in ``most`` of them):

- nobody has more than 3 games more than anybody else;
- at each table size, nobody sits on one seat more than 4 times more often than on another;
- in 20 games and more, shares of table sizes differ by at most a quarter (with a ``window``
  of 8 or more: a narrower one leaves too little choice);
- nobody with a free place waits longer than ``longest_wait_ms`` and the time it takes to
  play one table for each entrant.

Pure: the seed is an argument, and the same call gives the same tables.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from .seating import seat


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who could play now.

    ``owners``: whose it is, or of a team whose its bots are; house bots are nobody's, and may meet
    their like. ``games`` counts tables on this ladder, those under way too. ``waited_ms``: since its
    last table ended or it came; 0 while it plays. ``places``: tables that it may take now. ``sat``:
    (table size, seat) to games. ``last``: whom it met at the table that was planned for it last.
    ``bots``: whose places its tables take, so that a team's are taken from its bots too.
    """

    player: int
    owners: frozenset[str]
    games: int
    waited_ms: int
    skill: float
    places: int
    sat: Mapping[tuple[int, int], int] = field(default_factory=dict)
    last: frozenset[int] = frozenset()
    bots: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Rules:
    """How tables are made: ``least`` to ``most`` seats (at most 6); the rest as the module says."""

    least: int
    most: int
    window: int = 8
    slack: int = 1
    longest_wait_ms: int = 60_000


def plan(entrants: Iterable[Entrant], rules: Rules, tables: int, seed: int) -> list[tuple[int, ...]]:
    """At most ``tables`` tables, each its players in seat order, the most urgent table first.

    The order of ``entrants`` makes no difference.
    """
    hall = _Hall(entrants, rules, Random(seed))  # a plan must come out the same twice; it is no secret
    planned: list[tuple[int, ...]] = []
    while len(planned) < tables and (table := hall.next_table()):
        planned.append(table)
    return planned


@dataclass(slots=True)
class _Guest:
    """An entrant while tables are being planned: what it will have played if they all are."""

    player: int
    owners: frozenset[str]
    games: int
    waited_ms: int
    skill: float
    places: int
    sat: Counter[tuple[int, int]]
    sizes: Counter[int]
    last: frozenset[int]
    bots: frozenset[int]

    def may_meet(self, other: "_Guest") -> bool:
        return self is not other and self.owners.isdisjoint(other.owners)

    def has_just_met(self, other: "_Guest") -> bool:
        return other.player in self.last or self.player in other.last


class _Hall:
    def __init__(self, entrants: Iterable[Entrant], rules: Rules, random: Random) -> None:
        self._rules, self._random = rules, random
        ordered = sorted(entrants, key=lambda entrant: entrant.player)
        self._guests = {entrant.player: _guest(entrant) for entrant in ordered}
        self._users: dict[int, list[_Guest]] = {}
        for guest in self._guests.values():
            for bot in guest.bots:
                self._users.setdefault(bot, []).append(guest)

    def next_table(self) -> tuple[int, ...] | None:
        free = [guest for guest in self._guests.values() if guest.places > 0]
        for anchor in sorted(free, key=self._urgency):
            company = self._company(anchor, [guest for guest in free if guest.may_meet(anchor)])
            if company:
                return self._take_seats(company)
        return None

    def _urgency(self, guest: _Guest) -> tuple[int, int, int, float]:
        starved = guest.waited_ms if guest.waited_ms >= self._rules.longest_wait_ms else 0
        return -starved, guest.games, -guest.waited_ms, self._random.random()

    def _company(self, anchor: _Guest, others: list[_Guest]) -> list[_Guest]:
        """A table around the anchor; empty if too few may sit with it."""
        most = min(self._rules.most, 1 + room(others))
        if most < self._rules.least:
            return []
        size = min(
            range(self._rules.least, most + 1), key=lambda size: (anchor.sizes[size], self._random.random())
        )
        company = [anchor]
        while len(company) < size:
            able = [guest for guest in others if all(guest.may_meet(seated) for seated in company)]
            if not able:  # a team whose bots have several owners keeps out more than one
                return company if len(company) >= self._rules.least else []
            company.append(self._pick(company, size, able))
        return company

    def _pick(self, company: Sequence[_Guest], size: int, able: list[_Guest]) -> _Guest:
        enough = min(guest.games for guest in able) + self._rules.slack
        pool = [guest for guest in able if guest.games <= enough]
        fresh = [guest for guest in pool if not any(guest.has_just_met(seated) for seated in company)]
        near = _nearest(fresh or pool, company[0], self._rules.window)
        pair = self._random.sample(near, min(2, len(near)))
        return min(pair, key=lambda guest: guest.sizes[size])

    def _take_seats(self, company: Sequence[_Guest]) -> tuple[int, ...]:
        players = [guest.player for guest in company]
        table = seat(players, {guest.player: guest.sat for guest in company}, self._random)
        for place, player in enumerate(table):
            self._sit(self._guests[player], table, place)
        return table

    def _sit(self, guest: _Guest, table: Sequence[int], place: int) -> None:
        guest.games += 1
        guest.places -= 1
        for other in {id(user): user for bot in guest.bots for user in self._users[bot]}.values():
            other.places -= other is not guest
        guest.waited_ms = 0
        guest.sat[len(table), place] += 1
        guest.sizes[len(table)] += 1
        guest.last = frozenset(table) - {guest.player}


def _guest(entrant: Entrant) -> _Guest:
    sizes: Counter[int] = Counter()
    for (size, _), games in entrant.sat.items():
        sizes[size] += games
    return _Guest(
        entrant.player,
        entrant.owners,
        entrant.games,
        entrant.waited_ms,
        entrant.skill,
        entrant.places,
        Counter(entrant.sat),
        sizes,
        entrant.last,
        entrant.bots,
    )


def room(guests: Iterable[Entrant | _Guest]) -> int:
    """How many of them may meet at once: of one owner one, so that teams of several owners go last."""
    taken: set[str] = set()
    count = 0
    for guest in sorted(guests, key=lambda guest: len(guest.owners)):
        if taken.isdisjoint(guest.owners):
            taken |= guest.owners
            count += 1
    return count


def _nearest(guests: Sequence[_Guest], anchor: _Guest, window: int) -> list[_Guest]:
    """Of those above and of those below the anchor in skill, the ``window``/2 nearest each."""
    rising = sorted(guests, key=lambda guest: (guest.skill, guest.player))
    at = (anchor.skill, anchor.player)
    below = [guest for guest in rising if (guest.skill, guest.player) < at]
    above = rising[len(below) :]
    half = max(1, window // 2)
    return below[-half:] + above[:half]
