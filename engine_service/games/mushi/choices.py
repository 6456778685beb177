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

from engine_service.games.mushi.counts import BUGS, MOST_CARDS, MOST_DICE, parts, total
from engine_service.games.mushi.moves import BOOST, CATCH, HUB, KEEP, MOVES, ROLL, STOP, Move

HELD_LIMIT: Final = 100_000


class Options:
    """The legal codes of one decision: in canonical order, and each with what it means.

    Shared by all positions: not to be changed.
    """

    __slots__ = ("codes", "moves")

    def __init__(self, codes: list[int]) -> None:
        self.codes = codes
        self.moves: dict[int, Move] = {code: MOVES[code] for code in codes}


NOTHING_TO_CHOOSE: Final = Options([])
ONLY_HUB: Final = Options([HUB])
HUB_OR_CATCH: Final = Options([HUB, CATCH])
ONLY_STOP: Final = Options([STOP])


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
    """A memo, bounded in size: look cards up to have the codes that name ``low`` to ``high`` of them."""

    def __init__(self, kind: int, low: int, high: int) -> None:
        super().__init__()
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
        options = self[whole] = Options(codes)
        return options


BOOSTS: Final = [Table(BOOST, owed, MOST_CARDS) for owed in range(MOST_CARDS + 1)]
"""By the fewest cards that must be moved."""

KEEPS: Final = [Table(KEEP, 0, room) for room in range(MOST_CARDS + 1)]
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
    """

    __slots__ = ("bugs", "counts", "first", "later")

    def __init__(self, counts: int, least: int) -> None:
        codes = flat(reversed(by_size(ROLL, counts, least, total(counts))))
        self.counts = counts
        self.bugs = counts & BUGS
        self.first = Options(codes)
        self.later = Options([STOP, *codes])


class Throws(dict[int, Dice]):
    """A memo, bounded in size: look counts up to have those dice, of which ``least`` must be rolled."""

    def __init__(self, least: int) -> None:
        super().__init__()
        self.least = least
        self.held = 0

    def __missing__(self, counts: int) -> Dice:
        dice = Dice(counts, self.least)
        if self.held > HELD_LIMIT:
            self.clear()
            self.held = 0
        self.held += len(dice.later.codes)
        self[counts] = dice
        return dice


THROWS: Final = [Throws(least) for least in range(MOST_DICE + 1)]
"""By the fewest dice that must be rolled."""
