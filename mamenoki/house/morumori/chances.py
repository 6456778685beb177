"""How likely a turn ends in success from each total, if cards are turned up as well as can be."""

from collections.abc import Sequence

from mamenoki.house.morumori.cards import EQUALS, NUMBERS, TIMES_TWO, ZERO

RESTART = 0.3
"""What a sum of 0 is worth after a card that brings it back there; about what a turn is worth at first."""


class Chances:
    """For a target, with ``reached`` the totals from which known cards lead there for sure, the
    ``shares`` of faces in each pool, and the known number faces.

    A card that was turned up is reckoned with as if it still lay there: turns are short.
    """

    def __init__(self, target: int, reached: Sequence[bool], shares: Sequence[Sequence[float]]) -> None:
        self._target = target
        self._ahead = [1.0] * (target + 1)
        for total in range(target - 1, -1, -1):
            if not reached[total]:
                self._ahead[total] = max([self.unknown(total, share) for share in shares], default=0.0)

    def known(self, total: int, face: int) -> float:
        """The chance with a number card of that face next."""
        after = total + face + 1
        return self._ahead[after] if after <= self._target else 0.0

    def unknown(self, total: int, share: Sequence[float]) -> float:
        """The chance with a card next that has each face with that chance."""
        ahead = self._ahead[total + 1 : total + 1 + NUMBERS]
        chance = share[EQUALS]
        for face, after in enumerate(ahead):
            chance += share[face] * after
        if total == 0:
            return chance + (share[ZERO] + share[TIMES_TWO]) * RESTART
        doubled = self._ahead[2 * total] if 2 * total <= self._target else 0.0
        return chance + share[ZERO] * RESTART + share[TIMES_TWO] * doubled
