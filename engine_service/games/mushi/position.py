"""How moves and chance change a position of mushi.

Most of a match is the round of aiming, boosting, choosing dice and letting them fall.
There each step says itself what has to happen next, from tables; the others leave it
to :meth:`Board.wait`, which knows it for every phase.
"""

from collections.abc import Mapping, Sequence

from engine_service.core.game import Chance, IllegalMove, MoveError, NotYourTurn, Over, Sighting, Turn, View
from engine_service.games.mushi import events
from engine_service.games.mushi.board import Board
from engine_service.games.mushi.choices import (
    BOOSTS,
    HUB_OR_CATCH,
    NOTHING_TO_CHOOSE,
    ONLY_HUB,
    ONLY_STOP,
)
from engine_service.games.mushi.counts import COLOURS, DIE, GUARD, SIDES, UNITS, card_at, total
from engine_service.games.mushi.draws import FALLS, TURNS
from engine_service.games.mushi.moves import CATCH, STOP, Move, format_move
from engine_service.games.mushi.phases import (
    BOOST,
    CAUGHT,
    CONSOLATION,
    DEAL,
    DICE,
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


class Position(Board):
    """A state of mushi; see the contract of :class:`engine_service.core.game.State`."""

    __slots__ = ()

    def copy(self) -> "Position":
        other = Position(self.rules, self.seats)
        other.phase = self.phase
        other.seat = self.seat
        other.turn = self.turn
        other.player = self.player
        other.target = self.target
        other.rolls = self.rolls
        other.chosen = self.chosen
        other.owed = self.owed
        other.deck = self.deck
        other.hub = self.hub
        other.catch = self.catch
        other.caught = self.caught
        other.dice = self.dice
        other.yards = self.yards[:]
        other.heaps = self.heaps[:]
        other.end = self.end
        other.waiting = self.waiting
        other.choices = self.choices
        return other

    def pending(self) -> Turn | Chance | Over:
        return self.waiting

    def view(self, seat: int | None) -> View:
        return show(self, seat)

    # Decisions

    def legal(self, seat: int) -> list[int]:
        if seat != self.seat or seat < 0:
            raise self._not_your_turn(seat)
        return self.choices.codes[:]

    def default(self, seat: int) -> int:
        if seat != self.seat or seat < 0:
            raise self._not_your_turn(seat)
        return self.choices.codes[0]

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        try:
            move = self.choices.moves[moves[self.seat]]
        except KeyError:
            raise self._refusal(moves) from None
        if len(moves) != 1:
            raise self._refusal(moves)
        phase = self.phase
        if phase == DICE:
            return self._choose_dice(move)
        if phase == BOOST:
            return self._boost(move)
        if phase == TARGET:
            return self._choose_target(move)
        return self._keep(move)

    def _not_your_turn(self, seat: int) -> NotYourTurn:
        waits = f"seat {self.seat} alone decides" if self.seat >= 0 else "no seat decides"
        return NotYourTurn(f"seat {seat} owes no decision; {waits} now")

    def _refusal(self, moves: Mapping[int, int]) -> MoveError:
        strangers = [seat for seat in moves if seat != self.seat or seat < 0]
        if strangers or not moves:
            return self._not_your_turn(strangers[0] if strangers else -1)
        legal = [format_move(code) for code in self.choices.codes]
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return IllegalMove(
            f"seat {self.seat} may not play that now; it may play: {', '.join(legal[:8])}{more}"
        )

    def _choose_target(self, move: Move) -> list[Sighting]:
        if move.code == CATCH:
            self.target = CAUGHT
            return self._ask_boost(events.CATCH_TARGETS[self.owner()][self.player], 0)
        self.target = HUB_CARDS
        told = events.HUB_TARGETS[self.player]
        if self.catch == 0:
            return self._refill(told)
        if self.is_last():
            return self._refill([*told, self._collect(0)])
        return self._ask_keep(told)

    def _ask_keep(self, told: list[Sighting]) -> list[Sighting]:
        self.phase = KEEP
        self.seat = self.owner()
        self.wait()
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
            return self._ask_boost(told, 0)
        if missing <= total(self.yards[self.player]):
            return self._ask_boost(told, missing)
        return self._finish("normal", told)

    def _ask_boost(self, told: list[Sighting], owed: int) -> list[Sighting]:
        player = self.player
        self.owed = owed
        self.phase = BOOST
        self.seat = player
        self.waiting = TURNS[player]
        self.choices = BOOSTS[owed][self.yards[player]]
        return told

    def _boost(self, move: Move) -> list[Sighting]:
        player = self.player
        if self.target == HUB_CARDS:
            self.hub += move.counts
            told = move.to_hub[player]
        else:
            self.catch += move.counts
            told = move.to_catch[player]
        self.yards[player] -= move.counts
        self.owed = 0
        if self.chosen:
            self.phase = ROLL
            self.seat = -1
            self.wait()
        else:
            self.phase = DICE
            self.choices = self.dice.first
        return told

    def _choose_dice(self, move: Move) -> list[Sighting]:
        if move.code == STOP:
            return self._settle([events.stop(self.player, self.caught)])
        self.chosen = move.counts
        if self.rolls and self.rules.boost_every_roll:
            return self._ask_boost(move.rolled[self.player], 0)
        self.phase = ROLL
        self.seat = -1
        self.choices = NOTHING_TO_CHOOSE
        self.waiting = FALLS[self.turn][move.size]
        return move.rolled[self.player]

    def _settle(self, told: list[Sighting]) -> list[Sighting]:
        """The player's turn is done; what is left of a catch that was aimed at goes to its owner."""
        if self.target == CAUGHT and self.catch:
            return self._ask_keep(told)
        return self._next_turn(told)

    def _next_turn(self, told: list[Sighting]) -> list[Sighting]:
        catch = self.caught
        turn = self.turn + 1
        player = self.player + 1
        if player == self.seats:
            player = 0
        self.catch = catch
        self.caught = 0
        self.target = NOTHING
        self.rolls = 0
        self.turn = turn
        self.player = player
        if turn >= self.rules.turn_limit:
            return self._finish("turn_limit", told)
        self.phase = TARGET
        self.seat = player
        self.waiting = TURNS[player]
        self.choices = HUB_OR_CATCH if catch else ONLY_HUB
        return told

    def _finish(self, end: str, told: list[Sighting]) -> list[Sighting]:
        collected = [self._collect(0)] if self.catch else []
        self.end = end
        self.phase = OVER
        self.seat = -1
        self.wait()
        return [*told, *collected, events.end(end, self.scores(), self.ranks())]

    # Chance

    def reading(self, outcome: Sequence[int]) -> View:
        if self.phase == FIRST:
            return {"faces": [str(outcome[0])]}
        if self.phase == ROLL:
            return {"faces": [SIDES[side] for side in outcome]}
        deck = self.deck
        read: list[str] = []
        for index in outcome:
            card = card_at(deck, index)
            deck -= card
            read.append(COLOURS[UNITS.index(card)])
        return {"faces": read}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        phase = self.phase
        if phase == ROLL:
            return self._fall(outcome)
        if phase == FIRST:
            return self._start(outcome[0])
        drawn = self._draw(outcome)
        if phase == CONSOLATION:
            self.yards[self.player] += drawn
            return self._settle([events.consolation(self.player, drawn)])
        self.hub += drawn
        if phase == REFILL:
            return self._check_end([events.refill(drawn)])
        return self._open([events.deal(drawn)])

    def _start(self, seat: int) -> list[Sighting]:
        self.player = seat
        told = [events.first(seat)]
        return told if self._awaits_cards(DEAL) else self._open(told)

    def _open(self, told: list[Sighting]) -> list[Sighting]:
        self.phase = TARGET
        self.seat = self.player
        self.wait()
        return told

    def _draw(self, outcome: Sequence[int]) -> int:
        drawn = 0
        for index in outcome:
            card = card_at(self.deck, index)
            self.deck -= card
            drawn += card
        return drawn

    def _fall(self, outcome: Sequence[int]) -> list[Sighting]:
        counts = self.dice.counts - self.chosen
        for side in outcome:
            counts += DIE[side]
        rules = self.rules
        dice = self.dice = rules.throws[counts]
        rolls = self.rolls = self.rolls + 1
        self.chosen = 0
        won = dice.bugs
        group = self.hub if self.target == HUB_CARDS else self.catch
        if ((group | GUARD) - won) & GUARD != GUARD:  # some colour has more dice than cards
            return self._bust(group)
        if self.target == HUB_CARDS:
            self.hub = group - won
        else:
            self.catch = group - won
        player = self.player
        caught = self.caught = self.caught + won
        self.phase = DICE
        self.seat = player
        self.waiting = TURNS[player]
        self.choices = dice.later if rolls < rules.roll_limit else ONLY_STOP
        return [events.Success(player, counts, caught)]

    def _bust(self, group: int) -> list[Sighting]:
        told: list[Sighting] = [events.Bust(self.player, self.dice.counts, group, self.caught)]
        if self.target == HUB_CARDS:
            self.hub = group + self.caught
        else:
            self.catch = group + self.caught
        self.caught = 0
        if self.deck and self._awaits_cards(CONSOLATION):
            return told
        return self._settle(told)

    def _awaits_cards(self, phase: int) -> bool:
        """Enter a phase in which the deck gives cards, and say whether it has any to give."""
        self.phase = phase
        if self.draw_size() == 0:
            return False
        self.seat = -1
        self.wait()
        return True
