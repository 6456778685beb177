"""How fast the engine is on the wire, over a bare echo of the very same messages.

The engine runs in a process of its own, with SQLite and everything else that it
has in production. One client fills every seat of its matches on one stream and
answers each decision with a move that costs nothing to choose. What it reads is
kept; then a server that knows no game sends the same answers to the same client,
as many for each request as the engine gave. What the engine adds is the difference.
"""

import asyncio
import multiprocessing
import secrets
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import grpc
import uvloop

from benchmarks.table import Ratio
from engine_service.server.main import start, tune_collector
from engine_service.v1 import match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc
from scheduler.ladders import open_ladder
from scheduler.tables import plan_tables
from service.settings import Settings
from service.wire import server_options
from storage import identity
from storage.database import Database

SERVICE_TOKEN = secrets.token_urlsafe(16)
METADATA = (("authorization", f"Bearer {SERVICE_TOKEN}"),)
SEATS = 4
ROUNDS = {1: 40, 64: 6}  # how often matches are begun together
BATCHES = {1: 1, 64: 2}  # messages on the way at once: while one is read, another is thought about
SPAWN = multiprocessing.get_context("spawn")

Group = list[play_pb2.PlayResponse]
"""What the server said between two requests."""


@dataclass(slots=True)
class Exchange:
    """What passed on one stream while all of its matches were open, and how long that took."""

    seconds: float = 0.0
    moves: int = 0
    groups: list[Group] = field(default_factory=lambda: [[]])

    @property
    def speed(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    def add(self, other: "Exchange") -> None:
        """Count another one's moves and time as well."""
        self.seconds += other.seconds
        self.moves += other.moves


def answer(response: play_pb2.PlayResponse) -> play_pb2.PlayRequest:
    """The first legal move for every decision."""
    moves = []
    for update in response.updates:
        if update.HasField("decision"):
            legal = update.decision.legal
            move = legal[0]
            moves.append(
                play_pb2.Move(match=update.match, seat=update.seat, decision=update.decision.id, move=move)
            )
    return play_pb2.PlayRequest(moves=moves)


async def finish(call: Any, open_seats: int, response: play_pb2.PlayResponse) -> None:
    """Plays on to the end of every match."""
    while open_seats > 0:
        open_seats -= len(response.ended)
        request = answer(response)
        if request.moves:
            await call.write(request)
        if open_seats > 0:
            response = await call.read()


@dataclass(frozen=True, slots=True)
class Server:
    """One that runs in a process of its own."""

    address: str
    pipe: Connection


@asynccontextmanager
async def serving(target: Any, *arguments: Any) -> AsyncIterator[Server]:
    """A server in a process of its own."""
    ours, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=target, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()  # so that a server that dies is an end of file here, and not a wait for ever
    try:
        yield Server(await asyncio.to_thread(ours.recv), ours)
    finally:
        if process.is_alive():
            ours.send(None)
        await asyncio.to_thread(process.join)


def engine_process(pipe: Connection, database_url: str, token: str) -> None:
    """An engine; says its internal address, and stops at the next word."""

    async def run() -> None:
        settings = Settings(
            database_url=database_url,
            redis_url="redis://127.0.0.1:1/0",
            public_address="127.0.0.1:0",
            internal_address="127.0.0.1:0",
            engine_metrics_address="",
            service_token=token,
            log_level="ERROR",
        )
        tune_collector()
        server = await start(settings, Database(database_url))
        pipe.send(server.internal)
        await asyncio.to_thread(pipe.recv)
        await server.stop()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


class Echo(play_pb2_grpc.PlayServiceServicer):
    """Says what it was given: a welcome to the hello, then a group to each request."""

    groups: list[Group]

    async def Play(self, requests: Any, context: Any) -> Any:  # type: ignore[override]  # noqa: N802  the generated name, and a handler that writes
        waiting = iter([[play_pb2.PlayResponse(welcome=play_pb2.Welcome())], *self.groups])
        async for _request in requests:
            for response in next(waiting, ()):
                await context.write(response)


def echo_process(pipe: Connection) -> None:
    """An echo server over the engine's own transport settings; is told through the pipe what to say."""

    async def run() -> None:
        echo = Echo()
        server = grpc.aio.server(options=server_options(4 << 20))
        play_pb2_grpc.add_PlayServiceServicer_to_server(echo, server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        pipe.send(f"127.0.0.1:{port}")
        while (written := await asyncio.to_thread(pipe.recv)) is not None:
            echo.groups = [[play_pb2.PlayResponse.FromString(one) for one in group] for group in written]
            pipe.send(len(written))
        await server.stop(None)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


def plan(database: Database, count: int) -> list[str]:
    """That many tables of four house bots."""
    with database.transaction() as tx:
        ladder = open_ladder(tx, "mushi/standard")
        house = identity.ensure_owner(tx, "house")
        players = [identity.ensure_player(tx, house, f"bench-{seat}", "house") for seat in range(SEATS)]
        versions = [identity.ensure_version(tx, player.id, "1", "random").id for player in players]
        seating = list(zip((player.id for player in players), versions, strict=True))
        return plan_tables(tx, ladder, [seating] * count)


async def tickets_of(channel: grpc.aio.Channel, tables: list[str]) -> list[play_pb2.Ticket]:
    request = match_pb2.StartRequest(tables=tables, caller=secrets.token_hex(8))
    stub: Any = match_pb2_grpc.MatchServiceStub(channel)
    started = await stub.Start(request, metadata=METADATA)
    return [
        play_pb2.Ticket(match=table.table, seat=seat.seat, ticket=seat.ticket)
        for table in started.tables
        for seat in table.seats
    ]


@asynccontextmanager
async def bridge(address: str) -> AsyncIterator[tuple[grpc.aio.Channel, Any]]:
    """A channel, and a bridge's stream on it that has been answered."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        call = stub.Play(metadata=METADATA)
        await call.write(play_pb2.PlayRequest(bridge=play_pb2.BridgeHello(name="bench")))
        await call.read()
        yield channel, call
        await call.done_writing()


async def engine_exchange(address: str, database: Database, matches: int) -> Exchange:
    """K matches a message on one stream, from their beginning until the first has ended."""
    exchange = Exchange()
    async with bridge(address) as (channel, call):
        tickets = await tickets_of(channel, plan(database, matches * BATCHES[matches]))
        await call.write(play_pb2.PlayRequest(tickets=tickets))
        await play_segment(call, exchange, len(tickets))
    return exchange


async def play_segment(call: Any, exchange: Exchange, seats: int) -> None:
    """One segment on the clock, its rest off it."""
    response = await call.read()
    while not response.updates:
        response = await call.read()
    started = time.perf_counter()
    while not response.ended:
        exchange.groups[-1].append(response)
        request = answer(response)
        if request.moves:
            exchange.moves += len(request.moves)
            exchange.groups.append([])
            await call.write(request)
        response = await call.read()
    exchange.seconds += time.perf_counter() - started
    exchange.groups[-1] = []  # the answers to the last request were not all read on the clock
    await finish(call, seats, response)


async def echo_exchange(echo: Server, groups: list[Group]) -> Exchange:
    """The same messages between the same client and a server that knows no game."""
    exchange = Exchange()
    echo.pipe.send([[one.SerializeToString() for one in group] for group in groups])
    await asyncio.to_thread(echo.pipe.recv)
    async with bridge(echo.address) as (_, call):
        await call.write(play_pb2.PlayRequest(pong=1))
        started = time.perf_counter()
        for group in groups:
            for _ in group:
                request = answer(await call.read())
            if group:
                exchange.moves += len(request.moves)
                await call.write(request)
        exchange.seconds = time.perf_counter() - started
    return exchange


async def compare(matches: int, folder: Path) -> tuple[float, float]:
    """(engine, echo) in moves a second; they take turns, so that both meet the same machine."""
    url = f"sqlite:///{folder / f'bench-{matches}.sqlite3'}"
    database = Database(url)
    database.migrate()
    ours, floor = Exchange(), Exchange()
    async with serving(engine_process, url, SERVICE_TOKEN) as engine, serving(echo_process) as echo:
        for _ in range(ROUNDS[matches]):
            one = await engine_exchange(engine.address, database, matches)
            ours.add(one)
            floor.add(await echo_exchange(echo, [group for group in one.groups if group]))
    database.close()
    return ours.speed, floor.speed


def run() -> list[Ratio]:
    """One match a message over the echo; 64 matches over the echo; 64 over one."""
    with tempfile.TemporaryDirectory() as name, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        one, one_echo = runner.run(compare(1, Path(name)))
        batch, batch_echo = runner.run(compare(64, Path(name)))
    return [
        Ratio("engine, 1 match a message ÷ bare echo of its messages", "moves/s", one, one_echo, 0.8),
        Ratio("engine, 64 matches a message ÷ 1 match", "moves/s", batch, one, 12),
        Ratio("engine, 64 matches a message ÷ bare echo of its messages", "moves/s", batch, batch_echo),
    ]
