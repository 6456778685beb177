"""The stages of a turn, once all cards are turned up.

A turn runs through thefts, tornado and moves until chance or a player is asked; each of
these stages takes the list of what has been shown so far, adds to it and goes on to the next.
"""

from typing import Final

from engine_service.core.game import Over, Sighting
from engine_service.games.beanstalk import events
from engine_service.games.beanstalk.board import Board
from engine_service.games.beanstalk.draws import CHOICES, COMMITS, SUPPORTS, THEFTS, TREASURES
from engine_service.games.beanstalk.events import CardBatting, End, SquareBatting
from engine_service.games.beanstalk.moves import BITS, FULL_HAND, HANDS
from engine_service.games.beanstalk.phases import COMMIT, DRAW, OVER, SUPPORT, THEFT, TREASURE, TURNS_A_ROUND

AMOUNTS: Final = [[number + 2, number + 1, number, 2, 1] for number in range(6)]
"""By number and support slot: how far a piece goes."""


class Stages(Board):
    """A board on which a turn takes its course."""

    __slots__ = ()

    def reveal(self, cards: list[int], told: list[Sighting]) -> list[Sighting]:
        """All cards lie open: find who is batted and who moves."""
        self.cards = cards
        movers = [-1, -1, -1, -1, -1, -1]
        twice = 0
        for participant, card in enumerate(cards):
            if movers[card] < 0:
                movers[card] = participant
            else:
                twice |= BITS[card]
        self.movers = movers
        self.batted = self._bat(cards, twice, told) if twice else 0
        self.slot = 0
        if self.armed or self.storm >= 0:
            return self.steal(told)
        return self.move_all(told)

    def _bat(self, cards: list[int], twice: int, told: list[Sighting]) -> int:
        """Bat all who have played a number of the set ``twice``; who that is."""
        batted = 0
        for card in HANDS[twice]:
            self.movers[card] = -1
            members = [one for one, played in enumerate(cards) if played == card]
            for one in members:
                batted |= BITS[one]
            told.append(CardBatting(card, [self.who(one) for one in members]))
        return batted

    def steal(self, told: list[Sighting]) -> list[Sighting]:
        while self.armed:
            owner = self.thief()
            size = self.pool_size(owner) if self.batted >> owner & 1 else 0
            if size:
                self.phase = THEFT
                self.waiting = THEFTS[size]
                return told
            thieves = self.armed >> 8 * owner & 0xFF
            self.armed -= thieves << 8 * owner
            told.append(events.idle(self.who(owner), thieves))
        return self._blow(told) if self.storm >= 0 else self.move_all(told)

    def _blow(self, told: list[Sighting]) -> list[Sighting]:
        """The tornado: first all batted pieces move and turn, then those that were climbing draw."""
        owner, self.storm = self.storm, -1
        carried = self.members(self.batted)
        told.append(events.tornado(self.who(owner), [self.who(one) for one in carried]))
        climbing = [one for one in carried if not self.falling >> one & 1]
        self.drawers = [one for one in climbing if one >= owner] + [one for one in climbing if one < owner]
        for one in carried:
            self.squares[one] = self.rules.n
        self.falling |= self.batted
        return self.next_drawer(told)

    def next_drawer(self, told: list[Sighting]) -> list[Sighting]:
        while self.drawers:
            drawer = self.drawers[0]
            self.drawers = self.drawers[1:]
            if self._offer(drawer):
                return told
        return self.move_all(told)

    def _offer(self, drawer: int) -> bool:
        """Whether a participant at the castle draws; it does if there is a card left."""
        stable, gamble = self.decks
        if not stable and not gamble:
            return False
        self.drawer = drawer
        if drawer < self.seats:
            self.phase = DRAW
            self.waiting = CHOICES[drawer]
        else:
            self.open_deck(0 if stable else 1)
        return True

    def open_deck(self, deck: int) -> None:
        self.deck = deck
        self.phase = TREASURE
        self.waiting = TREASURES[deck][self.decks[deck] % 255]

    def move_all(self, told: list[Sighting]) -> list[Sighting]:
        """Move who is left to move, by support slot; then the turn ends."""
        movers = self.movers
        support = self.support
        for slot in range(self.slot, 5):
            number = support[slot]
            mover = movers[number]
            if mover >= 0:
                self.slot = slot + 1
                if not self._go(mover, AMOUNTS[number][slot], told):
                    return told
        return self._end_turn(told)

    def _go(self, mover: int, amount: int, told: list[Sighting]) -> bool:
        """Move a piece; whether the turn goes on at once."""
        origin = self.squares[mover]
        if self.falling >> mover & 1:
            to = origin - amount
            return self._land(mover, origin, to, told) if to > 0 else self._touch_ground(mover, -to, told)
        to = origin + amount
        n = self.rules.n
        return self._land(mover, origin, to, told) if to < n else self._touch_castle(mover, to - n, told)

    def _touch_castle(self, mover: int, steps: int, told: list[Sighting]) -> bool:
        n = self.rules.n
        told.append(self.rules.legs[self.who(mover)][self.squares[mover]][n])
        self.squares[mover] = n
        self.falling |= BITS[mover]
        self.steps = steps
        return not self._offer(mover) and self.go_down(mover, told)

    def go_down(self, mover: int, told: list[Sighting]) -> bool:
        """The rest of a move that has touched the castle."""
        n = self.rules.n
        steps, self.steps = self.steps, 0
        return not steps or self._land(mover, n, n - steps, told)

    def _touch_ground(self, mover: int, steps: int, told: list[Sighting]) -> bool:
        rules = self.rules
        told.append(rules.legs[self.who(mover)][self.squares[mover]][0])
        self.squares[mover] = 0
        self.falling -= BITS[mover]
        if mover < self.seats and self.points[mover] >= rules.win_points:
            self._finish("normal", "home", self.rank_winners([mover]), told)
            return False
        if not steps or rules.ground_stop:
            return True
        return self._land(mover, 0, steps, told)

    def _land(self, mover: int, origin: int, to: int, told: list[Sighting]) -> bool:
        """Go straight to a square between ground and castle, and bat whoever stands there."""
        squares = self.squares
        told.append(self.rules.legs[self.who(mover)][origin][to])
        if to not in squares:
            squares[mover] = to
            return True
        other = squares.index(to)
        squares[mover] = squares[other] = 0
        self.falling &= ~(BITS[mover] | BITS[other])
        told.append(SquareBatting(self.who(mover), self.who(other), to))
        return not self.is_won(told)

    def is_won(self, told: list[Sighting]) -> bool:
        """Finish if somebody stands on the ground with enough points, however it got there."""
        rules = self.rules
        if not rules.batted_return_wins:
            return False
        enough = [seat for seat in range(self.seats) if self.points[seat] >= rules.win_points]
        winners = [seat for seat in enough if self.squares[seat] == 0]
        if winners:
            self._finish("normal", "home", self.rank_winners(winners), told)
        return bool(winners)

    def _end_turn(self, told: list[Sighting]) -> list[Sighting]:
        turn = self.turn = self.turn + 1
        if not self.decks[0] and not self.decks[1] and self._is_dead():
            self._finish("normal", "decks", self.rank_points(), told)
        elif turn >= self.rules.turn_limit:
            self._finish("turn_limit", "turns", self.rank_limit(), told)
        else:
            self._clean_up(turn)
        return told

    def _is_dead(self) -> bool:
        """With both decks empty: whether nobody can have enough points any more."""
        return not self.fresh and max(self.scores()) < self.rules.win_points

    def _clean_up(self, turn: int) -> None:
        self.armed, self.fresh = self.fresh, 0
        self.storm, self.brewing = self.brewing, -1
        self.cards = []
        self.batted = 0
        self.slot = 0
        self.drawer = -1
        if turn % TURNS_A_ROUND:
            support = self.support
            self.support = [support[1], support[2], support[3], support[4], support[0]]
            self.phase = COMMIT
            self.waiting = COMMITS[self.seats]
        else:
            self.hands = [FULL_HAND] * self.participants
            self.phase = SUPPORT
            self.waiting = SUPPORTS

    def _finish(self, end: str, why: str, ranks: list[int], told: list[Sighting]) -> None:
        self.end = end
        self.ranks = ranks
        self.phase = OVER
        over = self.waiting = Over(end, self.scores(), ranks[:])
        told.append(End(over, why, self.held[:], self.loot[:]))
