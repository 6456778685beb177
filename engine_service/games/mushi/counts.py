"""Multisets of bug cards or die faces, packed into one int.

A byte holds how many there are of one face: R in the highest (bits 32 to 39),
then Y, G, B, and the bar ``=`` in the lowest. Adding and subtracting multisets
is adding and subtracting ints, so a position copies and compares fast. No count
ever passes 127, and no multiset holds more than 254.
"""

from typing import Final

FACES: Final = "RYGB="
COLOURS: Final = "RYGB"
SHIFTS: Final = (32, 24, 16, 8, 0)
UNITS: Final = (1 << 32, 1 << 24, 1 << 16, 1 << 8, 1)
DIE: Final = (UNITS[0], UNITS[1], UNITS[2], UNITS[3], UNITS[4], UNITS[4])
"""What each of a die's six sides shows: every colour once, the bar twice."""
SIDES: Final = ("R", "Y", "G", "B", "=", "=")
"""The same in letters."""

ONE_EACH: Final = UNITS[0] + UNITS[1] + UNITS[2] + UNITS[3]
BUGS: Final = 0xFF * ONE_EACH
GUARD: Final = 0x80 * ONE_EACH
MEMO_LIMIT: Final = 20_000
MOST_SEATS: Final = 5
MOST_CARDS: Final = 12
MOST_DICE: Final = 12


def total(counts: int) -> int:
    """How many there are altogether; 256 leaves 1 when divided by 255, so the bytes add up."""
    return counts % 255


def bars(counts: int) -> int:
    """How many dice show the bar."""
    return counts & 0xFF


def excess(dice: int, group: int) -> int:
    """One of each colour that has more dice than the group has cards; bars never do.

    The guard bit of a byte is lost where the subtraction borrows.
    """
    return (((group | GUARD) - (dice & BUGS)) & GUARD ^ GUARD) >> 7


def pack(counts: list[int]) -> int:
    """From ``[R, Y, G, B]`` or ``[R, Y, G, B, =]``."""
    packed = 0
    for unit, count in zip(UNITS, counts, strict=False):
        packed += unit * count
    return packed


class Counts(dict[int, tuple[int, ...]]):
    """A memo, bounded in size: look a multiset up to have its counts in the order R, Y, G, B, =."""

    def __init__(self, places: int) -> None:
        super().__init__()
        self.shifts = SHIFTS[:places]

    def __missing__(self, counts: int) -> tuple[int, ...]:
        if len(self) >= MEMO_LIMIT:
            self.clear()
        found = self[counts] = tuple([counts >> shift & 0xFF for shift in self.shifts])
        return found


CARDS: Final = Counts(4)
"""Cards as (R, Y, G, B)."""

DICE: Final = Counts(5)
"""Dice as (R, Y, G, B, =)."""


def card_at(counts: int, index: int) -> int:
    """The unit of the card that lies at ``index`` when all lie in the order R, Y, G, B."""
    for shift in SHIFTS:
        index -= counts >> shift & 0xFF
        if index < 0:
            return 1 << shift
    raise IndexError(f"there are only {total(counts)} cards")


class Texts(dict[int, str]):
    """A memo, bounded in size: look a multiset up to have its text."""

    def __missing__(self, counts: int) -> str:
        if len(self) >= MEMO_LIMIT:
            self.clear()
        letters = [FACES[place] * (counts >> SHIFTS[place] & 0xFF) for place in range(5)]
        text = self[counts] = "".join(letters) or "-"
        return text


TEXTS: Final = Texts()
"""The letters in the order ``R Y G B =``; ``-`` for the empty multiset."""


def read(letters: str) -> int:
    """The inverse of :data:`TEXTS` for a multiset of at most 254 letters; -1 for any other text."""
    if len(letters) > 254:
        return -1
    counts = 0
    for letter, unit in zip(FACES, UNITS, strict=True):
        counts += letters.count(letter) * unit
    return counts if TEXTS[counts] == letters else -1


def parts(whole: int) -> list[int]:
    """Every multiset that is contained in ``whole``, the empty one and itself included."""
    found = [0]
    for shift in SHIFTS:
        unit = 1 << shift
        steps = range(0, (whole >> shift & 0xFF) * unit + 1, unit)
        found = [part + step for part in found for step in steps]
    return found
