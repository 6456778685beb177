"""All deadlines of an engine on one heap and one timer of the event loop. Monotonic milliseconds."""

import asyncio
import heapq
import time
from typing import Protocol

NEVER = 1 << 62


def monotonic_ms() -> int:
    """Now, as every deadline in this package counts it."""
    return time.monotonic_ns() // 1_000_000


class Sleeper(Protocol):
    """Somebody with a deadline."""

    def wake(self, now: int) -> None:
        """The deadline has come, or a later one has been set since: look again. Must not raise."""


class Alarms:
    """Calls :meth:`Sleeper.wake` once for every :meth:`set`, at its time or soon after."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._heap: list[tuple[int, int, Sleeper]] = []
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None
        self._next = NEVER

    def set(self, at: int, sleeper: Sleeper) -> None:
        """Wakes ``sleeper`` at ``at``. An alarm that is no more needed is not taken back."""
        self._count += 1  # so that the heap never compares sleepers
        heapq.heappush(self._heap, (at, self._count, sleeper))
        if at < self._next:
            self._arm(at)

    def close(self) -> None:
        """No more alarms."""
        self._heap.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self, at: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._next = at
        delay = max(0, at - monotonic_ms()) / 1000
        self._timer = self._loop.call_later(delay, self._ring)

    def _ring(self) -> None:
        self._timer, self._next = None, NEVER
        now = monotonic_ms()
        while self._heap and self._heap[0][0] <= now:
            heapq.heappop(self._heap)[2].wake(now)
        if self._heap and self._heap[0][0] < self._next:
            self._arm(self._heap[0][0])
