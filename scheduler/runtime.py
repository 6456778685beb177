"""What a worker's child has for all its tasks: one event loop, one channel, one database.

Made after the fork and never before: neither gRPC nor a database connection survives one.
The loop turns in a thread of its own, as long as the child lives: a task may wait for what
it began there, or leave it to go on beside the tasks that come after.
"""

import asyncio
import math
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from typing import Any, TypeVar

import redis
import uvloop
from grpc import aio

from bot_runner.runner import Runner
from mamenoki.sdk.wire import channel
from scheduler.app import PREFIX, QUEUES, TICKS
from scheduler.sandbox import open_runner
from scheduler.settings import SchedulerSettings
from service.logging import get
from service.presence import Presence, PresenceError, Present
from storage.database import Database

T = TypeVar("T")
_log = get("scheduler")


TICKS_KEPT = 20
CANCEL_S = 5.0  # a cancelled coroutine has to end within this


class Runtime:
    """Open until :meth:`close`; its methods are for the thread that made it."""

    def __init__(self, settings: SchedulerSettings) -> None:
        self.settings = settings
        self.database = Database(settings.database_url)
        self.token = settings.service_token.get_secret_value()
        self._presence = Presence(settings.redis_url, settings.presence_ttl_ms)
        self._redis: Any = redis.Redis.from_url(
            settings.redis_url, socket_timeout=5, socket_connect_timeout=5
        )
        self._ticked: dict[str, float] = {}
        self._beside: set[Future[Any]] = set()
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="runtime", daemon=True)
        self._thread.start()
        self.channel = self.run(self._connect())
        self.runner = self.run(self._open_runner())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. An exception from outside, such as a time limit, cancels it first."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            self._cancel({future})
            raise

    def begin(self, work: Coroutine[Any, Any, None], seconds: float) -> None:
        """Lets a coroutine run beside the tasks, for so long at most. It should see to its own faults."""
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), self._loop)
        self._beside.add(future)
        future.add_done_callback(self._ended)

    @property
    def beside(self) -> int:
        """How many coroutines run beside the tasks."""
        return len(self._beside)

    def may_tick(self, name: str, period_ms: int) -> bool:
        """Whether a periodic task should run: not when this process has run it half a period ago.

        Ticks pile up in the queue while all workers are busy or away; then one does for many.
        """
        now = time.monotonic()
        if now - self._ticked.get(name, -math.inf) < period_ms / 2000:
            return False
        self._ticked[name] = now
        return True

    def present(self) -> dict[int, Present]:
        """The remote players that are here; nobody while Redis cannot be had."""
        try:
            return self._presence.read()
        except PresenceError as error:
            _log.warning("presence_unknown", why=str(error))
            return {}

    def known_present(self) -> dict[int, Present] | None:
        """The remote players that are here; None while nobody can be known to be away."""
        try:
            return self._presence.read() if self._presence.is_told() else None
        except PresenceError as error:
            _log.warning("presence_unknown", why=str(error))
            return None

    def queued(self) -> dict[str, int]:
        """Messages that wait in each queue."""
        return depths(self._redis)

    def forget_ticks(self) -> None:
        """Lets go of all but the latest ticks that have piled up: each says no more than the next one.

        They came faster than workers without time could take them, or while there were none.
        """
        self._redis.ltrim(PREFIX + TICKS, 0, TICKS_KEPT - 1)  # new ones come in at the left

    def close(self, seconds: float = 0.0) -> None:
        """Ends the loop and all connections; what runs beside may take so long to end by itself."""
        beside = set(self._beside)
        _, late = wait_for(beside, seconds)
        self._cancel(late)
        if self.runner is not None:
            self.run(self.runner.close())
        self.run(self.channel.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._presence.close()
        self._redis.close()
        self.database.close()

    def _ended(self, future: Future[Any]) -> None:
        self._beside.discard(future)
        if not future.cancelled() and (error := future.exception()) is not None:
            _log.error("beside_failed", exc_info=error)

    def _cancel(self, futures: set[Future[Any]]) -> None:
        for future in futures:
            future.cancel()
        ended = asyncio.run_coroutine_threadsafe(self._all_ended(), self._loop)
        wait_for({ended}, CANCEL_S)

    async def _all_ended(self) -> None:
        """Until what was cancelled has seen to its end: a future that is cancelled does not wait for it."""
        cancelled = [task for task in asyncio.all_tasks() if task.cancelling()]
        if cancelled:
            await asyncio.wait(cancelled)

    async def _open_runner(self) -> Runner | None:
        """In the loop's thread: a bot dies with the thread that started it."""
        return open_runner(self.settings, self.database)

    async def _connect(self) -> aio.Channel:
        return channel(self.settings.internal_address, tls=False)  # inside: our own network


def depths(client: Any) -> dict[str, int]:
    """Messages that wait in each queue of a Redis."""
    return {queue: int(client.llen(PREFIX + queue)) for queue in QUEUES}


_current: Runtime | None = None


def open_runtime(settings: SchedulerSettings) -> Runtime:
    """Makes the process's runtime; once, after the fork."""
    global _current  # a process has one, made by Celery's signal and found by its tasks
    _current = Runtime(settings)
    return _current


def current() -> Runtime:
    """The process's runtime. RuntimeError in a process that has none."""
    if _current is None:
        raise RuntimeError("no runtime here: tasks run in a worker's child, see scheduler.worker")
    return _current


def close_runtime(seconds: float = 0.0) -> None:
    """Ends the process's runtime, if it has one; what runs beside may take so long to end by itself."""
    global _current  # as above
    if _current is not None:
        _current.close(seconds)
        _current = None
