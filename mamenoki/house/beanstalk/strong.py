"""A player of mixed strategies: the hands are open, so a turn is a game of its own to be solved."""

import random
from typing import Any

from mamenoki.house.beanstalk.memory import Memory
from mamenoki.house.beanstalk.outlook import Visits
from mamenoki.house.beanstalk.settings import check_whole
from mamenoki.house.beanstalk.turn import Scene
from mamenoki.sdk import Bot, Decision, Seat


class StrongBot(Bot):
    """Lets all players of a turn learn by regret, against each other, what to play; plays their mixture.

    ``rounds`` is how often they try, ``haste`` how many steps behind make an e-th of the chances.
    """

    def __init__(self, rounds: int = 80, haste: int = 12) -> None:
        super().__init__(rounds=rounds, haste=haste)
        check_whole(rounds=(rounds, 1, 1_000), haste=(haste, 1, 100))
        self._rounds, self._haste = rounds, haste
        self._seat = 0
        self._config: dict[str, Any] = {}
        self._dice = random.Random(0)
        self._memory: Memory

    def start(self, seat: Seat) -> None:
        self._seat, self._config = seat.seat, seat.config
        self._dice = random.Random(seat.seed)
        self._memory = Memory(seat.seat, len(seat.players), seat.config)

    def choose(self, decision: Decision) -> str:
        self._memory.add(decision.sightings)
        legal, view = decision.legal, decision.view
        if len(legal) == 1:
            return legal[0]
        if view["state"] == "draw":
            return self._draw(legal, view["points"][self._seat])
        scene = Scene(view, self._config, self._memory, self._haste)
        card = Learning(scene, self._dice).card(self._seat, self._rounds)
        return f"play {card}"

    def _draw(self, legal: list[str], points: int) -> str:
        visits = Visits(self._memory.unseen, self._config["win_points"])
        return min(legal, key=lambda text: visits.after(text.removeprefix("draw "), points))


class Learning:
    """Regret matching: everybody plays cards as often as they are missed, the NPC any."""

    def __init__(self, scene: Scene, dice: random.Random) -> None:
        self._scene, self._random = scene, dice.random
        self._hands = scene.hands
        self._regrets = [[0.0] * len(hand) for hand in scene.hands]

    def card(self, seat: int, rounds: int) -> int:
        """A card of the seat's from the average of all rounds, later ones counting more."""
        weights = [0.0] * len(self._hands[seat])
        for lesson in range(rounds):
            mixes = [mix(regrets) for regrets in self._regrets]
            for place, weight in enumerate(mixes[seat]):
                weights[place] += (lesson + 1) * weight
            self._learn([self._pick(hand, mixed) for hand, mixed in zip(self._hands, mixes, strict=True)])
        whole = sum(weights)
        return self._pick(self._hands[seat], [weight / whole for weight in weights])

    def _pick(self, hand: list[int], weights: list[float]) -> int:
        """A card, as likely as its weight says; the weights make 1."""
        luck = self._random()
        for card, weight in zip(hand, weights, strict=True):
            luck -= weight
            if luck < 0:
                return card
        return hand[-1]

    def _learn(self, played: list[int]) -> None:
        worth = self._scene.worth
        got = worth(played)
        for seat in range(self._scene.seats):
            mine, mine_worth = played[seat], got[seat]
            regrets = self._regrets[seat]
            for place, card in enumerate(self._hands[seat]):
                if card != mine:
                    played[seat] = card
                    regrets[place] += worth(played)[seat] - mine_worth
            played[seat] = mine


def mix(regrets: list[float]) -> list[float]:
    """Each as likely as it is regretted; all alike where nothing is."""
    missed = [regret if regret > 0.0 else 0.0 for regret in regrets]
    whole = sum(missed)
    return [regret / whole for regret in missed] if whole else [1 / len(missed)] * len(missed)
