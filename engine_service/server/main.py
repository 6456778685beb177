"""An engine as a whole: two gRPC servers, its metrics, its recurring work, and how it goes down.

The *public* server is for players and everybody with a token; the *internal*
one for our own processes: bridges, Start, Abort.
"""

import asyncio
import contextlib
import gc
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]  # ships no stubs
from prometheus_client import CollectorRegistry, ProcessCollector

from engine_service.games import GAMES
from engine_service.server.catalogue import Catalogue
from engine_service.server.hall import Hall
from engine_service.server.matches import InternalMatches, PublicMatches
from engine_service.server.metrics import EngineCollector
from engine_service.server.opening import Opening
from engine_service.server.play import PlayServicer
from engine_service.server.reader import Reader
from engine_service.server.rounds import Rounds
from engine_service.server.writer import Writer
from engine_service.v1 import game_pb2_grpc, match_pb2_grpc, play_pb2_grpc
from service import metrics
from service.auth import ANY_TOKEN, PUBLIC_METHODS, SERVICE, Authenticator, Policy
from service.errors import Down
from service.guard import Bounds, Calls, Guard
from service.health import Health
from service.limits import Rates, Slots
from service.logging import get
from service.presence import Presence
from service.settings import Settings
from service.wire import OUR_STREAMS, STREAMS, listen, server_options
from storage import identity
from storage.database import Database, now_ms
from storage.errors import StorageError

_log = get("engine")

PLAY = "engine_service.v1.PlayService"
MATCHES = "engine_service.v1.MatchService"
GAME_SERVICE = "engine_service.v1.GameService"

READY_S = 5.0

READING: Policy = {
    f"/{MATCHES}/Get": ANY_TOKEN,
    f"/{MATCHES}/Watch": ANY_TOKEN,
    f"/{MATCHES}/Replay": ANY_TOKEN,
    f"/{GAME_SERVICE}/List": ANY_TOKEN,
}
OURS = frozenset({SERVICE, "operate"})
PUBLIC_POLICY: Policy = {**PUBLIC_METHODS, **READING, f"/{PLAY}/Play": frozenset({"play"})}
INTERNAL_POLICY: Policy = {
    **PUBLIC_METHODS,
    **READING,
    f"/{PLAY}/Play": frozenset({SERVICE}),
    f"/{MATCHES}/Start": OURS,
    f"/{MATCHES}/Abort": OURS,
}


@dataclass(frozen=True, slots=True)
class Extra:
    """A further service for the public server: how it is added, and who may call what.

    ``service`` is its full name; ``policy`` names every method of it (see service.auth).
    """

    service: str
    add: Callable[[grpc.aio.Server], None]
    policy: Mapping[str, frozenset[str] | None] = field(default_factory=dict)


