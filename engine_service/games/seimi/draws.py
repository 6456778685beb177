"""What seimi waits for: one object for each turn of a seat and each draw, made once."""

from typing import Final

from engine_service.core.game import Chance, Turn
from engine_service.games.seimi.config import MONSTERS, ROAD_LENGTHS
from engine_service.games.seimi.moves import MOST_SEATS

MOST_CARDS: Final = 16 * 12 + 40

TURNS: Final = [Turn([seat]) for seat in range(MOST_SEATS)]
FIRSTS: Final = [Chance("first", [seats]) for seats in range(MOST_SEATS + 1)]
ROAD_DRAW: Final = Chance("roads", [len(ROAD_LENGTHS) - drawn for drawn in range(MONSTERS)])
DRAWS: Final = [Chance("deck", [size]) for size in range(MOST_CARDS + 1)]
"""One card, by how many there are."""


def descending(size: int, count: int) -> list[int]:
    """The sizes of drawing so many out of ``size``, one by one, without putting any back."""
    return list(range(size, size - count, -1))
