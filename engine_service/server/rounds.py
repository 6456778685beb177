"""What an engine does again and again: heartbeats of leases and streams, presence, revocations, health."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from engine_service.server.alarms import monotonic_ms
from engine_service.server.hall import Hall
from engine_service.server.live import LiveMatch, Phase
from engine_service.server.seats import PERSON
from engine_service.server.stream import Stream
from service.auth import Authenticator
from service.errors import Down, Exhausted, ServiceError
from service.health import Health
from service.logging import get
from service.presence import Presence, PresenceError
from storage import tables
from storage.errors import StorageError

PRESENCE_LEAST_MS = 50
"""No two publications nearer than this."""

_log = get("rounds")


class Rounds:
    """The engine's recurring work. Each kind has its own task, and no fault of one stops it or another."""

    def __init__(
        self,
        hall: Hall,
        authenticator: Authenticator,
        presence: Presence,
        health: Health,
        ready: Callable[[], Awaitable[bool]],
    ) -> None:
        self._hall = hall
        self._authenticator = authenticator
        self._presence = presence
        self._health = health
        self._ready = ready
        self._redis_thread = ThreadPoolExecutor(1, "engine-presence")
        self._tasks: list[asyncio.Task[None]] = []
        self._presence_away = False

    def begin(self) -> None:
        """Starts all of it."""
        settings = self._hall.settings
        every = [
            (settings.lease_ms / 3, self.renew_leases),
            (settings.heartbeat_ms, self.ping_all),
            (min(settings.heartbeat_ms, 10_000), self.recheck_tokens),
            (min(settings.lease_ms, 2_000), self.tell_health),
            (settings.lease_ms / 10, self.drop_unheld),
        ]
        self._tasks = [asyncio.create_task(self._repeat(ms / 1000, work)) for ms, work in every]
        self._tasks.append(asyncio.create_task(self._publish_on_change()))

    async def end(self) -> None:
        """Stops all of it and withdraws this engine's presence."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis(lambda: self._presence.withdraw(self._hall.name))
        self._redis_thread.shutdown(wait=False, cancel_futures=True)
        self._presence.close()

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception as error:  # noqa: BLE001  # logged; the next round may do better
                _log.error("round_failed", round=work.__name__, exc_info=error)

    # Leases

    async def renew_leases(self) -> None:
        """One heartbeat for all matches; those that are somebody else's now are dropped."""
        matches = list(self._hall.matches.values())
        if not matches:
            return
        claims = [(match.id, match.fence) for match in matches]
        lease_ms = self._hall.settings.lease_ms
        asked = time.monotonic()
        try:
            lost = set(await self._hall.writer.run(lambda tx: tables.heartbeat(tx, claims, lease_ms)))
        except StorageError as error:
            _log.warning("heartbeat_failed", matches=len(matches), error=str(error))
            return
        answered = time.monotonic()
        for match in matches:
            if match.id not in lost:
                match.lease.renew(asked, answered, lease_ms)
            elif not match.ended:  # one that has ended meanwhile is told by its own write
                self._hall.lose(match)

    async def drop_unheld(self) -> None:
        """Matches whose lease another engine may have by now are not played on; results are kept."""
        now = time.monotonic()
        for match in list(self._hall.matches.values()):
            if now >= match.lease.safe_until and not match.ended:
                self._hall.lose(match)
        self._end_stalled(monotonic_ms())

    def _end_stalled(self, now: int) -> None:
        """No match is for ever, and a bridge that is there but does not answer is a fault of ours."""
        least = now - self._hall.settings.bridge_stall_ms
        for match in list(self._hall.matches.values()):
            if match.playing and now >= match.wall_at:
                self._hall.give_up(match, "wall", "the match ran longer than any may")
            elif match.playing and match.moved_at < least:
                seats = _waiting_for_bridge(match)
                if seats:
                    self._hall.give_up(
                        match, "bridge", f"the bridge of seats {seats} gave no answer for too long"
                    )

    # Streams

    async def ping_all(self) -> None:
        """Asks every stream for a sign of life; those that gave none for too long are closed."""
        settings = self._hall.settings
        misses = settings.heartbeat_misses
        stuck = monotonic_ms() - misses * settings.heartbeat_ms
        for stream in list(self._hall.streams):
            if stream.pings - stream.pongs >= misses:
                stream.close(Down(f"no answer to {misses} pings; answer each with pong", retry_ms=0))
            elif stream.stuck_since < stuck:
                stream.close(Exhausted("what is sent is not read; read on", retry_ms=0))
            else:
                stream.ping()

    async def recheck_tokens(self) -> None:
        """Streams whose token has been revoked or has expired are closed."""
        for stream in list(self._hall.streams):
            await self._recheck(stream)

    async def _recheck(self, stream: Stream) -> None:
        try:
            await self._authenticator.check(stream.principal.clear)
        except ServiceError as error:
            stream.close(error)
        except StorageError:
            pass  # whoever was let in stays in while the database is away

    # Presence and health

    async def _publish_on_change(self) -> None:
        guests = self._hall.guests
        beat = self._hall.settings.presence_ttl_ms / 3000
        published = -beat
        while True:
            await asyncio.sleep(PRESENCE_LEAST_MS / 1000)
            now = time.monotonic()
            if guests.changed or now - published >= beat:
                guests.changed, published = False, now
                await self._publish()

    async def _publish(self) -> None:
        players = [] if self._hall.draining else self._hall.guests.present(self._hall.name, monotonic_ms())
        await self._redis(lambda: self._presence.publish(self._hall.name, players))

    async def _redis(self, work: Callable[[], None]) -> None:
        try:
            await self._hall.loop.run_in_executor(self._redis_thread, work)
        except PresenceError as error:
            self._hall.tallies.presence_failures += 1
            if not self._presence_away:
                _log.warning("presence_away", error=str(error))
            self._presence_away = True
        else:
            if self._presence_away:
                _log.info("presence_back")
            self._presence_away = False

    async def tell_health(self) -> None:
        """SERVING while the database answers and nothing is being drained."""
        serving = await self._ready()
        if serving != self._health.serving and not self._hall.draining:
            await self._health.say(serving)


def _waiting_for_bridge(match: LiveMatch) -> list[int]:
    if match.phase is not Phase.PLAYING:
        return []
    ours = [chair for chair in match.chairs if not chair.remote and chair.row.kind != PERSON]
    return [chair.seat for chair in ours if match.referee.decision(chair.seat) is not None]
