"""What lies on the table, and what follows from it without a move.

The deck is known by its mix alone: what has been shuffled and never looked at has no order
until it is drawn. So it is a sorted pile, and a draw takes what lies at an index.
"""

from collections.abc import Mapping

from engine_service.core.game import Chance, IllegalMove, MoveError, NotYourTurn, Over, State, Turn
from engine_service.games.seimi.cards import CARDS
from engine_service.games.seimi.choices import (
    LAYS,
    LOW,
    LOW_BITS,
    PUTS_HIGH,
    PUTS_LOW,
    TAKES_HIGH,
    TAKES_LOW,
    lays_index,
)
from engine_service.games.seimi.config import MONSTERS, Rules
from engine_service.games.seimi.draws import DRAWS, FIRSTS, ROAD_DRAW, TURNS, descending
from engine_service.games.seimi.moves import DONE, TAKE_DECK, format_move
from engine_service.games.seimi.phases import (
    ACQUIRE,
    DEAL,
    DECIDING,
    DEPLOY,
    DRAW,
    FIRST,
    OVER,
    ROADS,
    TOKENS,
)
from engine_service.games.seimi.rows import ABILITY


class Board(State):
    """The fields of a position.

    ``seat`` decides if somebody does, or draws. ``start`` has the start marker, ``served``
    counts the seats that are done with the step or the deployment. ``monster`` (from 0) is
    ahead, ``step`` how far on the road to it the girl is: beyond its length, before the
    monster. ``takes`` are those the seat still has.

    ``held`` has, for every seat and then for the field, how many there are of each of the 17
    cards; ``masks`` the same as bits for those that are there at all, ``sizes`` the sums.
    ``deck`` is sorted, ``discards`` is not. ``rows`` has a row for each seat and kind.
    ``line`` are the tokens at each monster, the highest first; ``tokens`` those of each seat
    in the order they were won. ``declared`` are the numbers of the last fight.
    """

    __slots__ = (
        "deck",
        "declared",
        "discards",
        "held",
        "line",
        "masks",
        "monster",
        "phase",
        "roads",
        "rows",
        "rules",
        "seat",
        "seats",
        "served",
        "sizes",
        "start",
        "step",
        "takes",
        "tokens",
        "waiting",
    )

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.phase: int = FIRST
        self.waiting: Turn | Chance | Over = FIRSTS[seats]
        self.seat: int = 0
        self.start: int = 0
        self.served: int = 0
        self.monster: int = 0
        self.step: int = 0
        self.takes: int = 0
        self.roads: list[int] = []
        self.line: list[list[int]] = []
        self.tokens: list[list[int]] = []
        self.held: list[int] = []
        self.masks: list[int] = []
        self.sizes: list[int] = []
        self.rows: list[int] = []
        self.deck: list[int] = []
        self.discards: list[int] = []
        self.declared: list[int] = []

    def set_up(self) -> None:
        """All cards in the deck, nothing anywhere else."""
        places = self.seats + 1
        self.held = [0] * (CARDS * places)
        self.masks = [0] * places
        self.sizes = [0] * places
        self.rows = [0] * (4 * self.seats)
        self.line = [[]] * MONSTERS
        self.tokens = [[]] * self.seats
        self.deck = self.rules.cards[:]

    # Cards

    def gain(self, place: int, card: int) -> None:
        """A card comes to a hand or, the place after the last seat, to the field."""
        self.held[CARDS * place + card] += 1
        self.masks[place] |= 1 << card
        self.sizes[place] += 1

    def lose(self, place: int, card: int) -> None:
        """A card that is there leaves a hand or the field."""
        at = CARDS * place + card
        left = self.held[at] - 1
        self.held[at] = left
        if not left:
            self.masks[place] &= ~(1 << card)
        self.sizes[place] -= 1

    def cards_at(self, place: int) -> list[int]:
        """The cards of a hand or the field, in canonical order."""
        counts = self.held[CARDS * place : CARDS * place + CARDS]
        return [card for card in range(CARDS) for _ in range(counts[card])]

    def draw_card(self, index: int) -> int:
        """Take a card from the deck; an empty one is made anew from the discards first."""
        if not self.deck:
            self.deck = sorted(self.discards)
            self.discards = []
        return self.deck.pop(index)

    def is_dry(self) -> bool:
        """Whether nothing at all can be taken."""
        return not (self.deck or self.discards or self.masks[self.seats])

    # What is due

    def enter(self, phase: int) -> None:
        """Begin a phase: find what has to happen next."""
        self.phase = phase
        self.waiting = TURNS[self.seat] if phase in DECIDING else self._chance_or_end(phase)

    def _chance_or_end(self, phase: int) -> Chance | Over:
        if phase == FIRST:
            return FIRSTS[self.seats]
        if phase == ROADS:
            return ROAD_DRAW
        if phase == DRAW:
            return DRAWS[len(self.deck) or len(self.discards)]
        if phase == TOKENS:
            return Chance("tokens", descending(len(self.rules.bag), 6 * self.seats - 7))
        if phase == OVER:
            return Over("normal", self.scores(), self.ranks())
        return Chance("deck", self._sizes_of(self.deal_size() if phase == DEAL else self.missing()))

    def _sizes_of(self, count: int) -> list[int]:
        """The sizes of drawing so many cards, over a new shuffle if the deck is too small."""
        deck = len(self.deck)
        if count <= deck:
            return descending(deck, count)
        return descending(deck, deck) + descending(len(self.discards), count - deck)

    def deal_size(self) -> int:
        """The cards of the deal, or as many as there are."""
        rules = self.rules
        return min(self.seats * rules.hand + rules.field, len(rules.cards))

    def missing(self) -> int:
        """How many cards a refill gives the field."""
        due = self.rules.field - self.sizes[self.seats]
        return max(0, min(due, len(self.deck) + len(self.discards)))

    # The end

    def distance(self, seat: int) -> int:
        """How far clockwise a seat is from the start player."""
        return (seat - self.start) % self.seats

    def scores(self) -> list[int]:
        return [sum(tokens) for tokens in self.tokens]

    def ranks(self) -> list[int]:
        """By tokens, then what was declared at the boss, then the distance from its start player."""
        scores, boss = self.scores(), self.declared
        keys = [(scores[seat], boss[seat], -self.distance(seat)) for seat in range(self.seats)]
        return [sum([other > key for other in keys]) for key in keys]

    # Moves

    def decides(self) -> int:
        """The seat that owes a decision; -1: none does."""
        return self.seat if self.phase in DECIDING else -1

    def legal_codes(self) -> list[int]:
        """What the deciding seat may play, in canonical order."""
        hand = self.masks[self.seat]
        if self.phase == DEPLOY:
            return self._lays(hand)
        field = self.masks[self.seats]
        takes = [*TAKES_LOW[field & LOW], *TAKES_HIGH[field >> LOW_BITS]]
        if self.deck or self.discards:
            takes.insert(0, TAKE_DECK)
        if self.phase == ACQUIRE:
            takes += PUTS_LOW[hand & LOW]
            takes += PUTS_HIGH[hand >> LOW_BITS]
        return takes

    def _lays(self, hand: int) -> list[int]:
        rows, at, parents = self.rows, 4 * self.seat, hand >> 16
        return [
            DONE,
            *LAYS[lays_index(0, rows[at] & ABILITY, hand & 15, parents)],
            *LAYS[lays_index(1, rows[at + 1] & ABILITY, hand >> 4 & 15, parents)],
            *LAYS[lays_index(2, rows[at + 2] & ABILITY, hand >> 8 & 15, parents)],
            *LAYS[lays_index(3, rows[at + 3] & ABILITY, hand >> 12 & 15, parents)],
        ]

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
        legal = [format_move(code) for code in self.legal_codes()]
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return IllegalMove(f"seat {decides} may not play that now; it may play: {', '.join(legal[:8])}{more}")
