"""How moves and chance change a position of mushi.

Most of a match is the round of aiming, boosting, choosing dice and letting them fall.
There each step says itself what has to happen next, from tables; the others leave it
to :meth:`Board.enter`, which knows it for every phase.
"""

from collections.abc import Mapping, Sequence

from engine_service.core.game import Chance, Over, Sighting, Turn, View
from engine_service.games.mushi import events
from engine_service.games.mushi.board import Board
from engine_service.games.mushi.choices import BOOSTS, HUB_OR_CATCH, NO_CHOICE, ONLY_HUB, ONLY_STOP, Dice
from engine_service.games.mushi.counts import COLOURS, DIE, GUARD, SIDES, UNITS, card_at, total
from engine_service.games.mushi.draws import FALLS, TURNS
from engine_service.games.mushi.moves import BOOSTING, CATCH, HUB, KEEPING, ROLLING, Move
from engine_service.games.mushi.phases import (
    BOOST,
    CAUGHT,
    CONSOLATION,
    DEAL,
    FIRST,
    HUB_CARDS,
    KEEP,
    NOTHING,
    OVER,
    REFILL,
    ROLL,
    TARGET,
)
from engine_service.games.mushi.views import show

FREE_BOOSTS = BOOSTS[0]
DICE_FALL = NO_CHOICE[ROLL]


