"""A position that fits what a seat knows.

The view shows everything but the others' face-down treasures and what is left in the decks.
Of those a seat knows from which deck each was drawn, who took one from whom, which it has
seen itself, and that nobody who stood on the ground without winning had enough points.
"""

from collections.abc import Callable, Sequence

from engine_service.core.game import Chance, Over, Turn, View
from engine_service.games.beanstalk.config import Rules
from engine_service.games.beanstalk.draws import CHOICES, COMMITS, NPC_CARDS, SUPPORTS, THEFTS, TREASURES
from engine_service.games.beanstalk.facts import UNKNOWN, Fact, Reader
from engine_service.games.beanstalk.moves import BITS
from engine_service.games.beanstalk.phases import COMMIT, DRAW, NPC, OVER, PHASES, SUPPORT, THEFT, TREASURE
from engine_service.games.beanstalk.position import Position
from engine_service.games.beanstalk.treasures import COVERED, DECKS, UNITS, VALUES, kind_at, total
from engine_service.games.beanstalk.treasures import THIEF as A_THIEF
from engine_service.games.beanstalk.views import show

TRIES = 400
STEPS_A_TRY = 400


def imagine(
    rules: Rules, seats: int, view: View, sightings: Sequence[View], draw: Callable[[int], int]
) -> Position:
    """See :meth:`engine_service.core.game.Game.imagine`. ValueError if view and sightings
    contradict each other, as they do where sightings are missing."""
    position = Position(rules, seats)
    position.set_up()
    _restore(position, view)
    facts = Reader(rules, seats).read(sightings)
    if position.phase == OVER:  # the last that stood on the ground had enough; and all cards lie open
        facts = [fact for fact in facts if fact.deck >= 0 or fact.victim >= 0]
    if not any(Dealing(position, facts, draw).deal(position, view) for _ in range(TRIES)):
        raise ValueError("the sightings do not lead to what the view shows")
    return position


def _restore(position: Position, view: View) -> None:
    """All that the view shows, but for cards drawn."""
    position.phase = PHASES.index(view["state"])
    position.turn = view["turn"]
    position.support = view["support"][:]
    position.hands = [sum([BITS[card] for card in hand]) for hand in view["hands"]]
    position.cards = view["cards"][:]
    position.batted = sum([BITS[one] for one in view["batted"]])
    position.squares = view["squares"][:]
    position.falling = sum([BITS[one] for one, way in enumerate(view["directions"]) if way == "down"])
    position.armed = sum([number << 8 * one for one, number in enumerate(view["armed"])])
    position.fresh = sum([number << 8 * one for one, number in enumerate(view["fresh"])])
    position.storm = -1 if view["storm"] is None else view["storm"]
    position.brewing = -1 if view["brewing"] is None else view["brewing"]
    position.drawer = -1 if view["drawer"] is None else view["drawer"]
    position.drawers = view["drawers"][:]
    position.deck = DECKS.index(view["deck"] or DECKS[0])
    position.steps = view["steps"]
    position.end = view["end"] or ""
    position.ranks = (view["ranks"] or [])[:]
    _restore_movers(position)


def _restore_movers(position: Position) -> None:
    movers = [-1, -1, -1, -1, -1, -1]
    for participant, card in enumerate(position.cards):
        if not position.batted >> participant & 1:
            movers[card] = participant
    position.movers = movers
    drawer = position.drawer
    if drawer >= 0 and not position.batted >> drawer & 1:
        position.slot = position.support.index(position.cards[drawer]) + 1


def _pending(position: Position) -> Turn | Chance | Over:
    phase = position.phase
    if phase == COMMIT:
        return COMMITS[position.seats]
    if phase == DRAW:
        return CHOICES[position.drawer]
    if phase == NPC:
        return NPC_CARDS[len(position.members(position.hands[position.seats] >> 1))]
    if phase == THEFT:
        return THEFTS[position.pool_size(position.thief())]
    if phase == TREASURE:
        return TREASURES[position.deck][total(position.decks[position.deck])]
    return SUPPORTS if phase == SUPPORT else Over(position.end, position.scores(), position.ranks[:])


class Dealing:
    """One try to find who holds what: a walk through the facts that steps back where one cannot be.

    A try that has lost its way among too many possibilities is given up for another.
    """

    def __init__(self, position: Position, facts: list[Fact], draw: Callable[[int], int]) -> None:
        rules = position.rules
        self.win_points = rules.win_points
        self.facts = facts
        self.draw = draw
        self.steps = STEPS_A_TRY
        self.held = [0] * position.participants
        self.loot = [0] * position.participants
        self.points = [0] * position.participants
        self.decks = [rules.stable, rules.gamble]

    def deal(self, position: Position, view: View) -> bool:
        """Whether the try gives what the view shows; then the position has it."""
        if not self._go(0):
            return False
        position.held, position.loot = self.held, self.loot
        position.points, position.decks = self.points, self.decks
        position.waiting = _pending(position)
        return show(position, view["seat"]) == view

    def _go(self, index: int) -> bool:
        if index == len(self.facts):
            return True
        fact = self.facts[index]
        if fact.deck < 0 and fact.victim < 0:
            return self.points[fact.who] < self.win_points and self._go(index + 1)
        for kind in self._kinds(fact):
            self.steps -= 1
            self._shift(fact, kind, 1)
            if self._go(index + 1):
                return True
            self._shift(fact, kind, -1)
            if self.steps < 0:
                return False
        return False

    def _kinds(self, fact: Fact) -> list[int]:
        """What the card may be; the first of a kind unknown is drawn from all there are, and so on."""
        there = self.decks[fact.deck] if fact.deck >= 0 else self.held[fact.victim]
        if fact.kind != UNKNOWN:
            return [fact.kind] if there >> 8 * fact.kind & 0xFF else []
        there &= COVERED
        kinds: list[int] = []
        while there:
            kind = kind_at(there, self.draw(total(there)))
            kinds.append(kind)
            there &= ~(0xFF << 8 * kind)
        return kinds

    def _shift(self, fact: Fact, kind: int, way: int) -> None:
        """Let the fact happen (``way`` 1), or take it back (-1)."""
        who, unit, value = fact.who, way * UNITS[kind], way * VALUES[kind]
        self.points[who] += value
        if fact.deck >= 0:
            self.decks[fact.deck] -= unit
            self.held[who] += unit
        else:
            self.held[fact.victim] -= unit
            self.loot[who] += unit
            self.points[fact.victim] -= value
            self.points[who] -= way * VALUES[A_THIEF]
