"""The legal moves of every decision, in canonical order, from tables.

Which cards lie in the field or are held is a mask of the 17 cards; a table for its lower
eight bits and one for its upper nine list the moves without a loop.
"""

from typing import Final

from engine_service.games.seimi.cards import CARDS, listings
from engine_service.games.seimi.moves import (
    OPEN,
    OPEN_LED,
    PLAY,
    PUT,
    REPLACE,
    REPLACE_LED,
    TAKE_CARD,
    lay,
)

LOW_BITS: Final = 8
LOW: Final = (1 << LOW_BITS) - 1

TAKES_LOW: Final = listings(TAKE_CARD, LOW_BITS)
TAKES_HIGH: Final = listings(TAKE_CARD + LOW_BITS, CARDS - LOW_BITS)
PUTS_LOW: Final = listings(PUT, LOW_BITS)
PUTS_HIGH: Final = listings(PUT + LOW_BITS, CARDS - LOW_BITS)


def _lays(kind: int, ability: int, held: int, has_parents: bool) -> list[int]:
    """The ways to lay down cards of a kind.

    ``ability`` is that of its row, -1 for none; ``held`` a mask of the abilities in hand.
    """
    mine = [one for one in range(4) if held >> one & 1]
    if ability < 0:
        alone, led = OPEN, OPEN_LED
    else:
        alone, led = REPLACE, REPLACE_LED
    plays = [lay(kind, PLAY, one) for one in mine if one == ability]
    others = [one for one in mine if one != ability]
    with_parents = [lay(kind, led, one) for one in others if has_parents]
    return [*plays, *[lay(kind, alone, one) for one in others], *with_parents]


LAYS: Final = [
    _lays(kind, ability, held, has_parents)
    for kind in range(4)
    for has_parents in (False, True)
    for ability in range(-1, 4)
    for held in range(16)
]
"""By :func:`lays_index`."""

KIND_STEP: Final = 160
PARENTS_STEP: Final = 80


def lays_index(kind: int, ability: int, held: int, has_parents: int) -> int:
    """Where :data:`LAYS` has the moves; ``ability`` counts from 1, 0 is no row."""
    return KIND_STEP * kind + PARENTS_STEP * has_parents + 16 * ability + held
