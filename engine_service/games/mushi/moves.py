"""Moves: codes, texts, and the legal ones of every decision in canonical order.

A code is its kind times 2**40 plus the packed counts it names (see
:mod:`.counts`); the three moves without counts are 0, 1 and 2.

Canonical order: ``hub`` before ``catch``; ``stop`` before every reroll; keeps
and boosts from few cards to many, rerolls from many dice to few; among equal
sizes the order of the texts' letters, R before Y before G before B before ``=``.
So the first legal move is always the one that the clock plays.
"""

from typing import Final

from engine_service.core.game import NotationError
from engine_service.games.mushi.counts import TEXTS, Options, parts, read, total

HUB: Final = 0
CATCH: Final = 1
STOP: Final = 2
KEEP: Final = 1 << 40
BOOST: Final = 2 << 40
ROLL: Final = 3 << 40
COUNTS: Final = KEEP - 1

WORDS: Final = ("hub", "catch", "stop")
VERBS: Final = {"keep": KEEP, "boost": BOOST, "roll": ROLL}
MOST_CARDS: Final = 12
MOST_DICE: Final = 12

ONLY_HUB = Options([HUB])
HUB_OR_CATCH = Options([HUB, CATCH])
ONLY_STOP = Options([STOP])


def format_move(code: int) -> str:
    """The text of a code that :func:`parse_move` gives."""
    if code < KEEP:
        return WORDS[code]
    if code < BOOST:
        return "keep " + TEXTS[code - KEEP]
    if code < ROLL:
        return "boost " + TEXTS[code - BOOST]
    return "roll " + TEXTS[code - ROLL]


def parse_move(move: str) -> int:
    """The code of a text, exactly as :func:`format_move` writes it; NotationError for any other."""
    if move in WORDS:
        return WORDS.index(move)
    verb, _, letters = move.partition(" ")
    counts = read(letters)
    if verb not in VERBS or counts < 0 or not _fits(verb, counts):
        raise NotationError(_unreadable(move))
    return VERBS[verb] + counts


def _fits(verb: str, counts: int) -> bool:
    if verb == "roll":
        return 1 <= total(counts) <= MOST_DICE
    return counts & 0xFF == 0 and total(counts) <= MOST_CARDS


def _unreadable(move: str) -> str:
    return (
        f"{move[:60]!r} is no move of mushi; moves read: hub, catch, stop, keep RYY, keep -, "
        "boost GB, boost -, roll RYG== (letters in the order R Y G B =, one space before them)"
    )


class Table(dict[int, Options]):
    """A memo, bounded in size: look a multiset up to have the codes that name the right parts of it.

    The right ones have a size from ``low`` to ``high``.
    """

    def __init__(self, kind: int, low: int, high: int, most_first: bool = False, stop: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self.low = low
        self.high = high
        self.most_first = most_first
        self.stop = stop
        self.held = 0

    def __missing__(self, whole: int) -> Options:
        codes = self._codes(whole)
        if self.held > 100_000:
            self.clear()
            self.held = 0
        self.held += len(codes)
        options = self[whole] = Options(codes)
        return options

    def _codes(self, whole: int) -> list[int]:
        by_size: list[list[int]] = [[] for _ in range(self.high + 1)]
        for part in parts(whole):
            if self.low <= total(part) <= self.high:
                by_size[total(part)].append(self.kind + part)
        codes = [STOP] if self.stop else []
        for same in reversed(by_size) if self.most_first else by_size:
            codes += sorted(same, reverse=True)
        return codes


BOOSTS = [Table(BOOST, owed, MOST_CARDS) for owed in range(MOST_CARDS + 1)]
"""By the fewest cards that must be moved."""

KEEPS = [Table(KEEP, 0, room) for room in range(MOST_CARDS + 1)]
"""By the room in the yard."""

ROLLS: dict[tuple[int, int, bool], Table] = {}


def rolls(low: int, high: int, stop: bool) -> Table:
    """The rerolls of ``low`` to ``high`` dice, with or without the choice to stop."""
    key = (low, high, stop)
    if key not in ROLLS:
        ROLLS[key] = Table(ROLL, low, high, most_first=True, stop=stop)
    return ROLLS[key]


def keeps(caught: int, room: int) -> Options:
    """How a collected catch may be split with room for so many cards in the yard."""
    within = 0
    for shift in (32, 24, 16, 8):
        within += min(caught >> shift & 0xFF, room) << shift
    return KEEPS[room][within]
