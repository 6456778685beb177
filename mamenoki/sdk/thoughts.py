"""Bots that take their time: each of their decisions is thought about in a task beside the stream."""

import asyncio
from collections.abc import Awaitable, Callable

from mamenoki.sdk.sitting import Key

Said = Callable[[str], Awaitable[None]]
"""What to do with an answer."""
Failed = Callable[[Exception], Awaitable[None]]
"""What to do with what the bot raised instead."""


class Thoughts:
    """At most one decision of each seat is thought about; a newer one ends the thought of an older."""

    def __init__(self) -> None:
        self._tasks: dict[Key, tuple[int, asyncio.Task[None]]] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def about(self, key: Key) -> int:
        """The decision that the seat's bot is thinking about; 0: none."""
        return self._tasks[key][0] if key in self._tasks else 0

    def begin(self, key: Key, decision: int, answer: Awaitable[str], said: Said, failed: Failed) -> None:
        """Waits for an answer; then ``said`` or ``failed`` is called, unless :meth:`end` comes first."""
        self.end(key)
        self._tasks[key] = decision, asyncio.ensure_future(self._wait(key, answer, said, failed))

    def end(self, key: Key) -> None:
        """Nobody wants to know any more."""
        if key in self._tasks:
            _, task = self._tasks.pop(key)
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
            task.cancel()

    async def close(self) -> None:
        """Ends all of them, and waits until they have ended."""
        for key in list(self._tasks):
            self.end(key)
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def _wait(self, key: Key, answer: Awaitable[str], said: Said, failed: Failed) -> None:
        try:
            text = str(await answer)
        except Exception as error:  # noqa: BLE001  a bot may raise anything; ``failed`` tells who must know
            del self._tasks[key]
            await failed(error)
        else:
            del self._tasks[key]
            await said(text)
