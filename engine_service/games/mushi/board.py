"""What lies on the table, and what follows from it without a move.

The deck is known by its mix alone: what has been shuffled and never looked at
has no order until it is drawn.
"""

from engine_service.core.game import Chance, Over, State, Turn
from engine_service.games.mushi.choices import (
    BOOSTS,
    HUB_OR_CATCH,
    NOTHING_TO_CHOOSE,
    ONLY_HUB,
    ONLY_STOP,
    Dice,
    Options,
    keeps,
)
from engine_service.games.mushi.config import Rules
from engine_service.games.mushi.counts import ONE_EACH, bars, total
from engine_service.games.mushi.draws import FALLS, FIRSTS, TURNS, deal
from engine_service.games.mushi.phases import (
    BOOST,
    CONSOLATION,
    DEAL,
    DICE,
    FIRST,
    NOTHING,
    OVER,
    ROLL,
    TARGET,
)


class Board(State):
    """The fields of a position; multisets are packed as :mod:`.counts` says.

    ``catch`` is the pending catch, or what is left of it; it belongs to the seat
    before ``player``. ``seat`` is who decides, -1 where nobody does. ``caught`` is what
    the player has won in this turn so far. ``chosen`` are the dice about to fall, ``owed``
    the fewest cards that the boost must move. ``waiting`` is what has to happen next,
    ``choices`` what may be chosen: both follow from the rest, as :meth:`wait` says.
    """

    __slots__ = (
        "catch",
        "caught",
        "choices",
        "chosen",
        "deck",
        "dice",
        "end",
        "heaps",
        "hub",
        "owed",
        "phase",
        "player",
        "rolls",
        "rules",
        "seat",
        "seats",
        "target",
        "turn",
        "waiting",
        "yards",
    )

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.phase: int = FIRST
        self.seat: int = -1
        self.turn: int = 0
        self.player: int = 0
        self.target: int = NOTHING
        self.rolls: int = 0
        self.chosen: int = 0
        self.owed: int = 0
        self.deck: int = 0
        self.hub: int = 0
        self.catch: int = 0
        self.caught: int = 0
        self.dice: Dice = rules.throws[rules.dice]
        self.yards: list[int] = []
        self.heaps: list[int] = []
        self.end: str = ""
        self.waiting: Turn | Chance | Over = FIRSTS[seats]
        self.choices: Options = NOTHING_TO_CHOOSE

    def set_up(self) -> None:
        """One card of every colour in each yard, the rest in the deck, every die on its bar."""
        self.deck = (self.rules.copies - self.seats) * ONE_EACH
        self.yards = [ONE_EACH] * self.seats
        self.heaps = [0] * self.seats

    def owner(self) -> int:
        """The seat before the player: to whom the pending catch belongs."""
        return (self.player or self.seats) - 1

    def scores(self) -> list[int]:
        return [total(heap) for heap in self.heaps]

    def ranks(self) -> list[int]:
        """By the larger heap, then the smaller yard, for every seat."""
        keys = [256 * total(self.heaps[seat]) - total(self.yards[seat]) for seat in range(self.seats)]
        return [sum([other > key for other in keys]) for key in keys]

    def wait(self) -> None:
        """Find what has to happen next, from the phase and who decides in it."""
        if self.seat < 0:
            self.choices = NOTHING_TO_CHOOSE
            self.waiting = self._chance_or_end()
        else:
            self.choices = self._options()
            self.waiting = TURNS[self.seat]

    def _chance_or_end(self) -> Chance | Over:
        phase = self.phase
        if phase == FIRST:
            return FIRSTS[self.seats]
        if phase == ROLL:
            return FALLS[self.turn][total(self.chosen)]
        if phase == OVER:
            return Over(self.end, self.scores(), self.ranks())
        return deal(total(self.deck), self.draw_size())

    def _options(self) -> Options:
        phase = self.phase
        if phase == DICE:
            if self.rolls == 0:
                return self.dice.first
            return self.dice.later if self.rolls < self.rules.roll_limit else ONLY_STOP
        if phase == BOOST:
            return BOOSTS[self.owed][self.yards[self.player]]
        if phase == TARGET:
            return HUB_OR_CATCH if self.catch else ONLY_HUB
        return keeps(self.catch, self.room(self.seat))

    def room(self, seat: int) -> int:
        return max(0, self.rules.yard_limit - total(self.yards[seat]))

    def is_last(self) -> bool:
        """Whether the end check after this refill can only end the game."""
        reach = total(self.deck) + total(self.hub) + total(self.yards[self.player])
        return reach < self.rules.hub_floor

    def draw_size(self) -> int:
        """How many cards the deck gives in this phase: as many as are due, or as it has."""
        rules = self.rules
        if self.phase == DEAL:
            due = rules.hub_start
        elif self.phase == CONSOLATION:
            due = min(rules.consolation, self.room(self.player))
        else:
            due = max(bars(self.dice.counts) * rules.refill_per_bar, rules.hub_floor - total(self.hub))
        return min(due, total(self.deck))
