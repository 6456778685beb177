"""What a position of mushi waits for, and what the player aims at.

The phases, with the states of the rules' table that they stand for::

    FIRST, DEAL     chance: the start seat; the hub's first cards
    TARGET (1)      the player chooses the hub or the catch of the seat before
    KEEP (2, 9, 11) that seat splits what it collects
    REFILL (3)      chance: cards from the deck to the hub
    BOOST (5)       the player moves cards from the yard to the target
    DICE (6, 10)    the player chooses dice to reroll, or stops after a success
    ROLL (7)        chance: the chosen dice
    CONSOLATION (9) chance: cards from the deck to the yard after a bust
    OVER

States 4 and 8 decide themselves.
"""

from typing import Final

FIRST: Final = 0
DEAL: Final = 1
TARGET: Final = 2
KEEP: Final = 3
REFILL: Final = 4
BOOST: Final = 5
DICE: Final = 6
ROLL: Final = 7
CONSOLATION: Final = 8
OVER: Final = 9
PHASES: Final = ("first", "deal", "target", "keep", "refill", "boost", "dice", "roll", "consolation", "over")

NOTHING: Final = 0
HUB_CARDS: Final = 1
CAUGHT: Final = 2
TARGETS: Final = (None, "hub", "catch")
