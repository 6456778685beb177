"""What the end of a turn is worth, in bugs on the heap: own ones, less a share of the others'.

The constants were fitted to positions of this player's own games: what a turn at a hub
of a given size brings, and how much of a catch of a given size the next player takes.
"""

from dataclasses import dataclass
from math import exp

from mamenoki.house.mushi.odds import total
from mamenoki.house.mushi.scene import Scene

HUB_BASE, HUB_CARD, HUB_BAR = 0.75, 0.26, 0.155
"""A turn at the hub: so much, for each card in it, less for each bar that is showing."""

TAKEN_BASE, TAKEN_CARD = -0.3, 0.4
"""How many cards a catch loses to a player who goes after it."""

LIKELY_BARS = 1.5
"""Bars on the dice after a roll that was too much."""

TURN_CARDS = 2.7
"""How many cards a turn draws from the deck, about."""

TEMPER = 0.6
"""How far two choices lie apart before the better one is nearly sure, in cards."""

RISK_AGAIN = 0.5
"""The chance that one more roll after a poor one brings four bugs; else it is too much."""


@dataclass(frozen=True, slots=True)
class Taste:
    """``yard``: what a yard card is worth while there are turns to use it; ``rivalry``: what another's
    bug costs, shared among the others; ``wary``: whether it thinks of the next player at all."""

    yard: float
    rivalry: float
    wary: bool


class Outlook:
    """The worth of turn ends, seen by the player whose turn it is."""

    def __init__(self, scene: Scene, taste: Taste) -> None:
        self._scene = scene
        self._wary = taste.wary
        self._known: dict[tuple[int, int, bool], list[tuple[float, float]]] = {}
        self._share = taste.rivalry / (scene.seats - 1)
        turns_left = scene.deck / (TURN_CARDS * scene.seats)
        self.yard_card = taste.yard * min(1.0, turns_left / 3)

    def stop(self, caught: int, hub: int, bars: int, on_catch: bool) -> float:
        """Stopping with that many cards, the hub and the dice left as they are."""
        denied = self._share * caught if on_catch else 0.0
        if not self._wary:
            return caught + denied
        next_turn = self.next_turn(hub, bars)
        taken = max(0.0, TAKEN_BASE + TAKEN_CARD * caught)
        chased = _sure(taken * (1 + self._share) - next_turn) if taken else 0.0
        lost = chased * taken * (1 + self._share) + (1 - chased) * self._share * next_turn
        return caught + denied - lost

    def bust(self, hub: int, boosted: int, consolation: int, on_catch: bool) -> float:
        """A roll that was too much; ``hub`` as it is then, ``boosted`` the cards that went to a catch."""
        given = self._share * boosted if on_catch else 0.0
        after = self._share * self.next_turn(hub, LIKELY_BARS) if self._wary else 0.0
        return self.yard_card * consolation - given - after

    def rolls(self, caught: int, hub: int, bust: float, on_catch: bool) -> list[float]:
        """The worth of a roll that was not too much and shows 0, 1, … bugs, with ``hub`` before it."""
        stops = self._stops(caught, hub, on_catch)
        poor = (1 - RISK_AGAIN) * bust
        return [max(stop, poor + again) for stop, again in stops]

    def _stops(self, caught: int, hub: int, on_catch: bool) -> list[tuple[float, float]]:
        """For each number of bugs, stopping with them; and with four more, as likely as that is."""
        key = (caught, hub, on_catch)
        if key not in self._known:
            dice = self._scene.config["dice"]
            stops = [
                self.stop(caught + bugs, hub if on_catch else hub - bugs, dice - bugs, on_catch)
                for bugs in range(dice + 1)
            ]
            self._known[key] = [
                (stop, RISK_AGAIN * stops[min(dice, bugs + 4)]) for bugs, stop in enumerate(stops)
            ]
        return self._known[key]

    def next_turn(self, hub: int, bars: float) -> float:
        """What the next player's turn at the hub brings, the refill included."""
        config = self._scene.config
        size = min(max(hub + bars * config["refill_per_bar"], config["hub_floor"]), hub + self._scene.deck)
        if size + total(self._scene.yards[self._scene.after]) < config["hub_floor"]:
            return 0.0
        return max(0.0, HUB_BASE + HUB_CARD * size - HUB_BAR * bars)


def _sure(lead: float) -> float:
    """The chance that a choice is taken which is better by so many cards."""
    return 1 / (1 + exp(-lead / TEMPER))