class EngineServer:
    """A running engine; made by :func:`start`. ``public``, ``internal`` and ``metrics`` are its addresses."""

    def __init__(self, settings: Settings, database: Database, extras: Sequence[Extra]) -> None:
        self.settings = settings
        self.calls = Calls()
        self._database = database
        self._reader = Reader(database)
        self._writer = Writer(database)
        self._health = Health((PLAY, MATCHES, GAME_SERVICE, *(extra.service for extra in extras)))
        theirs = Authenticator(self._look_up)
        ours = Authenticator(self._look_up, settings.service_token.get_secret_value())
        extra_policy = {method: scopes for extra in extras for method, scopes in extra.policy.items()}
        self.authenticators = (theirs, ours)
        self._public = self._server(
            {**PUBLIC_POLICY, **extra_policy}, theirs, settings.public_message_bytes, public=True
        )
        self._internal = self._server(INTERNAL_POLICY, ours, settings.internal_message_bytes, public=False)
        self.public = listen(self._public, settings.public_address, settings, public=True)
        self.internal = listen(self._internal, settings.internal_address, settings, public=False)
        self.hall = Hall(settings, settings.engine_name or self.internal, self._writer)
        self._rounds = Rounds(
            self.hall,
            ours,
            Presence(settings.redis_url, settings.presence_ttl_ms),
            self._health,
            self._ready,
        )
        self._add_services(extras)
        self.metrics = ""
        self._metrics_server: Any = None
        self._stopped = False

    async def begin(self) -> None:
        """Serves from here on."""
        if self.settings.engine_metrics_address:
            registry = CollectorRegistry()
            registry.register(EngineCollector(self.hall, self.calls))
            ProcessCollector(registry=registry)
            self.metrics, self._metrics_server = metrics.serve(self.settings.engine_metrics_address, registry)
        await self._internal.start()
        await self._public.start()
        self._rounds.begin()
        await self._health.say(serving=True)
        _log.info("engine_up", public=self.public, internal=self.internal, metrics=self.metrics)

    async def drain(self, grace_ms: int | None = None) -> None:
        """Takes nothing new, tells every client, and waits for the matches to end, at most ``grace_ms``."""
        hall = self.hall
        grace = self.settings.drain_grace_ms if grace_ms is None else grace_ms
        hall.draining = True
        hall.guests.changed = True
        _log.info("draining", matches=len(hall.matches), grace_ms=grace)
        await self._health.leave()
        for stream in hall.streams:
            stream.drain(self.settings.reconnect_after_ms)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(hall.idle.wait(), grace / 1000)

    async def stop(self, grace_ms: int = 0) -> None:
        """Drains for ``grace_ms``, ends what is left so that it is played again elsewhere, and closes all."""
        if self._stopped:
            return
        self._stopped = True
        await self.drain(grace_ms)
        await self.hall.abandon()
        for stream in self.hall.streams:
            stream.close(Down("the server is going down; come back", self.settings.reconnect_after_ms))
        await asyncio.gather(self._public.stop(1.0), self._internal.stop(1.0))
        await self._rounds.end()
        await self.hall.settle_tasks()
        await self._writer.close()
        self._reader.close()
        self.hall.close()
        if self._metrics_server is not None:
            await asyncio.to_thread(self._metrics_server.shutdown)
            self._metrics_server.server_close()
        _log.info("engine_down")

    async def _ready(self) -> bool:
        """Whether the database answers."""
        try:
            async with asyncio.timeout(READY_S):
                await self._reader.run(now_ms)
        except (StorageError, TimeoutError):
            return False
        return True

    async def _look_up(self, clear: str) -> identity.TokenRow | None:
        return await self._reader.run(lambda tx: identity.check_token(tx, clear))

    def _server(
        self, policy: Policy, authenticator: Authenticator, message_bytes: int, *, public: bool
    ) -> grpc.aio.Server:
        settings = self.settings
        each = settings.streams_per_user if public else settings.streams
        rate, burst = (settings.calls_per_second, settings.calls_burst) if public else (1e6, 1_000_000)
        bounds = Bounds(
            rates=Rates(rate, burst),
            failures=Rates(5.0, 50),
            slots=Slots(each, settings.streams),
            call_ms=settings.call_ms,
        )
        guard = Guard(policy, authenticator, bounds, self.calls)
        options = server_options(message_bytes, STREAMS if public else OUR_STREAMS)
        return grpc.aio.server(interceptors=[guard], options=options)

    def _add_services(self, extras: Sequence[Extra]) -> None:
        opening = Opening(self.hall)
        catalogue = Catalogue(GAMES)
        faces = (
            (self._public, PublicMatches(self.hall, self._reader), False),
            (self._internal, InternalMatches(self.hall, self._reader, opening), True),
        )
        for server, matches, bridges in faces:
            play_pb2_grpc.add_PlayServiceServicer_to_server(PlayServicer(self.hall, bridges=bridges), server)
            match_pb2_grpc.add_MatchServiceServicer_to_server(matches, server)
            game_pb2_grpc.add_GameServiceServicer_to_server(catalogue, server)
            self._health.add_to(server)
        for extra in extras:
            extra.add(self._public)
        names = (PLAY, MATCHES, GAME_SERVICE, *(extra.service for extra in extras), "grpc.health.v1.Health")
        reflection.enable_server_reflection((*names, reflection.SERVICE_NAME), self._public)


async def start(settings: Settings, database: Database, extras: Sequence[Extra] = ()) -> EngineServer:
    """An engine that serves, in the running event loop. The database's tables must be there."""
    server = EngineServer(settings, database, extras)
    await server.begin()
    return server


async def serve(
    settings: Settings,
    database: Database,
    extras: Sequence[Extra] = (),
    on_ready: Callable[[EngineServer], None] = lambda _server: None,
) -> None:
    """Runs an engine until SIGTERM or SIGINT, then drains it; a second signal ends it at once.

    Run it under uvloop: ``asyncio.Runner(loop_factory=uvloop.new_event_loop)``.
    """
    told, again = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, lambda: (again if told.is_set() else told).set())
    server = await start(settings, database, extras)
    tune_collector()
    on_ready(server)
    await told.wait()
    began = time.monotonic()
    draining = asyncio.create_task(server.drain())
    impatient = asyncio.create_task(again.wait())
    await asyncio.wait({draining, impatient}, return_when=asyncio.FIRST_COMPLETED)
    draining.cancel()
    impatient.cancel()
    await server.stop()
    _log.info("drained", seconds=round(time.monotonic() - began, 3))


def tune_collector() -> None:
    """Matches make many small objects that live for a while: with the usual thresholds, looking
    through everything that was ever imported for garbage costs a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
