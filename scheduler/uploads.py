"""An upload on its way in: its chunks gathered under bounds, and held against what was declared."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bot_runner.bundles.archive import MOST_PACKED
from scheduler.v1 import bots_pb2 as pb
from service.errors import BadRequest, Exhausted, Late
from service.guard import well_formed

MOST_CHUNK = 256 << 10
MOST_CHUNKS = 2_048
"""Of one upload: thirty-two would do for the largest bundle."""
RETRY_MS = 5_000
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Pace:
    """An upload's time in all, and between two of its messages."""

    total_ms: int
    idle_ms: int


@dataclass(frozen=True, slots=True)
class Upload:
    """A whole archive, which has the size and digest that were declared."""

    request_id: str
    data: bytes


class Gates:
    """Uploads at once: ``each`` of an owner's, ``total`` of everybody's, so that memory is bounded."""

    def __init__(self, each: int, total: int) -> None:
        self._each = each
        self._total = total
        self._open: dict[str, int] = {}

    @contextmanager
    def passing(self, owner: str) -> Iterator[None]:
        """Exhausted, saying when to try again, if no more may pass."""
        mine = self._open.get(owner, 0)
        if mine >= self._each:
            raise Exhausted(
                f"{mine} uploads of this owner are on their way, and {self._each} are allowed: "
                "try again when one has ended",
                RETRY_MS,
            )
        if sum(self._open.values()) >= self._total:
            raise Exhausted("as many uploads are on their way as the server takes; try again", RETRY_MS)
        self._open[owner] = mine + 1
        try:
            yield
        finally:
            self._leave(owner)

    def _leave(self, owner: str) -> None:
        self._open[owner] -= 1
        if not self._open[owner]:
            del self._open[owner]


async def receive(requests: AsyncIterator[Any], pace: Pace) -> Upload:
    """All of an upload. BadRequest where it is not what it declares, Late where it stalls."""
    try:
        async with asyncio.timeout(pace.total_ms / 1000):
            return await _receive(_Paced(requests, pace.idle_ms))
    except TimeoutError as error:
        raise Late(f"the upload took longer than {pace.total_ms} ms; send it again") from error


class _Paced:
    """The messages of a stream, none of which may let us wait."""

    def __init__(self, requests: AsyncIterator[Any], idle_ms: int) -> None:
        self._requests = aiter(requests)
        self._idle_ms = idle_ms

    async def next(self) -> pb.SubmitRequest | None:
        """None: the stream has ended."""
        waiting = asyncio.timeout(self._idle_ms / 1000)
        try:
            async with waiting:
                request: pb.SubmitRequest = well_formed(await anext(self._requests))
        except StopAsyncIteration:
            return None
        except TimeoutError as error:
            if not waiting.expired():
                raise
            raise Late(f"nothing came for {self._idle_ms} ms; send all of it again") from error
        return request


async def _receive(stream: _Paced) -> Upload:
    begin = _begin(await stream.next())
    data = bytearray()
    for _ in range(MOST_CHUNKS):
        request = await stream.next()
        if request is None:
            return _whole(begin, bytes(data))
        data += _chunk(request, begin.size - len(data))
    if await stream.next() is not None:
        raise BadRequest(
            f"more than {MOST_CHUNKS} chunks; send larger ones, of {MOST_CHUNK} bytes but for the last"
        )
    return _whole(begin, bytes(data))


def _begin(request: pb.SubmitRequest | None) -> pb.Begin:
    if request is None or request.WhichOneof("part") != "begin":
        raise BadRequest("the first message is 'begin', with request_id, size and sha256")
    begin = request.begin
    if not 0 < begin.size <= MOST_PACKED:
        raise BadRequest(f"size is {begin.size}; a bundle has 1 to {MOST_PACKED} bytes")
    if not _SHA256.fullmatch(begin.sha256):
        raise BadRequest("sha256 is the SHA-256 of the whole archive: 64 hexadecimal digits, small letters")
    return begin


def _chunk(request: pb.SubmitRequest, left: int) -> bytes:
    if request.WhichOneof("part") != "chunk":
        raise BadRequest("after 'begin' there are chunks only")
    if not 0 < len(request.chunk) <= MOST_CHUNK:
        raise BadRequest(f"a chunk of {len(request.chunk)} bytes; a chunk has 1 to {MOST_CHUNK}")
    if len(request.chunk) > left:
        raise BadRequest("more bytes came than size declares; declare the size of the whole archive")
    return request.chunk


def _whole(begin: pb.Begin, data: bytes) -> Upload:
    if len(data) != begin.size:
        raise BadRequest(f"{len(data)} bytes came of the {begin.size} declared; send all of it again")
    digest = hashlib.sha256(data).hexdigest()
    if digest != begin.sha256:
        raise BadRequest(
            f"the bytes that came have the SHA-256 {digest}, not the one declared; send them again"
        )
    return Upload(begin.request_id, data)
