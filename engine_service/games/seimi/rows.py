"""A row of minions before a player, packed into one int; 0 is no row.

The lowest three bits hold the row's ability plus one, the fourth whether the Parents lead
it, the rest how many cards it has, the Parents included.
"""

from typing import Final

from engine_service.games.seimi.cards import PARENTS

CARD: Final = 16
"""What one card more adds."""

LED: Final = 8
ABILITY: Final = 7
NO_ROW: Final = 0


def pack_row(ability: int, size: int, led: bool) -> int:
    """A row of ``size`` cards, the Parents included if they lead it."""
    return size * CARD + (LED if led else 0) + ability + 1


def row_size(row: int) -> int:
    return row >> 4


def row_ability(row: int) -> int:
    """The ability of a row; -1: no row."""
    return (row & ABILITY) - 1


def is_led(row: int) -> bool:
    """Whether the Parents are its first card."""
    return row & LED != 0


def cards_of(kind: int, row: int) -> list[int]:
    """The cards of a kind's row, minions before Parents."""
    if not row:
        return []
    led = 1 if row & LED else 0
    return [4 * kind + row_ability(row)] * (row_size(row) - led) + [PARENTS] * led


def shorten(row: int) -> int:
    """The row without its last card; without the Parents too if they alone were left."""
    rest = row - CARD
    return rest if row_size(rest) > (1 if rest & LED else 0) else NO_ROW
