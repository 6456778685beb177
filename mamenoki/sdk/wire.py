"""What every client of the server shares: the channel, when to try again, what a failure means."""

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import ip_address

import grpc
from grpc import aio

from engine_service.v1 import play_pb2 as pb
from mamenoki.sdk.errors import NotAllowed, Refused, Replaced

LARGEST_MESSAGE = 4 << 20
OPTIONS: list[tuple[str, int]] = [
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", LARGEST_MESSAGE),
    # The server takes a ping every 10 s at most; more often is answered with GOAWAY.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # One connection a client: a stream beyond the server's limit would wait without an error.
    ("grpc.use_local_subchannel_pool", 1),
    # A bridge keeps its channel: the channel's own pause between dials must not outlast ours.
    ("grpc.initial_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 5_000),
]

PlayCall = aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]

WORD_LOST = (grpc.StatusCode.INTERNAL, "Internal error from Core")

_BEFORE_WORDS = re.compile(r"^(UNKNOWN: )?(ipv[46]:\S+: )?")

FIRST_ANSWER_S = 10.0
"""How long a server may take to say Welcome."""

SILENT_BEATS = 3
"""How many heartbeats may be missed before a connection counts as dead."""


def channel(address: str, *, tls: bool | None = None) -> aio.Channel:
    """A channel to ``host:port`` or ``unix:path``; TLS unless the address is this machine's."""
    if tls if tls is not None else not is_local(address):
        return aio.secure_channel(address, grpc.ssl_channel_credentials(), options=OPTIONS)
    return aio.insecure_channel(address, options=OPTIONS)


def is_local(address: str) -> bool:
    """Whether an address cannot leave this machine."""
    host = address.rpartition(":")[0].strip("[]")
    if address.startswith("unix:") or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),)


def pauses(dice: random.Random, least: float = 0.5, most: float = 30.0) -> Iterator[float]:
    """Seconds to wait before each further try: doubling, and never in step with other clients."""
    pause = least
    while True:
        yield pause * dice.uniform(0.5, 1.0)
        pause = min(most, pause * 2)


def refusal(error: aio.AioRpcError) -> Refused | None:
    """What to tell the author if trying again is of no use; None if it may help.

    It may with UNAVAILABLE, and with RESOURCE_EXHAUSTED that says when: after a broken
    connection the server may still count the old one. A write that met the end of its
    stream loses the server's word (grpc/grpc#36066): the next try will hear it.
    """
    code, details = error.code(), error.details() or "no reason given"
    if code is grpc.StatusCode.UNAVAILABLE or (code, details) == WORD_LOST:
        return None
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED and retry_after_s(error) is not None:
        return None
    if code is grpc.StatusCode.UNAUTHENTICATED:
        what = details.partition(";")[0]  # the server's own hint names no command line
        return NotAllowed(
            f"{what}; make a token with `mamenoki token create --owner NAME` and pass it as MAMENOKI_TOKEN"
        )
    if code is grpc.StatusCode.PERMISSION_DENIED:
        return NotAllowed(f"this token may not do that ({details}); make one with the scope that it names")
    if code is grpc.StatusCode.ABORTED:
        return Replaced(f"a newer connection of this bot took over ({details}); only the newest one plays")
    return Refused(f"the server refused: {details} ({code.name})")


def reason(error: aio.AioRpcError) -> str:
    """The server's or the network's own words, without what gRPC puts before them."""
    words = (error.details() or "no reason given").rpartition("last error: ")[2]
    return _BEFORE_WORDS.sub("", words)


def retry_after_s(error: aio.AioRpcError) -> float | None:
    """When the server says to come back, in seconds from now."""
    for key, value in error.trailing_metadata() or ():
        if key == "retry-after-ms" and str(value).isdigit():
            return int(value) / 1000
    return None


async def send(call: PlayCall, request: pb.PlayRequest) -> None:
    """Write to a stream that may have ended. Failing is silent: the next read says why, a write does not."""
    with suppress(aio.AioRpcError, asyncio.InvalidStateError):
        await call.write(request)


class Silence:
    """Ends a Play call on which nothing has been heard for too long.

    A dead peer may leave a stream open for ever; waiting with a timeout on every read
    would cost a task a message, so one timer looks at the time of the last one.
    """

    def __init__(self, end: Callable[[], object]) -> None:
        self._end, self._limit = end, FIRST_ANSWER_S
        self._loop = asyncio.get_running_loop()
        self._last = self._loop.time()
        self._timer = self._loop.call_later(self._limit, self._look)
        self.expired = False
        self.spoken = False

    def heard(self, response: pb.PlayResponse) -> None:
        """Something has come; a Welcome says how often something must come."""
        self._last = self._loop.time()
        self.spoken = True
        if response.HasField("welcome"):
            beat_s = response.welcome.heartbeat_ms / 1000
            self._limit = SILENT_BEATS * (beat_s or FIRST_ANSWER_S)
            self._timer.cancel()
            self._look()

    def stop(self) -> None:
        """The call is over by itself."""
        self._timer.cancel()

    def _look(self) -> None:
        left = self._last + self._limit - self._loop.time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._look)
        else:
            self.expired = True
            self._end()
