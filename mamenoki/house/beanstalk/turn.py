"""What a turn brings, for every way the cards may fall.

The rules as far as they matter for that: a treasure is worth the visits it saves on average,
a theft the average of what may be stolen.
"""

from typing import Any

from mamenoki.house.beanstalk.memory import Memory
from mamenoki.house.beanstalk.outlook import Visits, shares, way

AMOUNTS = [[card + 2 for card in range(6)], [card + 1 for card in range(6)], [*range(6)], [2] * 6, [1] * 6]
"""How far a card goes, by support slot and number."""

SURE = 0.5
"""Who needs fewer treasures than this, as far as is known, is taken to have enough."""


class Scene:
    """A position before the cards are played, as one seat knows it."""

    def __init__(self, view: dict[str, Any], config: dict[str, Any], memory: Memory, haste: float) -> None:
        self.n: int = config["n"]
        self.ground_stop: bool = config["ground_stop"]
        self.batted_wins: bool = config["batted_return_wins"]
        self.haste = haste
        self.hands: list[list[int]] = view["hands"]
        self.seats = len(view["decides"])
        self.support: list[int] = view["support"]
        self.squares: list[int] = view["squares"]
        self.falls = [direction == "down" for direction in view["directions"]]
        self.storm = view["storm"] is not None
        self.armed: list[int] = view["armed"] if any(view["armed"]) else []
        self.covered: list[int] = view["covered"]
        self.points = memory.points(view)
        self.visits = Visits(memory.unseen, config["win_points"])
        self.needed = [self.visits.needed(points) for points in self.points]
        self._known: dict[int, list[float]] = {}

    def worth(self, cards: list[int]) -> list[float]:
        """Each seat's share of the win when everybody (the NPC last) has played these cards."""
        key = 0
        for card in cards:
            key = 6 * key + card
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Course(self, cards).run()
        return known


class Course:
    """One turn, run through to its end."""

    def __init__(self, scene: Scene, cards: list[int]) -> None:
        self._scene, self._cards = scene, cards
        self.squares = scene.squares[:]
        self.falls = scene.falls[:]
        self._needed = scene.needed[:]

    def run(self) -> list[float]:
        scene, cards = self._scene, self._cards
        if scene.armed or scene.storm:
            self._strike([cards.count(card) > 1 for card in cards])
        for slot, number in enumerate(scene.support):
            if cards.count(number) == 1:
                winners = self._move(cards.index(number), AMOUNTS[slot][number])
                if winners:
                    return [1 / len(winners) if seat in winners else 0.0 for seat in range(scene.seats)]
        return self._shares()

    def _strike(self, batted: list[bool]) -> None:
        if self._scene.armed:
            self._steal(batted)
        if self._scene.storm:
            self._blow(batted)

    def _shares(self) -> list[float]:
        n, seats = self._scene.n, self._scene.seats
        ways = [way(self.squares[one], self.falls[one], self._needed[one], n) for one in range(seats)]
        return shares(ways, self._scene.haste)

    def _steal(self, batted: list[bool]) -> None:
        """Each thief takes an average card; who has lost or won something needs as much more or less."""
        scene, cards = self._scene, self._cards
        points = scene.points[:]
        for owner, armed in enumerate(scene.armed):
            if not armed or not batted[owner]:
                continue
            group = [one for one, card in enumerate(cards) if card == cards[owner] and one != owner]
            pool = sum(scene.covered[one] for one in group)
            if not pool:
                continue
            for one in group:
                value = scene.covered[one] and points[one] / pool
                points[one] -= value
                points[owner] += value
            points[owner] -= 1
        self._needed = [scene.visits.needed(max(0.0, one)) for one in points]

    def _blow(self, batted: list[bool]) -> None:
        for one, carried in enumerate(batted):
            if carried:
                if not self.falls[one]:
                    self._visit(one)
                self.squares[one] = self._scene.n

    def _visit(self, one: int) -> None:
        self.falls[one] = True
        self._needed[one] = max(0.0, self._needed[one] - 1)

    def _move(self, mover: int, steps: int) -> list[int]:
        """Move a piece; who has won by it."""
        scene, n = self._scene, self._scene.n
        square = self.squares[mover]
        if self.falls[mover]:
            to = square - steps
            if to <= 0:
                self.falls[mover] = False
                if self._has_enough(mover):
                    return [mover]
                to = 0 if scene.ground_stop else -to
        else:
            to = square + steps
            if to >= n:
                self._visit(mover)
                to = 2 * n - to
        return self._land(mover, to)

    def _land(self, mover: int, to: int) -> list[int]:
        squares = self.squares
        if to in (0, self._scene.n) or to not in squares or squares.index(to) == mover:
            squares[mover] = to
            return []
        pair = [mover, squares.index(to)]
        for one in pair:
            squares[one] = 0
            self.falls[one] = False
        return [one for one in pair if self._scene.batted_wins and self._has_enough(one)]

    def _has_enough(self, one: int) -> bool:
        return one < self._scene.seats and self._needed[one] < SURE
