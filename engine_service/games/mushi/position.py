"""How moves and chance change a position of mushi."""

from collections.abc import Mapping, Sequence

from engine_service.core.game import Chance, IllegalMove, MoveError, NotYourTurn, Over, Sighting, Turn, View
from engine_service.games.mushi import events
from engine_service.games.mushi.board import Board
from engine_service.games.mushi.counts import (
    BUGS,
    COLOURS,
    DIE,
    FACES,
    UNITS,
    card_at,
    excess,
    total,
)
from engine_service.games.mushi.moves import CATCH, COUNTS, MOST_DICE, STOP, format_move
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

TURNS = [Turn([seat]) for seat in range(5)]
SIXES = [[6] * dice for dice in range(MOST_DICE + 1)]
DEALS: dict[int, Chance] = {}


def deal(deck: int, size: int) -> Chance:
    """The chance of drawing ``size`` cards from a deck of ``deck``; one object for each such chance."""
    key = 256 * deck + size
    if key not in DEALS:
        DEALS[key] = Chance("deck", list(range(deck, deck - size, -1)))
    return DEALS[key]


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

    # What has to happen

    def pending(self) -> Turn | Chance | Over:
        waiting = self.waiting
        if waiting is None:
            waiting = self.waiting = TURNS[self.seat] if self.seat >= 0 else self._await_chance()
        return waiting

    def _await_chance(self) -> Chance | Over:
        phase = self.phase
        if phase == ROLL:
            return Chance(f"dice/{self.turn}", SIXES[total(self.chosen)])
        if phase == FIRST:
            return Chance("first", [self.seats])
        if phase == OVER:
            return Over(self.end, self.scores(), self.ranks())
        return deal(total(self.deck), self.draw_size())

    # Decisions

    def legal(self, seat: int) -> list[int]:
        if seat != self.seat or seat < 0:
            raise self._not_your_turn(seat)
        choices = self.choices
        if choices is None:
            choices = self.choices = self.options()
        return choices.codes[:]

    def default(self, seat: int) -> int:
        return self.legal(seat)[0]

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        if self.seat < 0:
            raise self._refusal(moves)
        choices = self.choices or self.options()
        code = moves.get(self.seat, -1)
        if len(moves) != 1 or code not in choices.known:
            raise self._refusal(moves)
        self.waiting = None
        self.choices = None
        phase = self.phase
        if phase == DICE:
            return self._stop() if code == STOP else self._choose_dice(code & COUNTS)
        if phase == BOOST:
            return self._boost(code & COUNTS)
        if phase == TARGET:
            return self._choose_target(code)
        told = [self._collect(code & COUNTS)]
        return self._refill(told) if self.target == HUB_CARDS else self._next_turn(told)

    def _not_your_turn(self, seat: int) -> NotYourTurn:
        waits = f"seat {self.seat} alone decides" if self.seat >= 0 else "no seat decides"
        return NotYourTurn(f"seat {seat} owes no decision; {waits} now")

    def _refusal(self, moves: Mapping[int, int]) -> MoveError:
        strangers = [seat for seat in moves if seat != self.seat or seat < 0]
        if strangers or not moves:
            return self._not_your_turn(strangers[0] if strangers else -1)
        legal = [format_move(code) for code in self.options().codes]
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return IllegalMove(
            f"seat {self.seat} may not play that now; it may play: {', '.join(legal[:8])}{more}"
        )

    def _choose_target(self, code: int) -> list[Sighting]:
        if code == CATCH:
            told = [events.target(self.player, "catch", self.owner())]
            self.target = CAUGHT
            return self._ask_boost(told, 0)
        told = [events.target(self.player, "hub", None)]
        self.target = HUB_CARDS
        if self.catch == 0:
            return self._refill(told)
        if self.is_last():
            told.append(self._collect(0))
            return self._refill(told)
        return self._ask_keep(told)

    def _ask_keep(self, told: list[Sighting]) -> list[Sighting]:
        self.phase = KEEP
        self.seat = self.owner()
        return told

    def _collect(self, kept: int) -> Sighting:
        seat = self.owner()
        piled = self.catch - kept
        self.yards[seat] += kept
        self.heaps[seat] += piled
        self.catch = 0
        return events.keep(seat, kept, piled)

    def _refill(self, told: list[Sighting]) -> list[Sighting]:
        if self.turn == 0:
            return self._check_end(told)
        self.phase = REFILL
        return told if self._awaits_cards() else self._check_end(told)

    def _check_end(self, told: list[Sighting]) -> list[Sighting]:
        missing = self.rules.hub_floor - total(self.hub)
        if missing <= 0 or self.deck:
            return self._ask_boost(told, 0)
        if missing <= total(self.yards[self.player]):
            return self._ask_boost(told, missing)
        return self._finish("normal", told)

    def _ask_boost(self, told: list[Sighting], owed: int) -> list[Sighting]:
        self.owed = owed
        self.phase = BOOST
        self.seat = self.player
        return told

    def _boost(self, moved: int) -> list[Sighting]:
        self.yards[self.player] -= moved
        if self.target == HUB_CARDS:
            self.hub += moved
        else:
            self.catch += moved
        self.owed = 0
        if self.chosen:
            self.phase = ROLL
            self.seat = -1
        else:
            self.phase = DICE
        return [events.boost(self.player, moved, self.target == HUB_CARDS)]

    def _choose_dice(self, chosen: int) -> list[Sighting]:
        self.chosen = chosen
        if self.rules.boost_every_roll and self.rolls:
            self.phase = BOOST
        else:
            self.phase = ROLL
            self.seat = -1
        return [events.roll(self.player, chosen)]

    def _stop(self) -> list[Sighting]:
        told = [events.stop(self.player, self.caught)]
        return self._settle(told)

    def _settle(self, told: list[Sighting]) -> list[Sighting]:
        """The player's turn is done; what is left of a catch that was aimed at goes to its owner."""
        if self.target == CAUGHT and self.catch:
            return self._ask_keep(told)
        return self._next_turn(told)

    def _next_turn(self, told: list[Sighting]) -> list[Sighting]:
        self.catch = self.caught
        self.caught = 0
        self.target = NOTHING
        self.rolls = 0
        self.turn += 1
        self.player += 1
        if self.player == self.seats:
            self.player = 0
        self.phase = TARGET
        self.seat = self.player
        return told if self.turn < self.rules.turn_limit else self._finish("turn_limit", told)

    def _finish(self, end: str, told: list[Sighting]) -> list[Sighting]:
        if self.catch:
            told.append(self._collect(0))
        self.end = end
        self.phase = OVER
        self.seat = -1
        told.append(events.end(end, self.scores(), self.ranks()))
        return told

    # Chance

    def reading(self, outcome: Sequence[int]) -> View:
        if self.phase == FIRST:
            return {"faces": [str(outcome[0])]}
        if self.phase == ROLL:
            return {"faces": [FACES[min(side, 4)] for side in outcome]}
        deck = self.deck
        read: list[str] = []
        for index in outcome:
            card = card_at(deck, index)
            deck -= card
            read.append(COLOURS[UNITS.index(card)])
        return {"faces": read}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        self.waiting = None
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
        self.phase = DEAL
        told = [events.first(seat)]
        return told if self._awaits_cards() else self._open(told)

    def _open(self, told: list[Sighting]) -> list[Sighting]:
        self.phase = TARGET
        self.seat = self.player
        return told

    def _draw(self, outcome: Sequence[int]) -> int:
        drawn = 0
        for index in outcome:
            card = card_at(self.deck, index)
            self.deck -= card
            drawn += card
        return drawn

    def _fall(self, outcome: Sequence[int]) -> list[Sighting]:
        dice = self.dice - self.chosen
        for side in outcome:
            dice += DIE[side]
        self.dice = dice
        self.chosen = 0
        self.rolls += 1
        over = excess(dice, self.hub if self.target == HUB_CARDS else self.catch)
        return self._bust(over) if over else self._succeed(dice & BUGS)

    def _succeed(self, won: int) -> list[Sighting]:
        if self.target == HUB_CARDS:
            self.hub -= won
        else:
            self.catch -= won
        self.caught += won
        self.phase = DICE
        self.seat = self.player
        return [events.success(self.player, self.dice, won, self.caught)]

    def _bust(self, over: int) -> list[Sighting]:
        told = [events.bust(self.player, self.dice, over, self.caught)]
        if self.target == HUB_CARDS:
            self.hub += self.caught
        else:
            self.catch += self.caught
        self.caught = 0
        self.phase = CONSOLATION
        return told if self._awaits_cards() else self._settle(told)

    def _awaits_cards(self) -> bool:
        """Whether the deck has cards to give in this phase."""
        size = self.draw_size()
        if size:
            self.seat = -1
            self.waiting = deal(total(self.deck), size)
        return size > 0

    def view(self, seat: int | None) -> View:
        return show(self, seat)
