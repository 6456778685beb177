"""What beanstalk waits for: one object for each turn of a seat and each kind of chance, made once."""

from typing import Final

from engine_service.core.game import Chance, Turn
from engine_service.games.beanstalk.treasures import DECKS, MOST_OF_A_KIND

MOST_SEATS: Final = 4
MOST_CARDS: Final = 5 * MOST_OF_A_KIND

COMMITS: Final = [Turn(list(range(seats))) for seats in range(MOST_SEATS + 1)]
"""By the number of seats: all of them at once."""

CHOICES: Final = [Turn([seat]) for seat in range(MOST_SEATS)]
SUPPORTS: Final = Chance("support", [5, 4, 3, 2, 1])
NPC_CARDS: Final = [Chance("npc", [cards]) for cards in range(6)]
THEFTS: Final = [Chance("theft", [cards]) for cards in range(2 * MOST_CARDS + 1)]
TREASURES: Final = [[Chance(deck, [cards]) for cards in range(MOST_CARDS + 1)] for deck in DECKS]
