"""A legal move at random: the floor that every other bot should beat, for any game."""

import random

from mamenoki.sdk import Bot, Decision, Seat


class RandomBot(Bot):
    """Every legal move is equally likely, from the seat's own seed."""

    def __init__(self) -> None:
        super().__init__()
        self._dice = random.Random(0)

    def start(self, seat: Seat) -> None:
        self._dice = random.Random(seat.seed)

    def choose(self, decision: Decision) -> str:
        return decision.legal[self._dice.randrange(len(decision.legal))]
