"""Moves: codes, texts, and the tables of what each code means.

A code is its kind times 2**40 plus the packed counts it names (see
:mod:`.counts`); the three moves without counts are 0, 1 and 2.
"""

from typing import Final

from engine_service.core.game import NotationError, Sighting
from engine_service.games.mushi.counts import MOST_CARDS, MOST_DICE, MOST_SEATS, TEXTS, read, total
from engine_service.games.mushi.events import Boost, Roll, Target

HUB: Final = 0
CATCH: Final = 1
STOP: Final = 2
KEEP: Final = 1 << 40
BOOST: Final = 2 << 40
ROLL: Final = 3 << 40
COUNTS: Final = KEEP - 1

KEEPING: Final = 3
BOOSTING: Final = 4
ROLLING: Final = 5
"""The kinds of moves, small: HUB, CATCH, STOP and these."""

WORDS: Final = ("hub", "catch", "stop")
VERBS: Final = {"keep": KEEP, "boost": BOOST, "roll": ROLL}


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


class Move:
    """What a code means, worked out once: its kind, its counts and how many they are.

    ``told`` is what everybody is shown when a seat (the index) plays it; of a boost, when
    it goes to the hub, and ``told_of_catch`` when it goes to a catch.
    """

    __slots__ = ("counts", "kind", "size", "told", "told_of_catch")

    def __init__(self, code: int) -> None:
        counts = code & COUNTS if code >= KEEP else 0
        self.kind = code if code < KEEP else STOP + (code >> 40)
        self.counts = counts
        self.size = total(counts)
        self.told: list[list[Sighting]] = []
        self.told_of_catch: list[list[Sighting]] = []
        if self.kind == HUB:
            self.told = [[Target(seat, "hub", None)] for seat in range(MOST_SEATS)]
        elif self.kind == ROLLING:
            self.told = [[Roll(seat, counts)] for seat in range(MOST_SEATS)]
        elif self.kind == BOOSTING:
            self.told = [[Boost(seat, counts, "hub")] for seat in range(MOST_SEATS)]
            self.told_of_catch = [[Boost(seat, counts, "catch")] for seat in range(MOST_SEATS)]


class Moves(dict[int, Move]):
    """A memo: look a code up to have its move. There are fewer than ten thousand of them."""

    def __missing__(self, code: int) -> Move:
        move = self[code] = Move(code)
        return move


MOVES: Final = Moves()
NO_MOVE: Final = Move(ROLL)
"""No dice at all: a position's choice before the first."""
