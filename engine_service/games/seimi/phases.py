"""What a position of seimi waits for.

The phases, with the states of the rules' table that they stand for::

    FIRST, ROADS, TOKENS, DEAL  chance: the start seat, the six roads, the tokens, the first cards
    ACQUIRE (2)                 a player takes a card, or puts one into the field first
    TAKE (2)                    the player who has put a card takes two, one after the other
    DRAW (2)                    chance: the card taken from the deck
    REFILL (2)                  chance: the field is filled up (setting ``field_refill``)
    DEPLOY (4)                  a player lays cards down, one action at a time
    OVER

States 1, 3 and 5 to 8 decide themselves.
"""

from typing import Final

FIRST: Final = 0
ROADS: Final = 1
TOKENS: Final = 2
DEAL: Final = 3
ACQUIRE: Final = 4
TAKE: Final = 5
DRAW: Final = 6
REFILL: Final = 7
DEPLOY: Final = 8
OVER: Final = 9
PHASES: Final = (
    "first",
    "roads",
    "tokens",
    "deal",
    "acquire",
    "take",
    "draw",
    "refill",
    "deploy",
    "over",
)
DECIDING: Final = (ACQUIRE, TAKE, DEPLOY)
"""In these somebody owes a decision; in the others chance does, or nobody."""
