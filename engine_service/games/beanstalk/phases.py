"""What a position of beanstalk waits for.

The phases, with the states of the rules' table that they stand for::

    SUPPORT (7)     chance: the support cards, at set-up and after every fifth turn
    COMMIT (1)      all players choose a card, sealed
    NPC (1)         chance: the NPC's card
    THEFT (4)       chance: what an armed thief takes
    DRAW (5, 6)     a player at the castle chooses a deck
    TREASURE (5, 6) chance: the card from that deck
    OVER

States 2 and 3 decide themselves, and so does most of 5 and 6.
"""

from typing import Final

SUPPORT: Final = 0
COMMIT: Final = 1
NPC: Final = 2
THEFT: Final = 3
DRAW: Final = 4
TREASURE: Final = 5
OVER: Final = 6
PHASES: Final = ("support", "commit", "npc", "theft", "draw", "treasure", "over")

TURNS_A_ROUND: Final = 5
"""After so many turns the hands are empty and all take their cards back."""
