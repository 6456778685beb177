"""What a position of morumori waits for.

The phases, with the states of the rules' table that they stand for::

    FIRST, LAYOUT, PEEK   chance: the start seat; all cards; the slots that everybody looks at
    FLIP (1)              the player turns up a card
    TAKE (3)              after a success: the player takes or discards one more number card
    COMPANION (3, 4)      the player chooses a card to be mixed with the turned-up x2 and 0
    SCATTER (3, 4)        chance: the mixed cards go back into their slots
    OVER

State 2 decides itself.
"""

from typing import Final

FIRST: Final = 0
LAYOUT: Final = 1
PEEK: Final = 2
FLIP: Final = 3
TAKE: Final = 4
COMPANION: Final = 5
SCATTER: Final = 6
OVER: Final = 7
PHASES: Final = ("first", "layout", "peek", "flip", "take", "companion", "scatter", "over")
