"""How moves and chance change a position of seimi."""

from collections.abc import Mapping, Sequence

from engine_service.core.game import Chance, Over, Sighting, Turn, View
from engine_service.games.seimi import events
from engine_service.games.seimi.board import Board
from engine_service.games.seimi.cards import PARENTS, names
from engine_service.games.seimi.choices import LAYS, lays_index
from engine_service.games.seimi.config import BOSS_TOKEN, MONSTERS, ROAD_LENGTHS
from engine_service.games.seimi.draws import DRAWS, TURNS
from engine_service.games.seimi.events import DRAWN
from engine_service.games.seimi.fights import fight
from engine_service.games.seimi.moves import (
    CODES,
    DONE,
    FORM,
    KIND,
    LAID,
    LAY,
    OPEN_LED,
    PLAY,
    PUT,
    REPLACE,
    REPLACE_LED,
    SHOWN,
    TAKE_CARD,
    TAKE_DECK,
)
from engine_service.games.seimi.phases import (
    ACQUIRE,
    DEAL,
    DEPLOY,
    DRAW,
    FIRST,
    OVER,
    REFILL,
    ROADS,
    TAKE,
    TOKENS,
)
from engine_service.games.seimi.rows import ABILITY, CARD, cards_of, pack_row
from engine_service.games.seimi.views import show


