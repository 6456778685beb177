"""All deadlines of an engine on one heap and one timer of the event loop. Monotonic milliseconds."""

import asyncio
import heapq
import time
from collections.abc import Callable

NEVER = 1 << 62


def monotonic_ms() -> int:
    """Now, as every deadline in this package counts it."""
    return time.monotonic_ns() // 1_000_000


class Alarm:
    """One deadline; calls ``wake(now)`` at ``at`` or soon after, unless it is taken back first."""

    __slots__ = ("at", "wake")

    def __init__(self, at: int, wake: Callable[[int], None]) -> None:
        self.at = at
        self.wake: Callable[[int], None] | None = wake

    def cancel(self) -> None:
        """Takes it back, and holds on to nothing any more."""
        self.wake = None

    def __lt__(self, other: "Alarm") -> bool:
        return self.at < other.at


class Alarms:
    """The heap. What an alarm calls must not raise. ``first(now)`` is called before any rings."""

    def __init__(self, loop: asyncio.AbstractEventLoop, first: Callable[[int], None] | None = None) -> None:
        self._first = first
        self._loop = loop
        self._heap: list[Alarm] = []
        self._timer: asyncio.TimerHandle | None = None
        self._next = NEVER

    def set(self, at: int, wake: Callable[[int], None]) -> Alarm:
        """A new alarm."""
        alarm = Alarm(at, wake)
        heapq.heappush(self._heap, alarm)
        if at < self._next:
            self._arm(at)
        return alarm

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
        if self._first is not None:
            self._first(now)
        while self._heap and self._heap[0].at <= now:
            alarm = heapq.heappop(self._heap)
            if alarm.wake is not None:
                alarm.wake(now)
        while self._heap and self._heap[0].wake is None:
            heapq.heappop(self._heap)
        if self._heap and self._heap[0].at < self._next:
            self._arm(self._heap[0].at)
