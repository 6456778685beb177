"""How long, and how many, clients of the web port may keep connections open that ask for nothing.

uvicorn waits for a request's end, and for its answer to be read, as long as a client likes.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from service.settings import Settings


@dataclass(slots=True)
class Bounds:
    """Seconds for a whole request and for the reading of what is written; connections at once.

    ``idle`` holds the connections whose request has not come in full, the longest idle first.
    """

    most: int
    request_s: float
    drain_s: float
    open: int = 0
    idle: "dict[asyncio.Protocol, Callable[[], None]]" = field(default_factory=dict)

    def make_room(self) -> None:
        """Drops whoever has been idle longest, be it the newest one, if there are too many."""
        if self.open > self.most and self.idle:
            next(iter(self.idle.values()))()


def bounds_of(settings: Settings) -> Bounds:
    """Those of the settings, for one server."""
    return Bounds(settings.web_connections, settings.web_request_ms / 1000, settings.web_drain_ms / 1000)


def protocol(bounds: Bounds) -> type[H11Protocol]:
    """uvicorn's protocol for a server of these bounds: whoever is too slow is hung up on, without a word."""

    class Bounded(H11Protocol):
        _asking: asyncio.TimerHandle | None = None
        _reading: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            bounds.open += 1
            self._wait()
            bounds.make_room()

        def connection_lost(self, exc: Exception | None) -> None:
            bounds.open -= 1
            self._go_on()
            self.resume_writing()
            super().connection_lost(exc)

        def handle_events(self) -> None:
            super().handle_events()
            if self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED):
                self._go_on()

        def on_response_complete(self) -> None:
            self._wait()  # first, for the next request may have come already
            super().on_response_complete()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._reading = self.loop.call_later(bounds.drain_s, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            if self._reading is not None:
                self._reading.cancel()
                self._reading = None

        def _wait(self) -> None:
            self._go_on()
            bounds.idle[self] = self.transport.abort
            self._asking = self.loop.call_later(bounds.request_s, self._hang_up)

        def _go_on(self) -> None:
            bounds.idle.pop(self, None)
            if self._asking is not None:
                self._asking.cancel()
                self._asking = None

        def _hang_up(self) -> None:
            if self.transport.get_write_buffer_size():  # the last answer is still on its way
                self._asking = self.loop.call_later(bounds.drain_s, self.transport.abort)
            else:
                self.transport.abort()

    return Bounded