class Position(Board):
    """A state of seimi; see the contract of :class:`engine_service.core.game.State`."""

    __slots__ = ()

    def copy(self) -> "Position":
        other = Position(self.rules, self.seats)
        other.phase = self.phase
        other.waiting = self.waiting
        other.seat = self.seat
        other.start = self.start
        other.served = self.served
        other.monster = self.monster
        other.step = self.step
        other.takes = self.takes
        other.roads = self.roads
        other.line = self.line[:]
        other.tokens = self.tokens[:]
        other.held = self.held[:]
        other.masks = self.masks[:]
        other.sizes = self.sizes[:]
        other.rows = self.rows[:]
        other.deck = self.deck[:]
        other.discards = self.discards[:]
        other.declared = self.declared
        return other

    def pending(self) -> Turn | Chance | Over:
        return self.waiting

    def view(self, seat: int | None) -> View:
        return show(self, seat)

    # Decisions

    def legal(self, seat: int) -> list[int]:
        if seat != self.decides():
            raise self.not_your_turn(seat)
        return self.legal_codes()

    def default(self, seat: int) -> int:
        return self.legal(seat)[0]

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        if len(moves) != 1:
            raise self.refusal(moves)
        ((seat, code),) = moves.items()
        return self.move(seat, code)

    def move(self, seat: int, code: int) -> list[Sighting]:
        phase = self.phase
        if seat != self.seat or code < 0:
            raise self.refusal({seat: code})
        if phase == DEPLOY:
            if code == DONE:
                return self._next_deployer(SHOWN[seat][DONE])
            if LAY <= code < CODES:
                return self._lay(seat, code)
        elif phase in (ACQUIRE, TAKE):
            if code == TAKE_DECK:
                return self._take_from_deck(seat)
            if code < PUT:
                return self._take(seat, code)
            if code < DONE and phase == ACQUIRE:
                return self._put(seat, code)
        raise self.refusal({seat: code})

    def _take_from_deck(self, seat: int) -> list[Sighting]:
        size = len(self.deck) or len(self.discards)
        if not size:
            raise self.refusal({seat: TAKE_DECK})
        self.phase = DRAW
        self.waiting = DRAWS[size]
        return SHOWN[seat][TAKE_DECK]

    def _take(self, seat: int, code: int) -> list[Sighting]:
        card = code - TAKE_CARD
        if not self.masks[self.seats] >> card & 1:
            raise self.refusal({seat: code})
        self.lose(self.seats, card)
        self.gain(seat, card)
        return self._refill(SHOWN[seat][code])

    def _put(self, seat: int, code: int) -> list[Sighting]:
        card = code - PUT
        if not self.masks[seat] >> card & 1:
            raise self.refusal({seat: code})
        self.lose(seat, card)
        self.gain(self.seats, card)
        self.phase = TAKE
        self.takes = 2
        return SHOWN[seat][code]

    def _refill(self, told: list[Sighting]) -> list[Sighting]:
        """After each single take: fill the field up, if that is played."""
        if self.rules.field_refill and self.missing():
            self.enter(REFILL)
            return told
        return self._taken(told)

    def _taken(self, told: list[Sighting]) -> list[Sighting]:
        takes = self.takes - 1
        self.takes = takes
        if not takes:
            self.served += 1
            return self._next_taker(told)
        self.phase = TAKE
        self.waiting = TURNS[self.seat]
        return told

    def _next_taker(self, told: list[Sighting]) -> list[Sighting]:
        """Whoever is next takes; where there is nothing to take, all who are left are passed over."""
        if self.served == self.seats or self.is_dry():
            return self._advance(told)
        seat = self.start + self.served
        seat = seat if seat < self.seats else seat - self.seats
        self.seat = seat
        self.takes = 1
        self.phase = ACQUIRE
        self.waiting = TURNS[seat]
        return told

    def _advance(self, told: list[Sighting]) -> list[Sighting]:
        """The girl goes one step ahead."""
        self.served = 0
        self.takes = 0
        self.step += 1
        if self.step <= self.roads[self.monster]:
            return self._next_taker([*told, events.Step(self.monster, self.step)])
        self.seat = self.start
        self.enter(DEPLOY)
        return [*told, events.Step(self.monster, 0)]

    def _lay(self, seat: int, code: int) -> list[Sighting]:
        kind, form, card = KIND[code], FORM[code], LAID[code]
        at = 4 * seat + kind
        row, hand = self.rows[at], self.masks[seat]
        if code not in LAYS[lays_index(kind, row & ABILITY, hand >> 4 * kind & 15, hand >> PARENTS)]:
            raise self.refusal({seat: code})
        self.lose(seat, card)
        if form == PLAY:
            self.rows[at] = row + CARD
            return SHOWN[seat][code]
        led = form in (OPEN_LED, REPLACE_LED)
        if led:
            self.lose(seat, PARENTS)
        self.rows[at] = pack_row(card & 3, 2 if led else 1, led)
        return SHOWN[seat][code] if form < REPLACE else [self._replaced(seat, card, led, cards_of(kind, row))]

    def _replaced(self, seat: int, card: int, led: bool, gone: list[int]) -> Sighting:
        self.discards += gone
        return events.Replace(seat, card, led, gone)

    def _next_deployer(self, told: list[Sighting]) -> list[Sighting]:
        self.served += 1
        if self.served == self.seats:
            return self._fight(told)
        self.seat = (self.start + self.served) % self.seats
        self.waiting = TURNS[self.seat]
        return told

    def _fight(self, told: list[Sighting]) -> list[Sighting]:
        told = told + fight(self)
        return self._finish(told) if self.monster == MONSTERS - 1 else self._go_on(told)

    def _go_on(self, told: list[Sighting]) -> list[Sighting]:
        self.monster += 1
        self.step = 0
        return self._advance(told)

    def _finish(self, told: list[Sighting]) -> list[Sighting]:
        self.enter(OVER)
        return [*told, events.end(self.scores(), self.declared, self.ranks())]

    # Chance

    def reading(self, outcome: Sequence[int]) -> View:
        if self.phase == FIRST:
            return {"faces": [str(seat) for seat in outcome]}
        if self.phase == ROADS:
            return {"faces": [str(length) for length in drawn(ROAD_LENGTHS, outcome)]}
        if self.phase == TOKENS:
            return {"faces": [str(value) for value in drawn(self.rules.bag, outcome)]}
        twin = self.copy()
        return {"faces": names([twin.draw_card(index) for index in outcome])}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        phase = self.phase
        if phase == DRAW:
            seat = self.seat
            card = self.draw_card(outcome[0])
            self.gain(seat, card)
            return self._refill(DRAWN[seat][card])
        if phase == REFILL:
            return self._fill_up(outcome)
        if phase == FIRST:
            self.start = outcome[0]
            self.enter(ROADS)
            return [events.first(outcome[0])]
        if phase == ROADS:
            self.roads = drawn(ROAD_LENGTHS, outcome)
            self.enter(TOKENS)
            return [events.roads(self.roads)]
        return self._lay_tokens(outcome) if phase == TOKENS else self._deal(outcome)

    def _fill_up(self, outcome: Sequence[int]) -> list[Sighting]:
        cards = [self.draw_card(index) for index in outcome]
        for card in cards:
            self.gain(self.seats, card)
        return self._taken([events.refill(cards)])

    def _lay_tokens(self, outcome: Sequence[int]) -> list[Sighting]:
        """As many at each monster as there are seats, less one; the boss has one already."""
        values, each = [*drawn(self.rules.bag, outcome), BOSS_TOKEN], self.seats - 1
        self.line = [
            sorted(values[each * monster : each * (monster + 1)], reverse=True) for monster in range(MONSTERS)
        ]
        told = [events.tokens(self.line)]
        if self.deal_size():
            self.enter(DEAL)
            return told
        return [*told, *self._deal([])]

    def _deal(self, outcome: Sequence[int]) -> list[Sighting]:
        """Hand after hand from seat 0 on, then the field."""
        seats, each = self.seats, self.rules.hand
        cards = [self.draw_card(index) for index in outcome]
        for number, card in enumerate(cards):
            self.gain(min(seats, number // each) if each else seats, card)
        hands = [events.hand(seat, self.cards_at(seat)) for seat in range(seats) if self.sizes[seat]]
        dealt = events.deal(self.sizes[:seats], self.cards_at(seats), len(self.deck))
        return self._advance([*hands, dealt])


def drawn(pile: list[int], outcome: Sequence[int]) -> list[int]:
    """What is drawn from a pile, one by one, without putting any back."""
    left = pile[:]
    return [left.pop(index) for index in outcome]
