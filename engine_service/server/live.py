"""A table being played in this engine: its referee, its seats, its lease, its watchers."""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Protocol

import orjson

from engine_service.core.clock import UNLIMITED
from engine_service.core.game import MoveError, View, configure
from engine_service.core.referee import Referee
from engine_service.games import find
from engine_service.server.alarms import NEVER, Alarm, Alarms
from engine_service.server.chair import Chair
from engine_service.server.seats import limits_of
from engine_service.server.tallies import Tallies
from engine_service.server.writer import Lease
from engine_service.v1 import play_pb2
from storage.tables import Claim


class Phase(Enum):
    """What a match is doing."""

    SEATING = "seating"  # waiting for its remote players to accept
    PLAYING = "playing"
    CLOSING = "closing"  # over or given up; the database has not been told yet
    CLOSED = "closed"


class Host(Protocol):
    """What a match needs of the engine."""

    alarms: Alarms
    tallies: Tallies

    def conclude(self, match: "LiveMatch") -> None:
        """The match is over: write its result, then tell."""

    def give_up(self, match: "LiveMatch", cause: str, detail: str) -> None:
        """A fault of ours ends this attempt."""

    def blame(self, match: "LiveMatch", error: Exception) -> None:
        """The rules or the engine raised what they must not: gives the attempt up."""


