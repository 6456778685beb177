"""The engine itself: its matches, guests and streams, and how a match ends.

Streams are told of an end only once the database knows it.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

from engine_service.server.alarms import Alarms, monotonic_ms
from engine_service.server.bench import Bench
from engine_service.server.chair import Chair, by_player
from engine_service.server.guests import Guests
from engine_service.server.live import LiveMatch, Phase
from engine_service.server.pulse import Pulse
from engine_service.server.results import ending_of, finished_of, without_result
from engine_service.server.stream import Stream
from engine_service.server.tallies import Tallies, count
from engine_service.server.writer import LeaseOver, Writer
from engine_service.v1 import play_pb2
from service.logging import get
from service.settings import Settings
from storage import tables
from storage.tables import Finished

_log = get("engine")

AGAIN = "the table will be played again"
SPOILT = "its deal has been seen, so the whole set is dealt anew"
ABSENCES = frozenset({"timeout", "disconnect"})
"""Forfeits of those who kept the others waiting."""


class Hall:
    """All that runs in one engine. Lives in one event loop; nothing here blocks it."""

    def __init__(self, settings: Settings, name: str, writer: Writer) -> None:
        self.settings = settings
        self.name = name
        self.writer = writer
        self.loop = asyncio.get_running_loop()
        self.pulse = Pulse(self.loop, self.forgive)
        self.alarms = Alarms(self.loop, self.pulse.check)
        self.guests = Guests(Bench(settings.bench_ms, settings.bench_most_ms), settings.owner_matches)
        self.tallies = Tallies()
        self.matches: dict[str, LiveMatch] = {}
        self.streams: set[Stream] = set()
        self.draining = False
        self.idle = asyncio.Event()
        self.idle.set()
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Runs something to its end, whoever waits for it; an exception is logged."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)
        return task

    def _spawned(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("task_failed", exc_info=task.exception())

    async def settle_tasks(self) -> None:
        """Waits for all that was spawned."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    # Matches

    def add(self, match: LiveMatch) -> None:
        """A match is open from here on."""
        self.matches[match.id] = match
        self.idle.clear()

    def remove(self, match: LiveMatch) -> None:
        """A match is closed: its seats are free."""
        match.close()
        if self.matches.get(match.id) is match:
            del self.matches[match.id]
        for chair in match.chairs:
            chair.leave_stream()
            if chair.remote:
                self.guests.release(chair)
        if not self.matches:
            self.idle.set()

    def conclude(self, match: LiveMatch) -> None:
        """See :class:`engine_service.server.live.Host`."""
        match.stop(Phase.CLOSING)
        self.spawn(self._finish(match, monotonic_ms()))

    def forgive(self, since: int, now: int) -> None:
        """The engine stood still: no clock runs for that time."""
        _log.warning("stood_still", ms=now - since, matches=len(self.matches))
        for match in list(self.matches.values()):
            match.forgive(since, now)

    def close(self) -> None:
        """No more timers."""
        self.pulse.close()
        self.alarms.close()

    def give_up(self, match: LiveMatch, cause: str, detail: str) -> None:
        """See :class:`engine_service.server.live.Host`."""
        if match.phase in (Phase.CLOSING, Phase.CLOSED):
            return
        match.stop(Phase.CLOSING)
        count(self.tallies.attempts, cause)
        _log.warning("attempt_ended", table=match.id, attempt=match.attempt, cause=cause, detail=detail)
        self.spawn(self._fail(match, cause, detail))

    def blame(self, match: LiveMatch, error: Exception) -> None:
        """See :class:`engine_service.server.live.Host`."""
        _log.error("rules_failed", table=match.id, game=match.table.game, exc_info=error)
        if match.phase is Phase.CLOSING:  # it was over, and then its result could not be made
            match.phase = Phase.PLAYING
        self.give_up(match, "engine", f"a fault in the rules or the engine: {type(error).__name__}")

    def lose(self, match: LiveMatch) -> None:
        """The lease is somebody else's, or may be: nothing is written about this match any more."""
        if match.phase is Phase.CLOSED:
            return
        count(self.tallies.attempts, "lease")
        _log.warning("lease_lost", table=match.id, attempt=match.attempt)
        self._tell(match, without_result("aborted", f"the engine lost its hold on the table; {AGAIN}"))

    async def undo(self, match: LiveMatch, detail: str, retry_ms: int) -> None:
        """Takes a claim back without spending an attempt: nothing of the match has counted."""
        count(self.tallies.attempts, "seats" if match.phase is Phase.SEATING else "drain")
        match.stop(Phase.CLOSING)
        try:
            await self.writer.insist(
                lambda tx: tables.unclaim(tx, match.id, match.fence, detail, retry_ms), match.lease
            )
        except LeaseOver:
            _log.warning("unclaim_given_up", table=match.id)
        self._tell(match, without_result("aborted", f"{detail}; {AGAIN}"))

    async def abandon(self) -> None:
        """Ends every open match so that its table is played again; results on their way are waited for.

        No attempt is spent unless a remote player has seen something of the deal:
        then the next attempt needs a fresh one.
        """
        left = [match for match in self.matches.values() if not match.ended]
        for match in left:
            if match.playing and any(chair.remote for chair in match.chairs):
                self.give_up(match, "engine", "the engine went down")
            else:
                self.spawn(self.undo(match, "the engine went down", 0))
        await self.settle_tasks()

    async def _finish(self, match: LiveMatch, over_at: int) -> None:
        try:
            finished = finished_of(match)
        except Exception as error:  # noqa: BLE001  # a fault in the rules must end this attempt only
            self.blame(match, error)
            return
        try:
            answer = await self.writer.finish(finished, match.lease)
        except LeaseOver:
            self.lose(match)
            return
        except Exception as error:  # noqa: BLE001  # the database refused this result, and no other
            self.blame(match, error)
            return
        self._finished(match, finished, answer, monotonic_ms() - over_at)

    def _finished(self, match: LiveMatch, finished: Finished, answer: str, lag_ms: int) -> None:
        if answer == "stale":
            self.lose(match)
            return
        _log.info(
            "finished", table=match.id, attempt=match.attempt, answer=answer, end=finished.end, lag_ms=lag_ms
        )
        self.tallies.lag_ms.add(lag_ms)
        for why in finished.forfeits.values():
            count(self.tallies.forfeits, why)
        void = len(finished.forfeits) == len(match.chairs) and match.table.entrant_id is None
        if void:
            count(self.tallies.voids, "forfeits")
        key = (match.table.game, match.table.variant, "void" if void else finished.end)
        self.tallies.finished[key] = self.tallies.finished.get(key, 0) + 1
        self._judge(match, finished)
        self._tell(match, ending_of(finished, void))

    def fault(self, chair: Chair, why: str) -> None:
        """A remote player kept others waiting: it is left out for a while, and told so."""
        bot = chair.row.full_name.rpartition("@")[0]
        now = monotonic_ms()
        self.guests.bench.fault(bot, why, now)
        self.guests.changed = True
        left = self.guests.bench.left_ms(bot, now)
        _log.info("benched", player=bot, ms=left, why=why)
        guest = self.guests.find(chair.player_id)
        if guest is not None and guest.stream is not None:
            guest.stream.benched(left, why)

    def _judge(self, match: LiveMatch, finished: Finished) -> None:
        """What the match says of its remote players, once of each, however many seats it had."""
        for chairs in by_player(chair for chair in match.chairs if chair.remote):
            whys = [finished.forfeits.get(chair.seat) for chair in chairs]
            absent = next((why for why in whys if why in ABSENCES), None)
            if absent is not None:
                self.fault(chairs[0], f"match {match.id} was forfeited: {absent}")
            elif not any(whys):
                self.guests.bench.credit(chairs[0].row.full_name.rpartition("@")[0])

    async def _fail(self, match: LiveMatch, cause: str, detail: str) -> None:
        try:
            answer = await self.writer.insist(
                lambda tx: tables.fail(tx, match.id, match.fence, cause, detail), match.lease
            )
        except LeaseOver:
            answer = "stale"
        if answer == "void":
            count(self.tallies.voids, "infra")
            self._tell(match, without_result("void", f"{detail}; after its last attempt the table is void"))
        elif answer == tables.DEALT_ANEW:
            self._tell(match, without_result("void", f"{detail}; {SPOILT}"))
        else:
            self._tell(match, without_result("aborted", f"{detail}; {AGAIN}"))

    def _tell(self, match: LiveMatch, ending: play_pb2.Ended) -> None:
        """Everybody at the table hears how it ended, and leaves."""
        match.ending = ending
        forfeits = match.referee.forfeits if ending.scores else {}
        for chair in match.chairs:
            if chair.stream is not None:
                told = play_pb2.Ended(match=match.id, seat=chair.seat, forfeit=forfeits.get(chair.seat, ""))
                told.MergeFrom(ending)
                chair.stream.end(told)
        self.remove(match)

    # Streams

    def join(self, stream: Stream) -> None:
        """A stream is open."""
        self.streams.add(stream)

    def part(self, stream: Stream) -> None:
        """A stream is gone: a player's seats wait for it, a bridge's matches are given up."""
        self.streams.discard(stream)
        now = monotonic_ms()
        for chair in list(stream.chairs.values()):
            self._empty(chair, stream, now)

    def seat_again(self, player_id: int, version_id: int, stream: Stream) -> None:
        """A player is back: the seats that its version holds are shown to it."""
        guest = self.guests.find(player_id)
        for chair in list(guest.chairs) if guest is not None else ():
            if chair.row.version_id == version_id:
                self.seat(chair, stream)

    def seat(self, chair: Chair, stream: Stream) -> None:
        """Puts a stream into a seat."""
        match = chair.match
        chair.attach(stream)
        match.followers = match.followers or stream.every_update
        stream.start(match.started(chair))
        if match.playing:
            match.come(chair, monotonic_ms())

    def _empty(self, chair: Chair, stream: Stream, now: int) -> None:
        match = chair.match
        chair.leave_stream()
        if not match.playing:
            return
        if chair.remote:
            match.leave(chair, now)
        else:
            match.expect_tickets(now + self.settings.bridge_grace_ms)
