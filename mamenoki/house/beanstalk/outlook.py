"""How far everybody is from winning, in steps, and what share of the win that makes."""

from collections.abc import Mapping
from math import exp

from mamenoki.house.beanstalk.memory import VALUES

NEVER = 16.0
"""So many treasures are as good as more than there are."""


class Visits:
    """How many more treasures it takes on average to have enough, by points.

    Each is drawn from the deck that brings the sum on fastest, as if the decks' mixes stayed the same.
    """

    def __init__(self, decks: Mapping[str, Mapping[str, int]], enough: int) -> None:
        self.enough = enough
        self._mixes = {deck: list(cards.items()) for deck, cards in decks.items() if sum(cards.values()) > 0}
        self._needed = [NEVER] * enough + [0.0]
        for points in range(enough - 1, -1, -1):
            options = [self.after(deck, points) for deck in self._mixes]
            self._needed[points] = min([1.0 + after for after in options], default=NEVER)

    def needed(self, points: float) -> float:
        """Between whole points, as far as in between."""
        if points >= self.enough:
            return 0.0
        low = int(points)
        part = points - low
        return self._needed[low] * (1 - part) + self._needed[low + 1] * part

    def after(self, deck: str, points: int) -> float:
        """How many more it takes after a card from that deck."""
        cards = self._mixes[deck]
        number = sum(count for _, count in cards)
        return sum(count * self._sure(points + VALUES[kind]) for kind, count in cards) / number

    def _sure(self, points: int) -> float:
        return self._needed[min(points, self.enough)]


def way(square: int, falls: bool, visits: float, n: int) -> float:
    """Steps to the win: so many treasures are missing, a lap for each, and then down."""
    if falls:
        return square + 2 * n * visits
    return 2 * n * max(visits, 1.0) - square


def shares(ways: list[float], haste: float) -> list[float]:
    """Of the win, by how far everybody has to go; ``haste`` steps behind count an e-th."""
    nearest = min(ways)
    weights = [exp((nearest - one) / haste) for one in ways]
    whole = sum(weights)
    return [weight / whole for weight in weights]
