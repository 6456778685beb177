"""What a worker's child has for all its tasks: one event loop, one channel, one database.

Made after the fork and never before: neither gRPC nor a database connection survives one.
"""

import asyncio
import math
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

import redis
import uvloop
from grpc import aio

from mamenoki.sdk.wire import channel
from scheduler.app import PREFIX, QUEUES
from scheduler.settings import SchedulerSettings
from service.logging import get
from service.presence import Presence, PresenceError, Present
from storage.database import Database

T = TypeVar("T")
_log = get("scheduler")


class Runtime:
    """Open until :meth:`close`; for one thread."""

    def __init__(self, settings: SchedulerSettings) -> None:
        self.settings = settings
        self.database = Database(settings.database_url)
        self.token = settings.service_token.get_secret_value()
        self._presence = Presence(settings.redis_url, settings.presence_ttl_ms)
        self._redis: Any = redis.Redis.from_url(
            settings.redis_url, socket_timeout=5, socket_connect_timeout=5
        )
        self._ticked: dict[str, float] = {}
        self._loop = uvloop.new_event_loop()
        self.channel = self.run(self._connect())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. An exception from outside, such as a time limit, cancels it first."""
        task = self._loop.create_task(work)
        try:
            return self._loop.run_until_complete(task)
        except BaseException:
            if not task.done():
                task.cancel()
                self._loop.run_until_complete(asyncio.wait([task], timeout=5))
            raise

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

    def queued(self) -> dict[str, int]:
        """Messages that wait in each queue."""
        return depths(self._redis)

    def close(self) -> None:
        """Ends the loop and all connections."""
        self.run(self.channel.close())
        self._loop.close()
        self._presence.close()
        self._redis.close()
        self.database.close()

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


def close_runtime() -> None:
    """Ends the process's runtime, if it has one."""
    global _current  # as above
    if _current is not None:
        _current.close()
        _current = None
