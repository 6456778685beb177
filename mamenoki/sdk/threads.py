"""A thread a seat, so that a bot that thinks for seconds stops no heartbeat and no other match."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue

Done = Callable[[object, BaseException | None], None]
"""Told on the event loop what a call gave, or what it raised."""


class BotThread:
    """Runs one bot's calls one after another, away from the event loop.

    The thread is a daemon: a bot that never comes back cannot keep the program from ending.
    """

    def __init__(self, name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._calls: SimpleQueue[tuple[Callable[[], object], Done] | None] = SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def call(self, call: Callable[[], object], done: Done) -> None:
        """Run ``call`` after those before it, then ``done`` on the event loop."""
        self._calls.put((call, done))

    def close(self) -> None:
        """End the thread after the calls that it has."""
        self._calls.put(None)

    def _run(self) -> None:
        while (task := self._calls.get()) is not None:
            call, done = task
            value, error = _outcome(call)
            try:
                self._loop.call_soon_threadsafe(done, value, error)
            except RuntimeError:  # the loop has been closed: nobody waits any more
                return


def _outcome(call: Callable[[], object]) -> tuple[object, BaseException | None]:
    try:
        return call(), None
    except BaseException as error:  # noqa: BLE001  even SystemExit in a bot is the bot's own end, not ours
        return None, error
