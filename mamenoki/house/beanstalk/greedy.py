"""A sensible player with habits: it wants to get on, and shuns the cards that others may play too."""

import random
from typing import Any

from mamenoki.house.beanstalk.settings import check_whole
from mamenoki.house.beanstalk.turn import AMOUNTS
from mamenoki.sdk import Bot, Decision, Seat

DECKS = ("stable", "gamble")


class GreedyBot(Bot):
    """Plays a card the more likely, the farther it goes.

    ``zeal`` is how much: a card that goes twice as far is 2 to the ``zeal`` times as likely.
    ``shy``: whether it counts on how likely nobody else plays the same. ``deck`` is the one
    that it draws from, while there are cards.
    """

    def __init__(self, zeal: int = 2, shy: bool = True, deck: str = "stable") -> None:
        super().__init__(zeal=zeal, shy=shy, deck=deck)
        check_whole(zeal=(zeal, 0, 20))
        if type(shy) is not bool:
            raise ValueError(f"shy is {shy!r}; it must be true or false")
        if deck not in DECKS:
            raise ValueError(f"deck is {deck!r}; it must be one of {', '.join(DECKS)}")
        self._zeal, self._shy, self._deck = zeal, shy, deck
        self._seat = 0
        self._dice = random.Random(0)

    def start(self, seat: Seat) -> None:
        self._seat = seat.seat
        self._dice = random.Random(seat.seed)

    def choose(self, decision: Decision) -> str:
        legal, view = decision.legal, decision.view
        if view["state"] == "draw":
            wanted = f"draw {self._deck}"
            return wanted if wanted in legal else legal[0]
        return self._dice.choices(legal, [self._appeal(view, int(text[-1])) for text in legal])[0]

    def _appeal(self, view: dict[str, Any], card: int) -> float:
        steps = AMOUNTS[view["support"].index(card)][card]
        alone = 1.0
        for one, hand in enumerate(view["hands"]):
            if self._shy and one != self._seat and card in hand:
                alone *= 1 - 1 / (len(hand) + 1)
        return float((steps * alone) ** self._zeal)
