"""What mushi waits for: one object for each turn of a seat and each kind of chance, made once."""

from typing import Final

from engine_service.core.game import Chance, Turn
from engine_service.games.mushi.counts import MOST_DICE, MOST_SEATS

TURNS: Final = [Turn([seat]) for seat in range(MOST_SEATS)]
FIRSTS: Final = [Chance("first", [seats]) for seats in range(MOST_SEATS + 1)]
SIXES: Final = [[6] * dice for dice in range(MOST_DICE + 1)]
TURNS_HELD: Final = 1_000


class Falls(dict[int, list[Chance]]):
    """A memo, bounded in size: look a turn up to have its chances, by how many dice fall."""

    def __missing__(self, turn: int) -> list[Chance]:
        if len(self) >= TURNS_HELD:
            self.clear()
        falls = self[turn] = [Chance(f"dice/{turn}", sizes) for sizes in SIXES]
        return falls


FALLS: Final = Falls()

_DEALS: Final[dict[int, Chance]] = {}


def deal(deck: int, size: int) -> Chance:
    """The chance of drawing ``size`` cards from a deck of ``deck``."""
    key = 256 * deck + size
    if key not in _DEALS:
        _DEALS[key] = Chance("deck", list(range(deck, deck - size, -1)))
    return _DEALS[key]
