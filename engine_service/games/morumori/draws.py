"""What morumori waits for: one object for each turn of a seat and each kind of chance, made once."""

from typing import Final

from engine_service.core.game import Chance, Turn
from engine_service.games.morumori.faces import MOST_SLOTS

MOST_SEATS: Final = 6

TURNS: Final = [Turn([seat]) for seat in range(MOST_SEATS)]
FIRSTS: Final = [Chance("first", [seats]) for seats in range(MOST_SEATS + 1)]
LAYOUTS: Final = [Chance("layout", list(range(cards, 0, -1))) for cards in range(MOST_SLOTS + 1)]
SCATTERS: Final = [Chance("scatter", list(range(cards, 0, -1))) for cards in range(MOST_SLOTS + 1)]

_PEEKS: Final[dict[int, Chance]] = {}


def peeking(slots: int, looks: int) -> Chance:
    """The chance that takes ``looks`` of so many slots, or all of them where there are fewer."""
    key = 256 * slots + looks
    if key not in _PEEKS:
        _PEEKS[key] = Chance("peek", list(range(slots, max(0, slots - looks), -1)))
    return _PEEKS[key]
