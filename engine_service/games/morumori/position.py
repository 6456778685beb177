"""How moves and chance change a position of morumori."""

from collections.abc import Mapping, Sequence

from engine_service.core.game import Chance, Over, Sighting, Turn, View
from engine_service.games.morumori import events
from engine_service.games.morumori.board import Board
from engine_service.games.morumori.draws import SCATTERS, TURNS
from engine_service.games.morumori.events import Companion, Failure, Flip, Scatter, Success, Take
from engine_service.games.morumori.faces import EQUALS, FACES, MISS, NUMBERS, TIMES_TWO, ZERO
from engine_service.games.morumori.moves import SLOT
from engine_service.games.morumori.phases import COMPANION, FIRST, FLIP, LAYOUT, OVER, PEEK, SCATTER, TAKE
from engine_service.games.morumori.views import show


class Position(Board):
    """A state of morumori; see the contract of :class:`engine_service.core.game.State`."""

    __slots__ = ()

    def copy(self) -> "Position":
        other = Position(self.rules, self.seats)
        other.phase = self.phase
        other.waiting = self.waiting
        other.faces = self.faces[:]
        other.down = self.down[:]
        other.codes = other.down if self.codes is self.down else self.codes[:]
        other.up = self.up[:]
        other.mixed = self.mixed[:]
        other.owed = self.owed
        other.start = self.start
        other.player = self.player
        other.turn = self.turn
        other.target = self.target
        other.total = self.total
        other.lives = self.lives
        other.discard = self.discard[:]
        other.piles = [pile[:] for pile in self.piles]
        other.end = self.end
        return other

    def pending(self) -> Turn | Chance | Over:
        return self.waiting

    def view(self, seat: int | None) -> View:
        return show(self, seat)

    # Decisions

    def legal(self, seat: int) -> list[int]:
        return self.options(seat)[:]

    def options(self, seat: int) -> list[int]:
        codes = self.codes
        if seat != self.player or not codes:
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
        codes = self.codes
        if seat != self.player or code not in codes:
            raise self.refusal({seat: code})
        codes.remove(code)
        if self.phase == FLIP:
            return self._flip(code)
        slot = code & SLOT
        return self._take(slot) if self.phase == TAKE else self._accompany(slot)

    def _flip(self, slot: int) -> list[Sighting]:
        face = self.faces[slot]
        self.up.append(slot)
        if face < NUMBERS:
            self.total += face + 1
        elif face == TIMES_TWO:
            self.total *= 2
        elif face == ZERO:
            self.total = 0
        total = self.total
        told: list[Sighting] = [Flip(self.player, slot, face, total, len(self.up))]
        if face == EQUALS or total == self.target:
            return self._succeed(told)
        if face == MISS:
            return self._fail(events.MISSED, told)
        if total > self.target:
            return self._fail(events.OVER_TARGET, told)
        return told if self.down else self._fail(events.NO_CARD, told)

    def _succeed(self, told: list[Sighting]) -> list[Sighting]:
        met, rules = self.target, self.rules
        is_last = met == rules.last
        if rules.coop:
            self.lives = min(self.lives + 1, rules.lives)
        if rules.coop or not is_last:
            self.target = met + 1
        slots = [] if is_last else self._leaving()
        faces = [self.remove(slot) for slot in slots]
        told.append(Success(self.player, met, slots, faces, self.good_lives()))
        for face in faces:
            self._put_away(face)
        if is_last:
            return self._finish("normal", told)
        return self._ask_for_one_more(told)

    def _leaving(self) -> list[int]:
        """The lowest slot of each number that is up twice or more, and the ``=``; ascending."""
        faces, once, twice = self.faces, 0, 0
        for slot in self.up:
            bit = 1 << faces[slot]
            twice |= once & bit
            once |= bit
        twice &= (1 << NUMBERS) - 1
        twice |= once & 1 << EQUALS
        return self._lowest(twice) if twice else []

    def _lowest(self, wanted: int) -> list[int]:
        """The lowest turned-up slot of each face whose bit is set."""
        found: list[int] = []
        for slot in sorted(self.up):
            bit = 1 << self.faces[slot]
            if wanted & bit:
                found.append(slot)
                wanted -= bit
        return found

    def _put_away(self, face: int) -> None:
        """Numbers go to the player's pile in versus; all else is discarded."""
        if face < NUMBERS and not self.rules.coop:
            self.piles[self.player].append(face)
        else:
            self.discard.append(face)

    def _ask_for_one_more(self, told: list[Sighting]) -> list[Sighting]:
        takes = self.takes()
        if not takes:
            return self._gather(told)
        self.phase = TAKE
        self.codes = takes
        return told

    def _take(self, slot: int) -> list[Sighting]:
        face = self.remove(slot)
        self._put_away(face)
        pile = None if self.rules.coop else self.player
        return self._gather([Take(self.player, slot, face, pile)])

    def _fail(self, why: str, told: list[Sighting]) -> list[Sighting]:
        coop = self.rules.coop
        if coop:
            self.lives -= 1
        told.append(Failure(self.player, why, self.total, self.target, self.good_lives()))
        return self._finish("normal", told) if coop and not self.lives else self._gather(told)

    def _gather(self, told: list[Sighting]) -> list[Sighting]:
        """Begin the scatter of the turned-up ``x2`` and ``0``, if there are any."""
        faces = self.faces
        specials = [slot for slot in self.up if TIMES_TWO <= faces[slot] <= ZERO]
        if not specials:
            return self._next_turn(told)
        self.mixed = specials
        others = self.companions()
        self.owed = min(self.rules.companions, len(others))
        if not self.owed:
            return self._mix(told)
        self.phase = COMPANION
        self.codes = others
        return told

    def _accompany(self, slot: int) -> list[Sighting]:
        self.mixed.append(slot)
        self.owed -= 1
        told: list[Sighting] = [Companion(self.player, slot)]
        return told if self.owed else self._mix(told)

    def _mix(self, told: list[Sighting]) -> list[Sighting]:
        self.mixed.sort()
        self._await(SCATTER, SCATTERS[len(self.mixed)])
        return told

    def _next_turn(self, told: list[Sighting]) -> list[Sighting]:
        """All cards are turned down and the next seat plays, if the match goes on."""
        player = self.player + 1
        if player == self.seats:
            player = 0
        self.player = player
        self.turn += 1
        self.total = 0
        self.down += self.up
        self.down.sort()
        self.up = []
        if self.turn >= self.rules.turn_limit and not self.rules.coop:
            return self._finish("turn_limit", told)
        return self._begin_turn(told) if self.down else self._finish("normal", told)

    def _begin_turn(self, told: list[Sighting]) -> list[Sighting]:
        self.phase = FLIP
        self.codes = self.down
        self.waiting = TURNS[self.player]
        told.append(events.TURN_BEGINS[self.player][self.target])
        return told

    def _finish(self, end: str, told: list[Sighting]) -> list[Sighting]:
        self.end = end
        scores, ranks = self.scores(), self.ranks()
        self._await(OVER, Over(end, scores, ranks))
        told.append(events.end(end, scores, ranks, self.rules.coop))
        return told

    def _await(self, phase: int, waiting: Chance | Over) -> None:
        """Enter a phase in which no seat decides."""
        self.phase = phase
        self.waiting = waiting
        self.codes = []

    # Chance

    def reading(self, outcome: Sequence[int]) -> View:
        if self.phase == FIRST:
            return {"faces": [str(outcome[0])]}
        if self.phase == PEEK:
            return {"slots": _draw(range(len(self.faces)), outcome)}
        if self.phase == LAYOUT:
            return {"faces": _texts(_draw(self.rules.cards, outcome))}
        return {"slots": self.mixed[:], "faces": _texts(_draw(self._mixed_faces(), outcome))}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        if self.phase == SCATTER:
            return self._scatter(outcome)
        if self.phase == FIRST:
            return self._start(outcome[0])
        if self.phase == LAYOUT:
            return self._lay_out(outcome)
        return self._peek(outcome)

    def _start(self, seat: int) -> list[Sighting]:
        self.start = seat
        self.player = seat
        self._await(LAYOUT, self.rules.layout)
        return [events.first(seat)]

    def _lay_out(self, outcome: Sequence[int]) -> list[Sighting]:
        self.faces = _draw(self.rules.cards, outcome)
        self.down = list(range(len(self.faces)))
        told = [events.layout(len(self.faces))]
        if not self.rules.peek.sizes:
            return self._begin_turn(told)
        self._await(PEEK, self.rules.peek)
        return told

    def _peek(self, outcome: Sequence[int]) -> list[Sighting]:
        slots = _draw(range(len(self.faces)), outcome)
        return self._begin_turn([events.peek(slots, [self.faces[slot] for slot in slots])])

    def _scatter(self, outcome: Sequence[int]) -> list[Sighting]:
        faces, slots = self.faces, self.mixed
        for slot, face in zip(slots, _draw(self._mixed_faces(), outcome), strict=True):
            faces[slot] = face
        self.mixed = []
        return self._next_turn([Scatter(self.player, slots)])

    def _mixed_faces(self) -> list[int]:
        """The faces to be scattered, in canonical order."""
        return sorted([self.faces[slot] for slot in self.mixed])


def _draw(cards: Sequence[int], outcome: Sequence[int]) -> list[int]:
    """Each outcome is an index into the cards that are still left."""
    left = list(cards)
    return [left.pop(index) for index in outcome]


def _texts(faces: list[int]) -> list[str]:
    return [FACES[face] for face in faces]
