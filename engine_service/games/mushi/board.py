"""What lies on the table, and what follows from it without a move.

The deck is known by its mix alone: what has been shuffled and never looked at
has no order until it is drawn.
"""

from collections.abc import Mapping

from engine_service.core.game import Chance, IllegalMove, MoveError, NotYourTurn, Over, State, Turn
from engine_service.games.mushi.choices import (
    BOOSTS,
    HUB_OR_CATCH,
    NO_CHOICE,
    ONLY_HUB,
    ONLY_STOP,
    Dice,
    Options,
    keeps,
)
from engine_service.games.mushi.config import Rules
from engine_service.games.mushi.counts import ONE_EACH, bars, total
from engine_service.games.mushi.draws import FALLS, FIRSTS, TURNS, deal
from engine_service.games.mushi.moves import NO_MOVE, Move, format_move
from engine_service.games.mushi.phases import (
    BOOST,
    CONSOLATION,
    DEAL,
    DICE,
    FIRST,
    KEEP,
    NOTHING,
    OVER,
    ROLL,
    TARGET,
)


class Board(State):
    """The fields of a position; multisets are packed as :mod:`.counts` says.

    ``choices`` says the phase, and what may be chosen in it; ``waiting`` what has to
    happen next. ``seat`` is who decides if somebody does, else the next that will.
    ``catch`` is the pending catch, or what is left of it; it belongs to the seat before
    ``player``. ``caught`` is what the player has won in this turn so far. ``chosen``
    are the dice chosen last: :meth:`rolling` says whether they have still to fall.
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
        self.choices: Options = NO_CHOICE[FIRST]
        self.waiting: Turn | Chance | Over = FIRSTS[seats]
        self.seat: int = 0
        self.turn: int = 0
        self.player: int = 0
        self.target: int = NOTHING
        self.rolls: int = 0
        self.chosen: Move = NO_MOVE
        self.deck: int = 0
        self.hub: int = 0
        self.catch: int = 0
        self.caught: int = 0
        self.dice: Dice = rules.throws.find(rules.dice)
        self.yards: list[int] = []
        self.heaps: list[int] = []
        self.end: str = ""

    def set_up(self) -> None:
        """One card of every colour in each yard, the rest in the deck, every die on its bar."""
        self.deck = (self.rules.copies - self.seats) * ONE_EACH
        self.yards = [ONE_EACH] * self.seats
        self.heaps = [0] * self.seats

    def phase(self) -> int:
        return self.choices.phase

    def decides(self) -> int:
        """The seat that owes a decision; -1: none does."""
        return self.seat if self.choices.codes else -1

    def rolling(self) -> int:
        """The dice chosen and not yet fallen: they wait for chance, or for a later roll's boost."""
        phase = self.choices.phase
        return self.chosen.counts if phase == ROLL or (phase == BOOST and self.rolls) else 0

    def owner(self) -> int:
        """The seat before the player: to whom the pending catch belongs."""
        return (self.player or self.seats) - 1

    def scores(self) -> list[int]:
        return [total(heap) for heap in self.heaps]

    def ranks(self) -> list[int]:
        """By the larger heap, then the smaller yard, for every seat."""
        keys = [256 * total(self.heaps[seat]) - total(self.yards[seat]) for seat in range(self.seats)]
        return [sum([other > key for other in keys]) for key in keys]

    def enter(self, phase: int, owed: int = 0) -> None:
        """Begin a phase: find who decides in it, what may be chosen, and what has to happen next."""
        if phase in (TARGET, KEEP, BOOST, DICE):
            self.seat = self.owner() if phase == KEEP else self.player
            self.choices = self._options(phase, owed)
            self.waiting = TURNS[self.seat]
        else:
            self.choices = NO_CHOICE[phase]
            self.waiting = self._chance_or_end(phase)

    def _options(self, phase: int, owed: int) -> Options:
        if phase == TARGET:
            return HUB_OR_CATCH if self.catch else ONLY_HUB
        if phase == KEEP:
            return keeps(self.catch, self.room(self.seat))
        if phase == BOOST:
            return BOOSTS[owed][self.yards[self.player]]
        if self.rolls == 0:
            return self.dice.first
        return self.dice.later if self.rolls < self.rules.roll_limit else ONLY_STOP

    def _chance_or_end(self, phase: int) -> Chance | Over:
        if phase == FIRST:
            return FIRSTS[self.seats]
        if phase == ROLL:
            return FALLS[self.turn][self.chosen.size]
        if phase == OVER:
            return Over(self.end, self.scores(), self.ranks())
        return deal(total(self.deck), self.draw_size(phase))

    def room(self, seat: int) -> int:
        return max(0, self.rules.yard_limit - total(self.yards[seat]))

    def is_last(self) -> bool:
        """Whether the end check after this refill can only end the game."""
        reach = total(self.deck) + total(self.hub) + total(self.yards[self.player])
        return reach < self.rules.hub_floor

    def draw_size(self, phase: int) -> int:
        """How many cards the deck gives in a phase: as many as are due, or as it has."""
        rules = self.rules
        if phase == DEAL:
            due = rules.hub_start
        elif phase == CONSOLATION:
            due = min(rules.consolation, self.room(self.player))
        else:
            due = max(bars(self.dice.counts) * rules.refill_per_bar, rules.hub_floor - total(self.hub))
        return min(due, total(self.deck))

    def not_your_turn(self, seat: int) -> NotYourTurn:
        """What to raise where that seat is asked for a decision."""
        decides = self.decides()
        waits = f"seat {decides} alone decides" if decides >= 0 else "no seat decides"
        return NotYourTurn(f"seat {seat} owes no decision; {waits} now")

    def refusal(self, moves: Mapping[int, int]) -> MoveError:
        """What to raise where these moves may not be played, saying which may."""
        decides = self.decides()
        strangers = [seat for seat in moves if seat != decides or seat < 0]
        if strangers or not moves:
            return self.not_your_turn(strangers[0] if strangers else -1)
        legal = [format_move(code) for code in self.choices.codes]
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return IllegalMove(f"seat {decides} may not play that now; it may play: {', '.join(legal[:8])}{more}")
