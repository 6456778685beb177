"""The legal moves of every decision, in canonical order, from tables.

Canonical order: ``hub`` before ``catch``; ``stop`` before every reroll; keeps
and boosts from few cards to many, rerolls from many dice to few; among equal
sizes the order of the texts' letters, R before Y before G before B before ``=``.
So the first legal move is always the one that the clock plays.

What may be played follows from few small things (the cards in a yard, the dice as
they lie), so each list is made once and looked up ever after.
"""

from collections.abc import Iterable
from typing import Final

from engine_service.games.mushi import phases
from engine_service.games.mushi.counts import BUGS, MOST_CARDS, MOST_DICE, ONE_EACH, parts, total
from engine_service.games.mushi.moves import BOOST, CATCH, HUB, KEEP, MOVES, ROLL, STOP, Move
from engine_service.games.mushi.phases import DICE, PHASES, TARGET

HELD_LIMIT: Final = 100_000


class Options:
    """A phase, and the legal codes in it: in canonical order, and each with what it means.

    ``owed`` is the fewest cards that a boost must move. Shared by all positions: not to be changed.
    """

    __slots__ = ("codes", "moves", "owed", "phase")

    def __init__(self, phase: int, codes: list[int], owed: int = 0) -> None:
        self.phase = phase
        self.codes = codes
        self.owed = owed
        self.moves: dict[int, Move] = {code: MOVES[code] for code in codes}


NO_CHOICE: Final = [Options(phase, []) for phase in range(len(PHASES))]
"""By the phase: chance decides, or all is over."""

ONLY_HUB: Final = Options(TARGET, [HUB])
HUB_OR_CATCH: Final = Options(TARGET, [HUB, CATCH])
ONLY_STOP: Final = Options(DICE, [STOP])


def by_size(kind: int, whole: int, low: int, high: int) -> list[list[int]]:
    """The codes of a kind that name a part of ``whole``, for every size from ``low`` to ``high``."""
    sizes: list[list[int]] = [[] for _ in range(high + 1)]
    for part in parts(whole):
        if total(part) <= high:
            sizes[total(part)].append(kind + part)
    return [sorted(codes, reverse=True) for codes in sizes[low:]]


def flat(lists: Iterable[list[int]]) -> list[int]:
    return [code for codes in lists for code in codes]


class Table(dict[int, Options]):
    """A memo, bounded in size: look cards up to have the options to name ``low`` to ``high`` of them."""

    def __init__(self, phase: int, kind: int, low: int, high: int) -> None:
        super().__init__()
        self.phase = phase
        self.kind = kind
        self.low = low
        self.high = high
        self.held = 0

    def __missing__(self, whole: int) -> Options:
        codes = flat(by_size(self.kind, whole, self.low, self.high))
        if self.held > HELD_LIMIT:
            self.clear()
            self.held = 0
        self.held += len(codes)
        options = self[whole] = Options(self.phase, codes, self.low)
        return options


BOOSTS: Final = [Table(phases.BOOST, BOOST, owed, MOST_CARDS) for owed in range(MOST_CARDS + 1)]
"""By the fewest cards that must be moved."""

KEEPS: Final = [Table(phases.KEEP, KEEP, 0, room) for room in range(MOST_CARDS + 1)]
"""By the room in the yard."""


def keeps(caught: int, room: int) -> Options:
    """How a collected catch may be split with room for so many cards in the yard."""
    within = 0
    for shift in (32, 24, 16, 8):
        within += min(caught >> shift & 0xFF, room) << shift
    return KEEPS[room][within]


class Dice:
    """All the dice as they lie: their counts, the bugs among them, what may be rolled again.

    ``first`` are the options before a turn's first roll, ``later`` those after a success.
    ``limit - group`` has a byte's highest bit set for each colour of which there are more
    dice than the group has cards.
    """

    __slots__ = ("bugs", "counts", "first", "later", "limit")

    def __init__(self, counts: int, least: int) -> None:
        codes = flat(reversed(by_size(ROLL, counts, least, total(counts))))
        self.counts = counts
        self.bugs = counts & BUGS
        self.limit = self.bugs + 0x7F * ONE_EACH
        self.first = Options(DICE, codes)
        self.later = Options(DICE, [STOP, *codes])


class Throws:
    """A memo, bounded in size, of dice of which ``least`` must be rolled.

    ``known`` has those found before, by their counts; :meth:`find` has all.
    """

    __slots__ = ("held", "known", "least")

    def __init__(self, least: int) -> None:
        self.least = least
        self.held = 0
        self.known: dict[int, Dice] = {}

    def find(self, counts: int) -> Dice:
        dice = self.known.get(counts)
        return self._learn(counts) if dice is None else dice

    def _learn(self, counts: int) -> Dice:
        dice = Dice(counts, self.least)
        if self.held > HELD_LIMIT:
            self.known.clear()
            self.held = 0
        self.held += len(dice.later.codes)
        self.known[counts] = dice
        return dice


THROWS: Final = [Throws(least) for least in range(MOST_DICE + 1)]
"""By the fewest dice that must be rolled."""