class LiveMatch:
    """One table, from its claim to the moment the database knows how it ended.

    GameError if this engine has no such game, variant or config. ``alarm_at``: when its one alarm rings;
    ``moved_at``: when anybody last moved; ``seated``: all remote players have accepted, or need not any more.
    """

    def __init__(self, host: Host, claim: Claim, lease: Lease, caller: str) -> None:
        table = claim.table
        self.id = table.id
        self.host, self.table, self.lease, self.caller = host, table, lease, caller
        self.fence, self.attempt = claim.fence, claim.attempt
        self.game, variant = find(f"{table.game}/{table.variant}")
        self.tally = host.tallies.game(table.game)
        self.phase = Phase.SEATING
        self.playing = False  # whether moves count: phase is PLAYING, read at every move
        self.chairs = [Chair(self, row) for row in table.seats]
        self.players = [row.full_name for row in table.seats]
        self.followers = False  # somebody wants updates that ask for nothing
        self.watchers: set[asyncio.Event] = set()
        self.ending: play_pb2.Ended | None = None
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.moved_at = 0
        self.begun = False
        self.alarm_at = NEVER
        self.tickets_due = NEVER
        self._alarm: Alarm | None = None
        self.wall_at = NEVER
        self._config = orjson.dumps(configure(variant, table.config)).decode()
        self.texts: dict[int, str] = {}
        self._timed = any(limits_of(row, table.clock) is not UNLIMITED for row in table.seats)
        self._public: list[str] = []
        self._public_pulled = 0
        self.referee: Referee

    # Seating

    def started(self, chair: Chair) -> play_pb2.Started:
        """What a client is told when it gets a seat."""
        limits = limits_of(chair.row, self.table.clock)
        return play_pb2.Started(
            match=self.id,
            seat=chair.seat,
            game=self.table.game,
            variant=self.table.variant,
            config=self._config,
            players=self.players,
            commitment=self.table.commitment,
            first_ms=limits.first_ms or 0,
            move_ms=limits.move_ms or 0,
            bank_ms=limits.bank_ms,
        )

    def accept(self, chair: Chair) -> None:
        """A remote player sits down."""
        chair.accepted = True
        if not self.seated.done() and all(c.accepted for c in self.chairs if c.remote):
            self.seated.set_result(None)

    def begin(self, now: int, wall_ms: int, tickets_ms: int) -> None:
        """Makes the referee and asks the first decisions. Raises what the rules raise."""
        table = self.table
        assert table.seed is not None  # noqa: S101  # tells mypy: a claim has it
        self.referee = Referee(
            match=self.id,
            game=self.game,
            variant=table.variant,
            config=table.config,
            seats=len(table.seats),
            players=self.players,
            seed=table.seed,
            limits=[limits_of(row, table.clock) for row in table.seats],
            now=now,
        )
        self.begun = True
        self.phase = Phase.PLAYING
        self.playing = True
        self.moved_at = now
        self.wall_at = now + wall_ms
        if self.untaken():
            self.expect_tickets(now + tickets_ms)
        for chair in self.chairs:
            if chair.remote and chair.stream is None:
                self.referee.leave(chair.seat, now)
        self.settle(now)

    # Playing

    @property
    def ended(self) -> bool:
        """Whether nothing can change its end."""
        return self.phase in (Phase.CLOSING, Phase.CLOSED)

    def answer(self, chair: Chair, decision: int, text: str, now: int) -> bool:
        """One answer of a seat's. MoveError if it does not count; the match goes on either way.

        False for an answer that was given before.
        """
        try:
            self.referee.submit(chair.seat, decision, text, now)
        except MoveError:
            self.settle(now)
            raise
        except Exception as error:  # noqa: BLE001  # a fault in the rules must end this attempt only
            self.host.blame(self, error)
            return False
        fresh = decision == chair.asked
        if fresh:
            chair.asked = 0
            chair.acked = chair.shown
            tally = self.tally
            tally.moves += 1
            tally.move_ms.add(now - chair.opened_ms)
            self.moved_at = now
        self.settle(now)
        return fresh

    def forfeit(self, chair: Chair, why: str, now: int) -> None:
        """The seat is given up: ``crash`` or ``resigned``."""
        self.guarded(lambda: self.referee.forfeit(chair.seat, why, now), now)

    def leave(self, chair: Chair, now: int) -> None:
        """The seat's player has no stream."""
        self.guarded(lambda: self.referee.leave(chair.seat, now), now)

    def come(self, chair: Chair, now: int) -> None:
        """The seat has a stream, which is told where the match stands and asked what the seat owes.

        A bridge's bots have just begun: they are told nothing before they owe something.
        """
        self.guarded(lambda: self.referee.come(chair.seat, now), now)
        if chair.remote or self.followers or self.referee.decision(chair.seat) is not None:
            chair.owe()

    def forgive(self, since: int, now: int) -> None:
        """The time from ``since`` to ``now`` is not charged to any seat, nor to a bridge."""
        if self.tickets_due != NEVER:
            self.tickets_due += now - since
        self.moved_at += now - since
        if self._timed:
            self.guarded(lambda: self._skip(since, now), now)

    def _skip(self, since: int, now: int) -> None:
        for chair in self.chairs:
            self.referee.stop_clock(chair.seat, since)
            self.referee.start_clock(chair.seat, now)

    def guarded(self, act: Callable[[], None], now: int) -> None:
        """Does something with the referee, then sees to what follows; a fault ends the attempt."""
        if not self.playing:
            return
        try:
            act()
        except Exception as error:  # noqa: BLE001  # a fault in the rules must end this attempt only
            self.host.blame(self, error)
            return
        self.settle(now)

    def settle(self, now: int) -> None:
        """After anything that may have changed the match: queue what is to be told, set the alarm, end."""
        referee = self.referee
        for seat in referee.fresh():
            chair = self.chairs[seat]
            if chair.stream is not None and not chair.dirty:
                chair.dirty = True
                chair.stream.queue(chair)
        if self.followers:
            self._tell_followers()
        if self.watchers:
            for watcher in self.watchers:
                watcher.set()
        if referee.over:
            self.host.conclude(self)
        elif self._timed:
            due = referee.deadline()
            if due is not None and due < self.alarm_at:
                self._set_alarm(due)

    def wake(self, now: int) -> None:
        """The alarm's time has come."""
        self.alarm_at, self._alarm = NEVER, None
        if not self.playing:
            return
        if now >= self.tickets_due:
            empty = self.untaken()
            if empty:
                self.host.give_up(self, "bridge", f"no bridge fills seats {empty}")
                return
            self.tickets_due = NEVER
        self.guarded(lambda: self.referee.expire(now), now)
        self._set_alarm(self.tickets_due)

    def close(self) -> None:
        """Nothing will happen to this match any more."""
        self.stop(Phase.CLOSED)
        if self._alarm is not None:
            self._alarm.cancel()
        for watcher in self.watchers:
            watcher.set()

    def expect_tickets(self, due: int) -> None:
        """A bridge's seats are empty; if they still are at ``due``, the attempt ends."""
        self.tickets_due = min(self.tickets_due, due)
        self._set_alarm(due)

    def stop(self, phase: Phase) -> None:
        """No move counts any more."""
        self.phase = phase
        self.playing = False
        if not self.seated.done():
            self.seated.set_result(None)

    def untaken(self) -> list[int]:
        """The bridge's seats that nobody has taken."""
        return [chair.seat for chair in self.chairs if not chair.remote and chair.stream is None]

    def _set_alarm(self, at: int) -> None:
        if at < self.alarm_at:
            if self._alarm is not None:
                self._alarm.cancel()
            self.alarm_at = at
            self._alarm = self.host.alarms.set(at, self.wake)

    def _tell_followers(self) -> None:
        count = self.referee.sighting_count
        for chair in self.chairs:
            if chair.stream is not None and chair.stream.every_update and chair.pulled < count:
                chair.owe()

    # Showing

    def text_of(self, number: int, event: View) -> str:
        """The match's n-th sighting as JSON, written once for all who see it."""
        text = self.texts.get(number)
        if text is None:
            self.texts[number] = text = orjson.dumps(event).decode()
        return text

    def public_log(self) -> list[str]:
        """All that a spectator has been shown, as JSON, numbered without gaps."""
        count = self.referee.sighting_count
        if count > self._public_pulled:
            for number, event in self.referee.sightings(None, self._public_pulled):
                self._public.append(self.text_of(number, event))
            self._public_pulled = count
        return self._public

    def public_view(self) -> str:
        """What a spectator sees now, as JSON."""
        return orjson.dumps(self.referee.view(None)).decode()
