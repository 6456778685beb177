"""Minion cards as small ints, and sets of them as masks.

A card is four times its kind plus its ability; the Parents come last. So ascending ints
are the canonical order, and a sorted list of them is a pile as a replay counts it.
"""

from typing import Final

KINDS: Final = ("fly", "skeleton", "flesh", "dog")
ABILITIES: Final = ("fist", "blade", "gun", "psychic")
MINIONS: Final = 16
PARENTS: Final = 16
CARDS: Final = 17
"""How many different ones there are."""

NAMES: Final = [*[f"{kind}-{ability}" for kind in KINDS for ability in ABILITIES], "parents"]
"""The cards' texts, by card."""

CARD_OF: Final = {name: card for card, name in enumerate(NAMES)}


def names(cards: list[int]) -> list[str]:
    """The texts of cards, in their order."""
    return [NAMES[card] for card in cards]


def read(texts: list[str]) -> list[int]:
    """The inverse of :func:`names`."""
    return [CARD_OF[text] for text in texts]


def listings(first: int, width: int) -> list[list[int]]:
    """For every mask of so many bits, ``first`` plus each bit's place that is set, ascending."""
    return [[first + bit for bit in range(width) if mask >> bit & 1] for mask in range(1 << width)]
