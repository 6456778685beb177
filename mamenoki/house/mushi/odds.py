"""Odds of one roll, exact, from tables.

Whether a roll is too much for a group depends on the room that the group leaves in each
colour once the kept dice are counted. A *group* or *room* is four small counts packed
into one int, a byte a colour, R lowest; counts above ``CAP`` are cut, for no roll needs
more.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import factorial
from typing import NamedTuple

LETTERS = "RYGB"
CAP = 31
GUARD = 0x80808080


class Reroll(NamedTuple):
    """One way to roll: the dice kept (packed), how many of them are bugs, how many are rolled."""

    kept: int
    bugs: int
    rolled: int
    text: str


def pack(counts: Sequence[int]) -> int:
    """From ``[R, Y, G, B]``; a fifth count, the bars, is left out."""
    red, yellow, green, blue = counts[:4]
    return min(red, CAP) + (min(yellow, CAP) << 8) + (min(green, CAP) << 16) + (min(blue, CAP) << 24)


def total(group: int) -> int:
    return group % 255


def room(group: int, kept: int) -> int:
    """What the group leaves beside the kept dice; -1 if they are too much already."""
    left = (group | GUARD) - kept
    return left - GUARD if left & GUARD == GUARD else -1


def add_evenly(group: int, cards: int) -> int:
    """The group with so many cards more, every colour as likely, the odd ones to the thinnest."""
    each, odd = divmod(cards, 4)
    thinnest = sorted(range(4), key=lambda colour: group >> 8 * colour & 0xFF)
    return group + pack([each] * 4) + sum(1 << 8 * colour for colour in thinnest[:odd])


@lru_cache(maxsize=200_000)
def odds(left: int, rolled: int) -> tuple[float, ...]:
    """The chance of each number of bugs when so many dice fall into that room (:func:`room`).

    Only what is not too much counts, so the sum is the chance to be safe.
    """
    rooms = sorted(min(left >> 8 * colour & 0xFF, rolled) for colour in range(4))
    return _odds(tuple(rooms), rolled)


@lru_cache(maxsize=20_000)
def _odds(rooms: tuple[int, ...], rolled: int) -> tuple[float, ...]:
    """A colour's part in the generating function is the sum of (x/6)^n / n! up to its room."""
    sums = [1.0]
    for most in rooms:
        sums = _times(sums, [6.0**-count / factorial(count) for count in range(most + 1)], rolled)
    return tuple(
        chance * 3.0 ** (bugs - rolled) / factorial(rolled - bugs) * factorial(rolled)
        for bugs, chance in enumerate(sums)
    )


def _times(one: list[float], other: list[float], degree: int) -> list[float]:
    """The product of two polynomials, up to that degree."""
    product = [0.0] * min(len(one) + len(other) - 1, degree + 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other[: len(product) - i]):
            product[i + j] += a * b
    return product


@lru_cache(maxsize=20_000)
def rerolls(dice: tuple[int, ...], least: int) -> tuple[Reroll, ...]:
    """Every way to reroll at least ``least`` of the dice, given as (R, Y, G, B, bars)."""
    found = []
    for chosen in _parts(dice):
        if sum(chosen) >= least:
            kept = [have - gone for have, gone in zip(dice, chosen, strict=True)]
            letters = "".join(face * n for face, n in zip("RYGB=", chosen, strict=True))
            found.append(Reroll(pack(kept), sum(kept[:4]), sum(chosen), f"roll {letters}"))
    return tuple(found)


@lru_cache(maxsize=20_000)
def parts(group: int) -> tuple[int, ...]:
    """Every packed multiset that is contained in ``group``."""
    return tuple(pack(part) for part in _parts(tuple(group >> 8 * colour & 0xFF for colour in range(4))))


def _parts(counts: tuple[int, ...]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for count in counts:
        found = [(*part, n) for part in found for n in range(count + 1)]
    return found
