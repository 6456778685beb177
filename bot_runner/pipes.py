"""Non-blocking pipes on the event loop: lines in with bounds, bytes out with bounds.

A reader reads only while it is asked to, so a bot that floods fills its own pipe and
waits; nothing of it is taken in beyond the bounds.
"""

import asyncio
import os
from collections.abc import Callable

MOST_LINE = 64 << 10
MOST_TURN = 1 << 20
_CHUNK = 64 << 10


class Flood(Exception):
    """More than a bound allows; the message says which."""


class Lines:
    """The lines that come out of a pipe. Owns the descriptor."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._rest = bytearray()
        self._turn = 0

    def begin_turn(self) -> None:
        """Count from 0 again."""
        self._turn = 0

    async def next(self) -> bytes | None:
        """The next line without its newline; None at the end of the stream, an unfinished line being
        dropped. Raises Flood."""
        while (end := self._rest.find(b"\n")) < 0:
            if len(self._rest) > MOST_LINE:
                raise Flood(f"a line longer than {MOST_LINE} bytes")
            if not await self._more():
                return None
        if end > MOST_LINE:
            raise Flood(f"a line longer than {MOST_LINE} bytes")
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return line

    async def _more(self) -> bool:
        while True:
            try:
                data = os.read(self._fd, _CHUNK)
            except BlockingIOError:
                await readable(self._fd)
                continue
            self._turn += len(data)
            if self._turn > MOST_TURN:
                raise Flood(f"more than {MOST_TURN} bytes for one answer")
            self._rest += data
            return bool(data)

    def close(self) -> None:
        """No more is read."""
        os.close(self._fd)


class Outlet:
    """Bytes into a pipe. Owns the descriptor."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd: int | None = fd
        self._waiting = bytearray()

    async def write(self, data: bytes) -> None:
        """Write all of it, waiting for the reader. BrokenPipeError if nobody reads any more.

        What a cancelled call had not written goes first the next time. Raises Flood if the
        reader leaves more than :data:`MOST_TURN` bytes lying.
        """
        self._waiting += data
        if len(self._waiting) > MOST_TURN:
            raise Flood(f"more than {MOST_TURN} bytes unread on its stdin")
        while not self.flush():
            await writable(self._open)

    def add(self, data: bytes) -> None:
        """To be written with what comes next, or by :meth:`flush`."""
        self._waiting += data

    def flush(self) -> bool:
        """Write what goes without waiting; whether that was all."""
        while self._waiting:
            try:
                del self._waiting[: os.write(self._open, self._waiting)]
            except BlockingIOError:
                return False
        return True

    def close(self) -> None:
        """The reader sees the end. Safe twice."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    @property
    def _open(self) -> int:
        if self._fd is None:
            raise BrokenPipeError("its stdin has been closed")
        return self._fd


async def _ready(
    fd: int, add: Callable[[int, Callable[[], None]], object], remove: Callable[[int], object]
) -> None:
    ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    add(fd, lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
    finally:
        remove(fd)


async def readable(fd: int) -> None:
    """Wait until there is something to read, or an end."""
    loop = asyncio.get_running_loop()
    await _ready(fd, loop.add_reader, loop.remove_reader)


async def writable(fd: int) -> None:
    """Wait until something can be written, or nobody reads any more."""
    loop = asyncio.get_running_loop()
    await _ready(fd, loop.add_writer, loop.remove_writer)
