"""Conducts one match: chance, decisions, clocks, strikes, forfeits. No I/O, no clock of its own.

``now`` is in milliseconds of any monotonic clock. A decision is closed once every seat that
owes one has answered; until then nothing of any answer is shown: the position, and with it
every view, stays as it was, and each seat's decisions and tries are counted for itself.
"""

from collections.abc import Sequence

from engine_service.core import record
from engine_service.core.clock import NEVER, Limits
from engine_service.core.course import Course
from engine_service.core.game import (
    Config,
    ConfigError,
    Game,
    NotationError,
    Over,
    Turn,
    View,
    check_seats,
    configure,
    variant_of,
)
from engine_service.core.notation import enumerate_some, notation_of
from engine_service.core.outcome import Outcome
from engine_service.core.place import TRIES, Decision, Place
from engine_service.core.record import Event
from engine_service.core.refusals import Late, Misread, NoSeat, NotAllowed, untimely

__all__ = ["Decision", "Outcome", "Referee"]


class Referee:
    """One match, from its first outcome to its end.

    ``config`` may leave out keys that have a default. ``players`` and ``limits`` have one
    entry a seat. Chance is drawn at once, up to the first decision. ConfigError if variant,
    config, seats, players or limits do not fit the game.
    """

    def __init__(
        self,
        *,
        match: str,
        game: Game,
        variant: str,
        config: Config,
        seats: int,
        players: Sequence[str],
        seed: bytes,
        limits: Sequence[Limits],
        now: int,
    ) -> None:
        card = variant_of(game, variant)
        check_seats(card, seats)
        if not len(players) == len(limits) == seats:
            raise ConfigError(f"{seats} seats, but {len(players)} players and {len(limits)} limits")
        complete = configure(card, config)
        header = record.header(match, game, variant, complete, players, seed)
        self.match = match
        self.seats = seats
        self._notation = notation_of(game)
        self._course = Course(header, game, game.new(variant, complete, seats), seed)
        self._places = [Place(limit) for limit in limits]
        self._fresh: list[int] = []
        self._waiting = 0
        self._moves: dict[int, int] = {}
        self._ms: dict[int, int] = {}
        self._why: dict[int, str] = {}
        self._run(now)

    # What is so

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._course.over is not None

    @property
    def result(self) -> Outcome:
        """What the match came to; only when over."""
        strikes = [place.strikes for place in self._places]
        return Outcome(self._ended(), self.forfeits, strikes, self._course.answers)

    def replay(self) -> bytes:
        """The record of the match; only when over, for it tells the seed."""
        return self._course.replay(self._ended())

    @property
    def log(self) -> list[Event]:
        """What has happened so far, for a journal. It holds what nobody at the table may see."""
        return self._course.log

    @property
    def forfeits(self) -> dict[int, str]:
        """Why each forfeited seat is so. Not for the table to see while a decision is open."""
        return {seat: place.forfeit for seat, place in enumerate(self._places) if place.forfeit is not None}

    def decision(self, seat: int) -> Decision | None:
        """What the seat owes now; None: nothing."""
        place = self._place(seat)
        if not place.is_open:
            return None
        return Decision(seat, place, self._codes(seat, place), self._notation)

    def fresh(self) -> list[int]:
        """The seats that owe a decision which has opened since the last call."""
        if not self._fresh:
            return []
        opened, self._fresh = self._fresh, []
        if len(opened) > 1:  # the clock may have played one and asked again
            opened = list(dict.fromkeys(opened))
        return [seat for seat in opened if self._places[seat].is_open]

    def view(self, seat: int | None) -> View:
        """What the seat (None: a spectator) may see now."""
        return self._course.state.view(seat)

    def sightings(self, seat: int | None, since: int) -> list[tuple[int, View]]:
        """The sightings from number ``since`` that the seat (None: a spectator) was shown.

        Numbers are the match's, so a seat's own have gaps. The events are not to be changed.
        """
        return self._course.sightings(seat, since)

    @property
    def sighting_count(self) -> int:
        """How many sightings there have been, whoever saw them."""
        return len(self._course.shown)

    # What seats do

    def submit(self, seat: int, decision: int, text: str, now: int) -> None:
        """Answer a decision. The same answer twice is harmless.

        Raises, see :mod:`engine_service.core.refusals`: Misread or NotAllowed, and the
        decision stays open (with ``tries_left`` 0 the clock has played); NotYourTurn or one
        of its kinds, and nothing has changed but for what was overdue.
        """
        place = self._place(seat)
        if not place.is_open or decision != place.asked:
            self._check_repeated(seat, place, decision, text)
            return
        if now >= place.clock.due:
            self.expire(now)
            raise Late(f"decision {decision} of seat {seat} was due; the clock has played it")
        code = self._notation.codes.get(text)
        if code is None or code not in self._codes(seat, place):
            code = self._read(seat, place, text, now)
        place.close(code)
        self._note(seat, code, place.clock.close(now))
        if self._waiting == 0:
            self._run(now)

    def leave(self, seat: int, now: int) -> None:
        """The seat has no connection: the clock plays when limit and bank or grace is over."""
        self._place(seat).clock.leave(now)

    def come(self, seat: int, now: int) -> None:
        """The seat is connected again; what was overdue before is played first."""
        place = self._place(seat)
        self.expire(now)
        place.clock.come()

    def forfeit(self, seat: int, why: str, now: int) -> None:
        """The clock plays the seat's defaults from now on, at once. The first reason stands.

        ``why`` is ``crash`` for a dead bot, ``resigned``, or an event's rule.
        """
        place = self._place(seat)
        if place.forfeit is not None or self.over:
            return
        place.forfeit = why
        if place.is_open:
            self._default(seat, place, record.CRASH if why == record.CRASH else record.FORFEITED, 0)
            if self._waiting == 0:
                self._run(now)

    # Time

    def expire(self, now: int) -> None:
        """Let the clock play for every seat that is overdue."""
        for seat, place in enumerate(self._places):
            if place.is_open and now >= place.clock.due:
                self._expire(seat, place, now)
        if self._waiting == 0:
            self._run(now)

    def deadline(self) -> int | None:
        """The earliest time at which :meth:`expire` would play; None: it would not."""
        due = NEVER
        for place in self._places:
            if place.is_open and place.clock.due < due:
                due = place.clock.due
        return None if due == NEVER else due

    def stop_clock(self, seat: int, now: int) -> None:
        """Time until :meth:`start_clock` is not the seat's: a hand-over of ours."""
        self._place(seat).clock.stop(now)

    def start_clock(self, seat: int, now: int) -> None:
        """The seat's time runs on."""
        self._place(seat).clock.start(now)

    # Answers

    def _ended(self) -> Over:
        if self._course.over is None:
            raise ValueError(f"match {self.match} is not over")
        return self._course.over

    def _place(self, seat: int) -> Place:
        if not 0 <= seat < len(self._places):
            raise NoSeat(f"there is no seat {seat}; this match has seats 0 to {len(self._places) - 1}")
        return self._places[seat]

    def _codes(self, seat: int, place: Place) -> list[int]:
        if place.codes is None:
            place.codes = self._course.state.legal(seat)
        return place.codes

    def _check_repeated(self, seat: int, place: Place, decision: int, text: str) -> None:
        code = place.answers[decision - 1] if 1 <= decision <= len(place.answers) else None
        given = None if code is None else self._notation.text(code)
        if given is None or given != text:
            raise untimely(seat, place, decision, given, self.over)

    def _read(self, seat: int, place: Place, text: str, now: int) -> int:
        """The code of an answer that is not plainly legal; raises unless it is one after all."""
        try:
            code = self._notation.code(text)
        except NotationError as error:
            left, after = self._refuse(seat, place, now)
            raise Misread(f"{error}{after}", left) from error
        codes = self._codes(seat, place)
        if code not in codes:
            may = enumerate_some(self._notation.texts(codes))
            left, after = self._refuse(seat, place, now)
            raise NotAllowed(f"seat {seat} may not play {text!r} now; it may play {may}{after}", left)
        return code

    def _refuse(self, seat: int, place: Place, now: int) -> tuple[int, str]:
        place.refused += 1
        left = TRIES - place.refused
        if left:
            return left, ""
        default = self._notation.text(self._course.state.default(seat))
        self._strike(seat, place, record.ILLEGAL, now)
        if self._waiting == 0:
            self._run(now)
        return 0, f"; refused {TRIES} times, so the clock has played {default!r}"

    def _expire(self, seat: int, place: Place, now: int) -> None:
        self._strike(seat, place, record.DISCONNECT if place.clock.absent else record.TIMEOUT, now)

    def _strike(self, seat: int, place: Place, why: str, now: int) -> None:
        place.strike(why)
        self._default(seat, place, why, place.clock.close(now))

    def _default(self, seat: int, place: Place, why: str, ms: int) -> None:
        place.close(None)
        self._why[seat] = why
        self._note(seat, self._course.state.default(seat), ms)

    def _note(self, seat: int, code: int, ms: int) -> None:
        self._moves[seat] = code
        self._ms[seat] = ms
        self._waiting -= 1

    # The course of the match

    def _run(self, now: int) -> None:
        course = self._course
        while self._waiting == 0 and course.over is None:
            if course.turn is not None:
                course.play(self._moves, self._ms, self._why)
                self._moves, self._ms, self._why = {}, {}, {}
            course.advance()
            if course.turn is not None:
                self._open(course.turn, now)

    def _open(self, turn: Turn, now: int) -> None:
        self._waiting = len(turn.seats)
        for seat in turn.seats:
            place = self._places[seat]
            place.open(now)
            if place.forfeit is not None:
                self._default(seat, place, record.FORFEITED, 0)
            elif place.clock.due <= now:
                self._expire(seat, place, now)
            else:
                self._fresh.append(seat)
