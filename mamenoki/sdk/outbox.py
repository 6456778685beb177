"""What a client has to say, gathered until the stream is free: one message for all that was ready."""

import asyncio

from engine_service.v1 import play_pb2 as pb
from mamenoki.sdk.sitting import Key
from mamenoki.sdk.wire import PlayCall, send


class Outbox:
    """Everything said since the last message was written waits in one request."""

    def __init__(self) -> None:
        self._request = pb.PlayRequest()
        self._filled = asyncio.Event()

    def accept(self, key: Key) -> None:
        """The seat is taken."""
        self._request.accepted.add(match=key[0], seat=key[1])
        self._filled.set()

    def move(self, key: Key, decision: int, text: str) -> None:
        """An answer."""
        self._request.moves.add(match=key[0], seat=key[1], decision=decision, move=text)
        self._filled.set()

    def recall(self, key: Key) -> None:
        """Ask for all that the seat has been shown."""
        self._request.recall.add(match=key[0], seat=key[1])
        self._filled.set()

    def resign(self, key: Key) -> None:
        """Give the seat up."""
        self._request.resigned.add(match=key[0], seat=key[1])
        self._filled.set()

    def pong(self, ping: int) -> None:
        """Answer a ping."""
        self._request.pong = ping
        self._filled.set()

    def clear(self) -> None:
        """Forget what was not sent: a new connection begins, and the server will ask again."""
        self._request = pb.PlayRequest()
        self._filled.clear()

    async def pump(self, call: PlayCall) -> None:
        """Write until cancelled; whatever comes up while one message is on its way goes into the next."""
        while True:
            await self._filled.wait()
            await asyncio.sleep(0)  # let the answers that are ready this very moment join
            request = self._request
            self.clear()
            await send(call, request)
