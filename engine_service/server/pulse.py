"""Notices that the engine stood still: a stopped process, a host without time to give.

No player can help that, so nobody's clock is charged for it.
"""

import asyncio
from collections.abc import Callable

from engine_service.server.alarms import monotonic_ms

EVERY_MS = 100
TOLERANCE_MS = 250
"""A beat that comes later than this means that the loop stood still."""


class Pulse:
    """Beats in the event loop. ``forgive(since, now)`` is called once for every stall.

    Whoever is about to act on a deadline calls :meth:`check` first: after a stall
    the overdue alarm may ring before the next beat.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, forgive: Callable[[int, int], None]) -> None:
        self.stalls = 0
        self._loop = loop
        self._forgive = forgive
        self._last = monotonic_ms()
        self._handle = loop.call_later(EVERY_MS / 1000, self._beat)

    def check(self, now: int) -> None:
        """Forgives the time since the last beat if that was too long ago."""
        if now - self._last > EVERY_MS + TOLERANCE_MS:
            since, self._last = self._last, now
            self.stalls += 1
            self._forgive(since, now)

    def close(self) -> None:
        """Beats no more."""
        self._handle.cancel()

    def _beat(self) -> None:
        now = monotonic_ms()
        self.check(now)
        self._last = now
        self._handle = self._loop.call_later(EVERY_MS / 1000, self._beat)
