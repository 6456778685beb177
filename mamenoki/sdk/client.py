"""Connects an author's bot to a server: several matches at once on one stream, kept up by itself.

A lost connection is dialled again after 0.5 to 30 seconds, never in step with others;
the bots go on where they were, because the server tells what they missed. Only a lost
connection is tried again: a server that refuses says why, and trying would not help.
"""

import asyncio
import random
import secrets
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpc import StatusCode, aio

from engine_service.v1 import play_pb2 as pb
from engine_service.v1.play_pb2_grpc import PlayServiceStub
from mamenoki.sdk import wire
from mamenoki.sdk.bot import Result
from mamenoki.sdk.chair import Chair, MakeBot
from mamenoki.sdk.events import (
    Benched,
    BotRaised,
    Connected,
    Disconnected,
    Draining,
    Event,
    Leaving,
    MatchStarted,
)
from mamenoki.sdk.outbox import Outbox
from mamenoki.sdk.sitting import LOST, Key, result_of, seat_of
from mamenoki.sdk.streak import Streak
from mamenoki.sdk.telling import sentence

if TYPE_CHECKING:
    from engine_service.v1.play_pb2_grpc import PlayServiceAsyncStub

LAST_WORDS_S = 5.0
CLOSED = "the server closed the connection"

Address = str | Callable[[], str]
"""``host:port`` or ``unix:path``, or what says it."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Who connects: the token's owner gets a bot of this name and version.

    ``places`` is how many matches it plays at once, 1 to 64; ``ladders`` where it stands.
    """

    bot: str
    version: str = "1"
    places: int = 1
    ladders: tuple[str, ...] = ()


