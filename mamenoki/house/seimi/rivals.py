"""What the others may declare, and which token a number brings."""

from collections.abc import Sequence
from functools import lru_cache
from math import exp

from mamenoki.house.seimi.scene import PARENTS, Row, Scene

UNKNOWN_CARD = 0.17
"""How much a card that nobody has seen adds to its owner's number, about."""

KNOWN_CARD = 0.6
"""The same for a card of an ability that counts."""

KNOWN_PARENTS = 0.5


def strength(rows: Sequence[Row], mask: int) -> int:
    """What rows count against a monster."""
    return sum([size for ability, size, _ in rows if ability >= 0 and mask >> ability & 1])


class Rivals:
    """The others at one fight: sure numbers of those who are done, likely ones of those to come."""

    def __init__(self, scene: Scene, mask: int, known: Sequence[Sequence[int]]) -> None:
        self._tokens = scene.line[scene.monster]
        self._others: list[tuple[int, float, bool]] = []
        for other in range(scene.seats):
            if other != scene.seat:
                sure = strength(scene.rows[other], mask)
                more = _more(known[other], scene.hands[other], mask) if other in scene.to_come else 0.0
                wins_ties = scene.distance(other) < scene.distance(scene.seat)
                self._others.append((sure, more, wins_ties))

    def expected(self, number: int) -> float:
        """The token that a number brings, on average."""
        if number <= 0:
            return 0.0
        ahead = [1.0] + [0.0] * len(self._others)  # how many are ahead, as likelihoods
        for place, (sure, more, wins_ties) in enumerate(self._others, start=1):
            beaten = at_least(round(more * 8), number - sure + (not wins_ties))
            for count in range(place, 0, -1):
                ahead[count] = ahead[count] * (1 - beaten) + ahead[count - 1] * beaten
            ahead[0] *= 1 - beaten
        return sum([chance * value for chance, value in zip(ahead, self._tokens, strict=False)])


def _more(known: Sequence[int], size: int, mask: int) -> float:
    useful = sum([known[card] for card in range(PARENTS) if mask >> card % 4 & 1])
    unseen = max(0, size - sum(known))
    return KNOWN_CARD * useful + KNOWN_PARENTS * known[PARENTS] + UNKNOWN_CARD * unseen


@lru_cache(maxsize=10_000)
def at_least(eighths: int, number: int) -> float:
    """The chance of at least ``number`` where so many eighths are expected (Poisson)."""
    if number <= 0:
        return 1.0
    mean = eighths / 8
    chance, below = exp(-mean), 0.0
    for count in range(number):
        below += chance
        chance *= mean / (count + 1)
    return max(0.0, 1.0 - below)
