"""A bot with a stopwatch that runs with the processor, not with the clock on the wall."""

import time
from collections.abc import Awaitable

from mamenoki.sdk import Bot, Decision, Result, Seat


class Timed(Bot):
    """Plays as ``bot`` does; ``cpu_ns`` is what its ``decisions`` took of this thread, in nanoseconds.

    Unlike time on the wall, that is the same on a busy machine as on a quiet one, about.
    """

    def __init__(self, bot: Bot) -> None:
        super().__init__()
        self._bot = bot
        self.decisions = 0
        self.cpu_ns = 0

    def start(self, seat: Seat) -> None:
        self._bot.start(seat)

    def choose(self, decision: Decision) -> str | Awaitable[str]:
        began = time.thread_time_ns()
        try:
            return self._bot.choose(decision)
        finally:
            self.cpu_ns += time.thread_time_ns() - began
            self.decisions += 1

    def finish(self, result: Result) -> None:
        self._bot.finish(result)
