"""The sending side of one Play stream: what is ready is flushed when the loop has nothing else to do."""

import asyncio
from collections.abc import Awaitable, Callable

import orjson

from engine_service.server.alarms import NEVER, monotonic_ms
from engine_service.server.chair import Chair
from engine_service.v1 import play_pb2
from service.auth import Principal
from service.errors import ServiceError

BATCH = 64
"""Updates in one message."""
NOTICES = 512
"""Seats begun, refusals and ends in one message, each."""
MESSAGE_BYTES = 1 << 20
"""A message is closed at about this size."""

Write = Callable[[play_pb2.PlayResponse], Awaitable[None]]


class Stream:
    """One client, player or bridge, and all its seats.

    Never more is queued for a player than one update a seat and ``backlog`` refusals;
    of further ones it is told how many, so that one who does not read costs little.
    ``closed``: how the stream ends; None: in order.
    """

    def __init__(
        self, name: str, principal: Principal, *, bridge: bool, every_update: bool, backlog: int
    ) -> None:
        self.name = name
        self.principal = principal
        self.bridge = bridge
        self.every_update = every_update
        self.backlog = backlog
        self.chairs: dict[tuple[str, int], Chair] = {}
        self.closed: asyncio.Future[ServiceError | None] = asyncio.get_running_loop().create_future()
        self.pings = 0
        self.stuck_since = NEVER  # when the write began that has not ended
        self.pongs = 0
        self.refusals: list[play_pb2.Refused] = []
        self._untold = 0  # refusals beyond the backlog
        self._dirty: list[Chair] = []
        self._started: list[play_pb2.Started] = []
        self._ended: list[play_pb2.Ended] = []
        self._notice: play_pb2.PlayResponse | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._writing = False  # somebody writes, and goes on until nothing is ready

    # What is to be sent

    def queue(self, chair: Chair) -> None:
        """A seat has something to be told: at the next flush, with what it then is."""
        self._dirty.append(chair)
        self.flush()

    def start(self, started: play_pb2.Started) -> None:
        """Tells of a seat."""
        self._started.append(started)
        self.flush()

    def end(self, ended: play_pb2.Ended) -> None:
        """Tells of a seat's end."""
        self._ended.append(ended)
        self.flush()

    def refuse(self, refused: play_pb2.Refused) -> None:
        """Tells why something did not count; only that it did not, if a player has yet to read many.

        A bridge, which is a process of ours, waits for each of its answers.
        """
        if self.bridge or len(self.refusals) < self.backlog:
            self.refusals.append(refused)
        else:
            self._untold += 1
        self.flush()

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        """The first message."""
        self._note().welcome.CopyFrom(welcome)

    def ping(self) -> None:
        """Asks for a sign of life."""
        self.pings += 1
        self._note().ping = self.pings

    def benched(self, left_ms: int, reason: str) -> None:
        """Tells that no match is begun with it for so long."""
        note = self._note().benched
        note.left_ms, note.reason = left_ms, reason

    def drain(self, reconnect_after_ms: int) -> None:
        """Tells that the server goes down."""
        self._note().drain.reconnect_after_ms = reconnect_after_ms

    def close(self, error: ServiceError | None) -> None:
        """Ends the stream with that status, or in order; the first reason stands."""
        if not self.closed.done():
            self.closed.set_result(error)
            self.flush()

    def flush(self) -> None:
        """Wakes the pump, unless somebody writes already."""
        waiter = self._waiter
        if waiter is not None and not self._writing:
            self._waiter = None
            if not waiter.done():
                waiter.set_result(None)

    # Sending

    async def pump(self, write: Write) -> None:
        """Writes whatever is ready, until the stream is closed and nothing is left to say."""
        loop = asyncio.get_running_loop()
        while True:
            if not self._writing:
                await self._write_ready(write)
                if self.closed.done():
                    return
            self._waiter = loop.create_future()
            await self._waiter

    async def answer(self, take: Callable[[], bool], write: Write) -> bool:
        """Does what a message asks for, then writes what is ready, with no turn of the loop between."""
        if self._writing:
            return take()
        self._writing = True
        try:
            counted = take()
        except BaseException:
            self._writing = False
            self.flush()
            raise
        await self._write_ready(write)
        if self.closed.done():  # the pump has been waiting for this
            self.flush()
        return counted

    async def _write_ready(self, write: Write) -> None:
        self._writing = True
        try:
            while (response := self.compose(now := monotonic_ms())) is not None:
                self.stuck_since = now
                await write(response)
                self.stuck_since = NEVER
        finally:
            self._writing = False

    def compose(self, now: int) -> play_pb2.PlayResponse | None:
        """One message of what is ready; None: nothing is."""
        response = self._notice
        self._notice = None
        if self._started or self.refusals or self._ended:
            if response is None:
                response = play_pb2.PlayResponse()
            self._compose_rest(response)
        if self._dirty and not self._started:  # nobody is asked at a seat that he has not been told of
            if response is None:
                response = play_pb2.PlayResponse()
            self._compose_updates(response, now)
        return response

    def _compose_updates(self, response: play_pb2.PlayResponse, now: int) -> None:
        batch, self._dirty = self._dirty[:BATCH], self._dirty[BATCH:]
        size = 0
        for place, chair in enumerate(batch):
            if chair.stream is self and chair.dirty:
                size += self._compose_update(response, chair, now)
            if size > MESSAGE_BYTES:
                self._dirty = batch[place + 1 :] + self._dirty
                break

    def _compose_update(self, response: play_pb2.PlayResponse, chair: Chair, now: int) -> int:
        match = chair.match
        try:
            chair.pull()
            decision = match.referee.decision(chair.seat)
            view = orjson.dumps(match.referee.view(chair.seat))
            legal = [] if decision is None else decision.legal
            size = chair.write(response, decision, legal, view, now)
        except Exception as error:  # noqa: BLE001  # a fault in the rules must end this attempt only
            chair.dirty = False
            match.host.blame(match, error)
            return 0
        if chair.dirty:
            self._dirty.append(chair)
        return size

    def _compose_rest(self, response: play_pb2.PlayResponse) -> None:
        response.started.extend(self._started[:NOTICES])
        response.refused.extend(self.refusals[:NOTICES])
        response.ended.extend(self._ended[:NOTICES])
        del self._started[:NOTICES], self.refusals[:NOTICES], self._ended[:NOTICES]
        if self._untold and not self.refusals:
            message = f"{self._untold} more did not count, and are not told one by one; read what is sent"
            response.refused.add(message=message)
            self._untold = 0

    def _note(self) -> play_pb2.PlayResponse:
        if self._notice is None:
            self._notice = play_pb2.PlayResponse()
        self.flush()
        return self._notice
