"""The faces as small ints, as the programs reckon with them: 0 to 8 are the numbers 1 to 9."""

FACES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "=", "x2", "0", "miss")
KINDS = len(FACES)
NUMBERS = 9
EQUALS, TIMES_TWO, ZERO, MISS = 9, 10, 11, 12
FACE = {text: face for face, text in enumerate(FACES)}


def slot_of(text: str) -> int:
    """The slot of ``flip 17``."""
    return int(text.rpartition(" ")[2])
