"""Multisets of treasure cards, packed into one int: a byte a kind, gold lowest.

Adding and taking cards is adding and subtracting ints. No multiset holds more than 254.
"""

from collections.abc import Mapping
from typing import Final

from engine_service.core.game import Json

KINDS: Final = ("gold", "silver", "bronze", "thief", "tornado")
"""In canonical order."""

GOLD: Final = 0
SILVER: Final = 1
BRONZE: Final = 2
THIEF: Final = 3
TORNADO: Final = 4

VALUES: Final = [5, 2, 1, 1, 1]
"""Points, by kind; a thief with a stolen card counts that one's points instead."""

UNITS: Final = [1, 1 << 8, 1 << 16, 1 << 24, 1 << 32]
COVERED: Final = 0xFFFFFF
"""The kinds that lie face down, and that a thief may take: gold, silver, bronze."""

MOST_OF_A_KIND: Final = 9
DECKS: Final = ("stable", "gamble")


def pack(cards: Mapping[str, Json]) -> int:
    """From a count by the kind's name; kinds that are left out count 0."""
    packed = 0
    for kind, name in enumerate(KINDS):
        packed += UNITS[kind] * int(cards.get(name, 0))
    return packed


def pack_covered(counts: list[int]) -> int:
    """From ``[gold, silver, bronze]``."""
    return counts[0] + (counts[1] << 8) + (counts[2] << 16)


def total(cards: int) -> int:
    """How many there are altogether; 256 leaves 1 when divided by 255, so the bytes add up."""
    return cards % 255


def count(cards: int, kind: int) -> int:
    """How many there are of a kind."""
    return cards >> 8 * kind & 0xFF


def covered(cards: int) -> list[int]:
    """``[gold, silver, bronze]``."""
    return [cards & 0xFF, cards >> 8 & 0xFF, cards >> 16 & 0xFF]


def value(cards: int) -> int:
    """Their points, thieves without a stolen card."""
    return sum([VALUES[kind] * count(cards, kind) for kind in range(5)])


def kind_at(cards: int, index: int) -> int:
    """The kind of the card that lies at ``index`` when all lie in canonical order."""
    for kind in range(5):
        index -= cards >> 8 * kind & 0xFF
        if index < 0:
            return kind
    raise IndexError(f"there are only {total(cards)} cards")
