"""The faces of the guinea-pig cards as small ints, in canonical order.

A number card's face is its number less one, so 0 to 8; then ``=``, ``x2``, ``0`` and
``miss``. :data:`GONE` stands in a slot that is empty.
"""

from typing import Final

FACES: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "=", "x2", "0", "miss")

NUMBERS: Final = 9
"""Faces below this are number cards."""

EQUALS: Final = 9
TIMES_TWO: Final = 10
ZERO: Final = 11
MISS: Final = 12
GONE: Final = 13

MOST_SLOTS: Final = 100
