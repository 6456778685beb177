"""The one thread of an engine that writes to the database, so that SQL never blocks its loop.

Finished matches are committed in batches: whatever has come while the last
commit was on its way. With the database away, what must not be lost is kept and
tried again until the lease it belongs to has surely ended.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from service.logging import get
from storage import tables
from storage.database import Database
from storage.errors import Unavailable

T = TypeVar("T")

BATCH = 256
BACKOFF_S = (0.05, 0.1, 0.2, 0.5, 1.0)

_log = get("writer")


class LeaseOver(Exception):
    """The lease ended before the database could be had; whoever claims next plays anew."""


@dataclass(slots=True)
class Lease:
    """A claim on a table. Two estimates of its end, in ``time.monotonic`` seconds.

    Until ``safe_until`` nobody else can have claimed the table; after
    ``sure_until`` the database surely counts the lease as ended.
    """

    table: str
    fence: int
    safe_until: float
    sure_until: float

    def renew(self, asked_at: float, answered_at: float, lease_ms: int) -> None:
        """A claim or heartbeat was asked for and answered at these instants."""
        self.safe_until = asked_at + lease_ms / 1000
        self.sure_until = answered_at + lease_ms / 1000


@dataclass(slots=True)
class _Deed:
    """One piece of work; ``finished`` set: part of a batch. ``lease`` set: tried until it ends."""

    future: asyncio.Future[Any]
    work: Callable[[Any], Any] | None = None
    finished: tables.Finished | None = None
    lease: Lease | None = None


class Writer:
    """Start it inside the loop that will await its answers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[_Deed | None] = queue.SimpleQueue()
        self._kept: list[_Deed] = []
        self._failures = 0
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="engine-writer", daemon=True)
        self._thread.start()

    @property
    def away(self) -> bool:
        """Whether the database could not be had at the last try."""
        return self._failures > 0

    async def run(self, work: Callable[[Any], T]) -> T:
        """Runs ``work(tx)`` in one transaction; raises what it raises."""
        return await self._put(_Deed(self._loop.create_future(), work=work))  # type: ignore[no-any-return]

    async def insist(self, work: Callable[[Any], T], lease: Lease) -> T:
        """As :meth:`run`, tried again while the database is away. LeaseOver when it was for too long."""
        return await self._put(_Deed(self._loop.create_future(), work=work, lease=lease))  # type: ignore[no-any-return]

    async def finish(self, finished: tables.Finished, lease: Lease) -> str:
        """Commits a result together with others: ``done``, ``already`` or ``stale``. LeaseOver as above."""
        deed = _Deed(self._loop.create_future(), finished=finished, lease=lease)
        return await self._put(deed)  # type: ignore[no-any-return]

    async def close(self) -> None:
        """Does what is queued, once, and ends the thread. What the database would not take is LeaseOver."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _put(self, deed: _Deed) -> asyncio.Future[Any]:
        self._queue.put(deed)
        return deed.future

    # On the thread

    def _run(self) -> None:
        while not (self._closing and self._queue.empty()):
            deeds = self._gather()
            for deed in deeds:
                if deed.work is not None:
                    self._settle([(deed, self._attempt(deed))])
            self._finish([deed for deed in deeds if deed.finished is not None])
        self._settle([(deed, LeaseOver("the engine ended first")) for deed in self._kept])

    def _gather(self) -> list[_Deed]:
        """Waits for work; what was kept is taken again after a pause."""
        deeds = self._take(self._kept_pause())
        while len(deeds) < BATCH and not self._queue.empty():
            deeds += self._take(0)
        kept, self._kept = self._kept, []
        return kept + deeds

    def _kept_pause(self) -> float | None:
        if not self._kept:
            return None
        return BACKOFF_S[min(self._failures, len(BACKOFF_S)) - 1]

    def _take(self, timeout: float | None) -> list[_Deed]:
        try:
            deed = self._queue.get(timeout=timeout) if timeout != 0 else self._queue.get_nowait()
        except queue.Empty:
            return []
        if deed is None:
            self._closing = True
            return []
        return [deed]

    def _attempt(self, deed: _Deed) -> Any:
        assert deed.work is not None  # noqa: S101  # tells mypy; the caller chose by it
        return self._transact(deed.work)

    def _transact(self, work: Callable[[Any], Any]) -> Any:
        """What the work gives, or the exception it raised."""
        try:
            with self._database.transaction() as tx:
                answer = work(tx)
        except Unavailable as error:
            self._failures += 1
            if self._failures == 1:
                _log.warning("database_away", error=str(error))
            return error
        except Exception as error:  # noqa: BLE001  # handed to whoever awaits the work
            return error
        if self._failures:
            _log.info("database_back", failures=self._failures)
        self._failures = 0
        return answer

    def _finish(self, deeds: list[_Deed]) -> None:
        if not deeds:
            return
        answer = self._transact(
            lambda tx: tables.finish(tx, [deed.finished for deed in deeds if deed.finished])
        )
        if isinstance(answer, Exception) and not isinstance(answer, Unavailable) and len(deeds) > 1:
            for deed in deeds:  # one of them is poison: the others must not suffer
                self._finish([deed])
            return
        answers = [answer] * len(deeds) if isinstance(answer, Exception) else answer
        self._settle(list(zip(deeds, answers, strict=True)))

    def _settle(self, done: list[tuple[_Deed, Any]]) -> None:
        settled = []
        now = time.monotonic()
        for deed, answer in done:
            if isinstance(answer, Unavailable) and deed.lease is not None:
                if now < deed.lease.sure_until and not self._closing:
                    self._kept.append(deed)
                    continue
                answer = LeaseOver(f"no database until the lease of {deed.lease.table} had ended")
            settled.append((deed.future, answer))
        if settled:
            self._loop.call_soon_threadsafe(_resolve, settled)


def _resolve(settled: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, answer in settled:
        if future.done():  # whoever awaited it was cancelled
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
