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
from engine_service.games.mushi.counts import Options, parts, read, text, total

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
        return "keep " + text(code - KEEP)
    if code < ROLL:
        return "boost " + text(code - BOOST)
    return "roll " + text(code - ROLL)


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


class Table:
    """A memo of legal codes for one kind of decision, bounded in size."""

    def __init__(self, kind: int, most_first: bool = False, stop: bool = False) -> None:
        self.kind = kind
        self.most_first = most_first
        self.stop = stop
        self.memo: dict[int, Options] = {}
        self.held = 0

    def options(self, whole: int, low: int, high: int) -> Options:
        """The parts of ``whole`` with a size from ``low`` to ``high``, in canonical order."""
        key = (whole << 16) + (low << 8) + high
        known = self.memo.get(key)
        return self._fill(key, whole, low, high) if known is None else known

    def _fill(self, key: int, whole: int, low: int, high: int) -> Options:
        sizes = range(high, low - 1, -1) if self.most_first else range(low, high + 1)
        by_size: list[list[int]] = [[] for _ in range(high + 1)]
        for part in parts(whole):
            if total(part) <= high:
                by_size[total(part)].append(self.kind + part)
        codes = [STOP] if self.stop else []
        for size in sizes:
            codes += sorted(by_size[size], reverse=True)
        return self._keep(key, Options(codes))

    def _keep(self, key: int, options: Options) -> Options:
        if self.held > 400_000:
            self.memo.clear()
            self.held = 0
        self.held += len(options.codes)
        self.memo[key] = options
        return options


KEEPS = Table(KEEP)
BOOSTS = Table(BOOST)
FIRST_ROLLS = Table(ROLL, most_first=True)
LATER_ROLLS = Table(ROLL, most_first=True, stop=True)


def keeps(caught: int, room: int) -> Options:
    """How a collected catch may be split with room for so many cards in the yard."""
    within = 0
    for shift in (32, 24, 16, 8):
        within += min(caught >> shift & 0xFF, room) << shift
    return KEEPS.options(within, 0, min(room, total(within)))


def boosts(yard: int, owed: int) -> Options:
    """What may be moved out of a yard when at least ``owed`` cards must be."""
    return BOOSTS.options(yard, owed, total(yard))