class Position(Board):
    """A state of mushi; see the contract of :class:`engine_service.core.game.State`."""

    __slots__ = ()

    def copy(self) -> "Position":
        other = Position(self.rules, self.seats)
        other.choices = self.choices
        other.waiting = self.waiting
        other.seat = self.seat
        other.turn = self.turn
        other.player = self.player
        other.target = self.target
        other.rolls = self.rolls
        other.chosen = self.chosen
        other.deck = self.deck
        other.hub = self.hub
        other.catch = self.catch
        other.caught = self.caught
        other.dice = self.dice
        other.yards = self.yards[:]
        other.heaps = self.heaps[:]
        other.end = self.end
        return other

    def pending(self) -> Turn | Chance | Over:
        return self.waiting

    def view(self, seat: int | None) -> View:
        return show(self, seat)

    # Decisions

    def legal(self, seat: int) -> list[int]:
        return [*self.options(seat)]

    def options(self, seat: int) -> list[int]:
        codes = self.choices.codes
        if seat != self.seat or not codes:
            raise self.not_your_turn(seat)
        return codes

    def default(self, seat: int) -> int:
        return self.options(seat)[0]

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        if len(moves) != 1:
            raise self.refusal(moves)
        ((seat, code),) = moves.items()
        return self.move(seat, code)

    def move(self, seat: int, code: int) -> list[Sighting]:
        move = self.choices.moves.get(code)
        if move is None or seat != self.seat:
            raise self.refusal({seat: code})
        kind = move.kind
        if kind == ROLLING:
            return self._roll(move)
        if kind == BOOSTING:
            return self._boost(move)
        if kind == HUB:
            return self._aim_at_hub(move)
        if kind == CATCH:
            return self._aim_at_catch()
        if kind == KEEPING:
            return self._keep(move)
        return self._settle([events.stop(self.player, self.caught)])

    def _aim_at_hub(self, move: Move) -> list[Sighting]:
        self.target = HUB_CARDS
        player = self.player
        told = move.told[player]
        if self.catch:
            return self._collect_first(told)
        if self.deck or self.hub % 255 < self.rules.hub_floor:
            return self._refill(told)
        self.choices = FREE_BOOSTS[self.yards[player]]
        return told

    def _aim_at_catch(self) -> list[Sighting]:
        self.target = CAUGHT
        self.enter(BOOST)
        return [events.Target(self.player, "catch", self.owner())]

    def _collect_first(self, told: list[Sighting]) -> list[Sighting]:
        """The catch that was not aimed at goes to its owner, unasked if that makes no difference."""
        if self.is_last():
            return self._refill([*told, self._collect(0)])
        self.enter(KEEP)
        return told

    def _keep(self, move: Move) -> list[Sighting]:
        told = [self._collect(move.counts)]
        return self._refill(told) if self.target == HUB_CARDS else self._next_turn(told)

    def _collect(self, kept: int) -> Sighting:
        seat = self.owner()
        piled = self.catch - kept
        self.yards[seat] += kept
        self.heaps[seat] += piled
        self.catch = 0
        return events.keep(seat, kept, piled)

    def _refill(self, told: list[Sighting]) -> list[Sighting]:
        if self.deck and self.turn and self._awaits_cards(REFILL):
            return told
        return self._check_end(told)

    def _check_end(self, told: list[Sighting]) -> list[Sighting]:
        missing = self.rules.hub_floor - total(self.hub)
        if missing <= 0 or self.deck:
            self.enter(BOOST)
        elif missing <= total(self.yards[self.player]):
            self.enter(BOOST, missing)
        else:
            return self._finish("normal", told)
        return told

    def _boost(self, move: Move) -> list[Sighting]:
        player = self.player
        told = move.told[player] if self.target == HUB_CARDS else move.told_of_catch[player]
        if move.size:
            self._lure(move.counts)
        if self.rolls:  # the dice were chosen before
            self.enter(ROLL)
        else:
            self.choices = self.dice.first
        return told

    def _lure(self, cards: int) -> None:
        self.yards[self.player] -= cards
        if self.target == HUB_CARDS:
            self.hub += cards
        else:
            self.catch += cards

    def _roll(self, move: Move) -> list[Sighting]:
        self.chosen = move
        if self.rolls and self.rules.boost_every_roll:
            self.enter(BOOST)
        else:
            self.choices = DICE_FALL
            self.waiting = FALLS[self.turn][move.size]
        return move.told[self.player]

    def _settle(self, told: list[Sighting]) -> list[Sighting]:
        """The player's turn is done; what is left of a catch that was aimed at goes to its owner."""
        if self.target == CAUGHT and self.catch:
            self.enter(KEEP)
            return told
        return self._next_turn(told)

    def _next_turn(self, told: list[Sighting]) -> list[Sighting]:
        turn = self.turn + 1
        player = self.player + 1
        if player == self.seats:
            player = 0
        catch = self.caught
        self.catch = catch
        self.caught = 0
        self.target = NOTHING
        self.rolls = 0
        self.turn = turn
        self.player = player
        if turn >= self.rules.turn_limit:
            return self._finish("turn_limit", told)
        self.seat = player
        self.waiting = TURNS[player]
        self.choices = HUB_OR_CATCH if catch else ONLY_HUB
        return told

    def _finish(self, end: str, told: list[Sighting]) -> list[Sighting]:
        collected = [self._collect(0)] if self.catch else []
        self.end = end
        self.enter(OVER)
        return [*told, *collected, events.end(end, self.scores(), self.ranks())]

    # Chance

    def reading(self, outcome: Sequence[int]) -> View:
        phase = self.phase()
        if phase == ROLL:
            return {"faces": [SIDES[side] for side in outcome]}
        if phase == FIRST:
            return {"faces": [str(outcome[0])]}
        deck = self.deck
        read: list[str] = []
        for index in outcome:
            card = card_at(deck, index)
            deck -= card
            read.append(COLOURS[UNITS.index(card)])
        return {"faces": read}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        if self.choices is not DICE_FALL:
            return self._take_cards(outcome)
        counts = self.dice.counts - self.chosen.counts
        for side in outcome:
            counts += DIE[side]
        throws = self.rules.throws
        try:
            dice = throws.known[counts]
        except KeyError:
            dice = throws.find(counts)
        self.dice = dice
        rolls = self.rolls = self.rolls + 1
        on_hub = self.target == HUB_CARDS
        group = self.hub if on_hub else self.catch
        if dice.limit - group & GUARD:
            return self._bust(dice, group)
        won = dice.bugs
        if on_hub:
            self.hub = group - won
        else:
            self.catch = group - won
        player = self.player
        caught = self.caught = self.caught + won
        self.waiting = TURNS[player]
        self.choices = dice.later if rolls < self.rules.roll_limit else ONLY_STOP
        return [events.Success(player, dice.counts, caught)]

    def _bust(self, dice: Dice, group: int) -> list[Sighting]:
        caught = self.caught
        told: list[Sighting] = [events.Bust(self.player, dice.counts, group, caught)]
        if caught:
            if self.target == HUB_CARDS:
                self.hub = group + caught
            else:
                self.catch = group + caught
            self.caught = 0
        if self.deck and self._awaits_cards(CONSOLATION):
            return told
        return self._settle(told)

    def _take_cards(self, outcome: Sequence[int]) -> list[Sighting]:
        """What falls apart from dice: the start seat, cards from the deck."""
        phase = self.phase()
        if phase == FIRST:
            return self._start(outcome[0])
        drawn = self._draw(outcome)
        if phase == CONSOLATION:
            self.yards[self.player] += drawn
            return self._settle([events.consolation(self.player, drawn)])
        self.hub += drawn
        if phase == REFILL:
            return self._check_end([events.refill(drawn)])
        self.enter(TARGET)
        return [events.deal(drawn)]

    def _start(self, seat: int) -> list[Sighting]:
        self.player = seat
        if not self._awaits_cards(DEAL):
            self.enter(TARGET)
        return [events.first(seat)]

    def _draw(self, outcome: Sequence[int]) -> int:
        drawn = 0
        for index in outcome:
            card = card_at(self.deck, index)
            self.deck -= card
            drawn += card
        return drawn

    def _awaits_cards(self, phase: int) -> bool:
        """Enter a phase in which the deck gives cards, if it has any to give."""
        if self.draw_size(phase) == 0:
            return False
        self.enter(phase)
        return True
