"""How moves and chance change a position of beanstalk."""

from collections.abc import Mapping, Sequence

from engine_service.core.game import Chance, Over, Sighting, Turn, View
from engine_service.games.beanstalk import events
from engine_service.games.beanstalk.draws import COMMITS, NPC_CARDS
from engine_service.games.beanstalk.events import Commit, Draw, NpcCard
from engine_service.games.beanstalk.moves import BITS, HANDS, STABLE
from engine_service.games.beanstalk.phases import COMMIT, DRAW, NPC, SUPPORT, THEFT, TREASURE, TURNS_A_ROUND
from engine_service.games.beanstalk.stages import Stages
from engine_service.games.beanstalk.treasures import BRONZE, COVERED, KINDS, TORNADO, UNITS, VALUES, kind_at
from engine_service.games.beanstalk.treasures import THIEF as A_THIEF
from engine_service.games.beanstalk.views import show


class Position(Stages):
    """A state of beanstalk; see the contract of :class:`engine_service.core.game.State`."""

    __slots__ = ()

    def copy(self) -> "Position":
        other = Position(self.rules, self.seats)
        other.phase = self.phase
        other.waiting = self.waiting
        other.turn = self.turn
        other.support = self.support
        other.cards = self.cards
        other.movers = self.movers
        other.batted = self.batted
        other.falling = self.falling
        other.armed = self.armed
        other.fresh = self.fresh
        other.storm = self.storm
        other.brewing = self.brewing
        other.slot = self.slot
        other.drawer = self.drawer
        other.drawers = self.drawers
        other.deck = self.deck
        other.steps = self.steps
        other.end = self.end
        other.ranks = self.ranks
        other.hands = self.hands[:]
        other.squares = self.squares[:]
        other.held = self.held[:]
        other.loot = self.loot[:]
        other.points = self.points[:]
        other.decks = self.decks[:]
        return other

    def pending(self) -> Turn | Chance | Over:
        return self.waiting

    def view(self, seat: int | None) -> View:
        return show(self, seat)

    # Decisions

    def legal(self, seat: int) -> list[int]:
        return self.options(seat)[:]

    def options(self, seat: int) -> list[int]:
        if self.phase == COMMIT and 0 <= seat < self.seats:
            return HANDS[self.hands[seat]]
        codes = self.codes(seat)
        if not codes:
            raise self.not_your_turn(seat)
        return codes

    def default(self, seat: int) -> int:
        return self.options(seat)[0]

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        if self.phase == COMMIT:
            return self._commit(moves)
        if len(moves) != 1:
            raise self.refusal(moves)
        ((seat, code),) = moves.items()
        return self.move(seat, code)

    def move(self, seat: int, code: int) -> list[Sighting]:
        if self.phase == COMMIT:
            return self._commit({seat: code})
        if self.phase != DRAW or seat != self.drawer or code not in self.draw_codes():
            raise self.refusal({seat: code})
        self.open_deck(code - STABLE)
        return [Draw(seat, self.deck)]

    def _commit(self, moves: Mapping[int, int]) -> list[Sighting]:
        seats = self.seats
        hands = self.hands[:]
        cards = [0] * self.participants
        if len(moves) != seats:
            raise self.refusal(moves)
        for seat, code in moves.items():
            if not 0 <= seat < seats or code not in HANDS[hands[seat]]:
                raise self.refusal(moves)
            cards[seat] = code
            hands[seat] -= BITS[code]
        self.hands = hands
        told: list[Sighting] = [Commit(cards, seats)]
        if self.participants == seats:
            return self.reveal(cards, told)
        self.cards = cards
        self.phase = NPC
        self.waiting = NPC_CARDS[TURNS_A_ROUND - self.turn % TURNS_A_ROUND]
        return told

    # Chance

    def reading(self, outcome: Sequence[int]) -> View:
        phase = self.phase
        if phase == SUPPORT:
            return {"faces": [str(card) for card in dealt(outcome)]}
        index = outcome[0]
        if phase == NPC:
            return {"faces": [str(HANDS[self.hands[self.seats]][index])]}
        if phase == TREASURE:
            return {"faces": [KINDS[kind_at(self.decks[self.deck], index)]]}
        victim, at = self.victim_at(self.thief(), index)
        return {"faces": [KINDS[kind_at(self.held[victim], at)]], "from": [victim]}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        phase = self.phase
        if phase == TREASURE:
            return self._take(outcome[0])
        if phase == NPC:
            return self._turn_npc_card(outcome[0])
        if phase == THEFT:
            return self._rob(outcome[0])
        self.support = dealt(outcome)
        self.phase = COMMIT
        self.waiting = COMMITS[self.seats]
        return [events.support(self.support)]

    def _turn_npc_card(self, index: int) -> list[Sighting]:
        npc = self.seats
        card = HANDS[self.hands[npc]][index]
        self.hands[npc] -= BITS[card]
        cards = self.cards[:]
        cards[npc] = card
        return self.reveal(cards, [NpcCard(card)])

    def _rob(self, index: int) -> list[Sighting]:
        owner = self.thief()
        victim, at = self.victim_at(owner, index)
        kind = kind_at(self.held[victim] & COVERED, at)
        self.armed -= 1 << 8 * owner
        self.held[victim] -= UNITS[kind]
        self.loot[owner] += UNITS[kind]
        self.points[victim] -= VALUES[kind]
        self.points[owner] += VALUES[kind] - VALUES[A_THIEF]
        told = self._tell_theft(owner, victim, kind)
        return told if self.is_won(told) else self.steal(told)

    def _tell_theft(self, owner: int, victim: int, kind: int) -> list[Sighting]:
        """What the NPC has or gets lies open; else only thief and victim know the card."""
        if owner >= self.seats or victim >= self.seats:
            return [events.theft(self.who(owner), self.who(victim), kind)]
        return [events.theft(owner, victim, None), events.loot(owner, victim, kind)]

    def _take(self, index: int) -> list[Sighting]:
        drawer = self.drawer
        deck = self.deck
        kind = kind_at(self.decks[deck], index)
        self.decks[deck] -= UNITS[kind]
        self.held[drawer] += UNITS[kind]
        self.points[drawer] += VALUES[kind]
        if kind == A_THIEF:
            self.fresh += 1 << 8 * drawer
        elif kind == TORNADO and self.brewing < 0:
            self.brewing = drawer
        told = self._tell_treasure(drawer, deck, kind)
        if self.slot == 0:  # nobody has moved yet: it was the tornado that brought the drawer here
            return self.next_drawer(told)
        return self.move_all(told) if self.go_down(drawer, told) else told

    def _tell_treasure(self, drawer: int, deck: int, kind: int) -> list[Sighting]:
        if drawer >= self.seats or kind > BRONZE:
            return [events.treasure(self.who(drawer), deck, kind)]
        return [events.treasure(drawer, deck, None), events.found(drawer, kind)]


def dealt(outcome: Sequence[int]) -> list[int]:
    """The support cards from left to right: each outcome is an index into those left, ascending."""
    left = [1, 2, 3, 4, 5]
    return [left.pop(index) for index in outcome]