class Client:
    """One connection of one bot. :meth:`run` plays until :meth:`drain`, or until the server refuses.

    ``make_bot`` is called once a seat, in the thread that its bot will think in. ``address``
    may be a function, which is asked at each dial: a server may come back elsewhere. ``tell``
    is called on the event loop with every :data:`~mamenoki.sdk.events.Event`; by default
    all are told on stderr.
    """

    def __init__(
        self,
        make_bot: MakeBot,
        profile: Profile,
        address: Address,
        token: str,
        tell: Callable[[Event], None] | None = None,
        tls: bool | None = None,
    ) -> None:
        self._make_bot, self._profile = make_bot, profile
        self._address, self._token, self._tls = address, token, tls
        self._listener = tell or to_stderr
        self._chairs: dict[Key, Chair] = {}
        self._leaving: set[Chair] = set()
        self._unconfirmed: set[Key] = set()
        self._streak = Streak()
        self._reached = False
        self._call: wire.PlayCall | None = None
        self._come_back_s: float | None = None
        self._dialled, self._why = "", CLOSED
        self._outbox = Outbox()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Play. Returns after :meth:`drain`; raises Refused, or BotKeepsFailing after three matches."""
        try:
            await self._keep_connected()
        finally:
            await self._say_goodbye()
        if self._streak.over:
            raise self._streak.verdict()

    def drain(self) -> None:
        """Take no new match; :meth:`run` returns when those in play have ended."""
        if not self._stopping.is_set():
            self._stopping.set()
            self._tell(Leaving(len(self._chairs)))
        if self._over and self._call is not None:
            self._call.cancel()

    @property
    def playing(self) -> int:
        """How many matches are in play."""
        return len(self._chairs)

    @property
    def _over(self) -> bool:
        return self._stopping.is_set() and not self._chairs

    async def _keep_connected(self) -> None:
        waits = wire.pauses(random.Random())
        while not self._over:
            if await self._dial():
                waits, self._reached = wire.pauses(random.Random()), True
            if not self._over:
                await self._pause(next(waits))

    async def _dial(self) -> bool:
        """One connection, to its end. Whether the server said anything."""
        self._dialled = self._address if isinstance(self._address, str) else self._address()
        async with wire.channel(self._dialled, tls=self._tls) as channel:
            return await self._session(PlayServiceStub(channel))

    @property
    def _lost(self) -> str:
        """Why there is no connection."""
        if self._reached:
            return f"{self._dialled}: {self._why}"
        return f"cannot reach {self._dialled}: is it the server's gRPC port? ({self._why})"

    async def _pause(self, wait_s: float) -> None:
        wait_s = max(wait_s, self._come_back_s or 0.0)
        self._come_back_s = None
        self._tell(Disconnected(self._lost, wait_s, self._reached))
        if self._stopping.is_set():
            await asyncio.sleep(wait_s)
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), wait_s)

    async def _session(self, stub: "PlayServiceAsyncStub") -> bool:
        self._call = call = stub.Play(metadata=wire.bearer(self._token))
        self._why = CLOSED
        self._outbox.clear()
        silence = wire.Silence(call.cancel)
        pump: asyncio.Task[None] | None = None
        try:
            await wire.send(call, pb.PlayRequest(player=self._hello()))
            pump = asyncio.create_task(self._outbox.pump(call))
            await self._listen(call, silence)
        except aio.AioRpcError as error:
            self._judge(error)
        except asyncio.CancelledError:
            if not silence.expired and not self._over:
                raise
            self._why = "the server has been silent for too long"
        finally:
            silence.stop()
            call.cancel()
            if pump is not None:
                pump.cancel()
        return silence.spoken

    def _judge(self, error: aio.AioRpcError) -> None:
        refused = wire.refusal(error)
        if refused is not None:
            raise refused from error
        self._why = wire.reason(error)
        self._reached |= error.code() is not StatusCode.UNAVAILABLE  # whoever says "too many" is there
        self._come_back_s = wire.retry_after_s(error)

    def _hello(self) -> pb.PlayerHello:
        profile = self._profile
        return pb.PlayerHello(
            bot=profile.bot, version=profile.version, places=profile.places, ladders=profile.ladders
        )

    async def _listen(self, call: wire.PlayCall, silence: wire.Silence) -> None:
        while isinstance(response := await call.read(), pb.PlayResponse):
            silence.heard(response)
            self._take(response)
            if self._over:
                return

    def _take(self, response: pb.PlayResponse) -> None:
        if response.HasField("welcome"):
            self._welcomed(response.welcome)
        for started in response.started:
            self._sit(started)
        for refused in response.refused:
            for chair in self._at((refused.match, refused.seat)):
                chair.refused(refused)
        for update in response.updates:
            for chair in self._at((update.match, update.seat)):
                chair.update(update)
        for ended in response.ended:
            self._leave((ended.match, ended.seat), result_of(ended))
        if response.ping:
            self._pinged(response.ping)
        if response.HasField("drain"):
            self._drained(response.drain)
        if response.HasField("benched"):
            self._tell(Benched(response.benched.left_ms / 1000, response.benched.reason))

    def _welcomed(self, welcome: pb.Welcome) -> None:
        self._unconfirmed = set(self._chairs)
        self._tell(Connected(welcome.player, welcome.places))

    def _pinged(self, ping: int) -> None:
        # By its first ping a server has named every match that still runs.
        for key in self._unconfirmed:
            self._leave(key, LOST)
        self._unconfirmed = set()
        self._outbox.pong(ping)

    def _drained(self, drain: pb.Drain) -> None:
        self._come_back_s = drain.reconnect_after_ms / 1000
        self._tell(Draining(self._come_back_s))

    def _at(self, key: Key) -> Iterable[Chair]:
        self._unconfirmed.discard(key)
        chair = self._chairs.get(key)
        return () if chair is None else (chair,)

    def _sit(self, started: pb.Started) -> None:
        key = (started.match, started.seat)
        known = self._chairs.get(key)
        if known is not None and known.commitment != started.commitment:
            self._leave(key, LOST)  # a fresh attempt at the same table, with another deal
            known = None
        if known is None and self._stopping.is_set():
            return  # not accepted: the server plans the table anew, and lets us rest a little
        self._unconfirmed.discard(key)
        seat = seat_of(started, secrets.randbits(63))
        if known is None:
            self._chairs[key] = Chair(seat, started.commitment, self._make_bot, self._outbox, self._tell)
        self._outbox.accept(key)
        self._tell(MatchStarted(seat, resumed=known is not None))

    def _leave(self, key: Key, result: Result) -> None:
        chair = self._chairs.pop(key, None)
        if chair is None:
            return
        chair.end(result)
        self._leaving.add(chair)
        chair.gone.add_done_callback(lambda _: self._leaving.discard(chair))
        if result is not LOST:
            self._streak.ended(key[0], result.forfeit)
            self._take_off()

    def _tell(self, event: Event) -> None:
        self._listener(event)
        if isinstance(event, BotRaised):
            self._blame((event.seat.match, event.seat.seat))

    def _blame(self, key: Key) -> None:
        """A bot that raises in ``finish`` has cost nothing."""
        for chair in (*self._chairs.values(), *self._leaving):
            if chair.key == key and chair.failed:
                self._streak.raised(key[0])
        self._take_off()

    def _take_off(self) -> None:
        if self._streak.over:
            self.drain()

    async def _say_goodbye(self) -> None:
        """Let the bots' ``finish`` come to an end."""
        waiting = [chair.gone for chair in self._leaving]
        if waiting:
            await asyncio.wait(waiting, timeout=LAST_WORDS_S)


def to_stderr(event: Event) -> None:
    """Everything in words, for an author without a better listener."""
    print(sentence(event), file=sys.stderr, flush=True)
