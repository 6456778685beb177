"""Bots that are offered seats and say nothing, or sit and never move, hold up nobody else."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from engine_service.v1.play_pb2 import Seat
from scheduler.ladders import enter_house
from storage import ladders, results
from storage.database import Database
from tests.fixtures.stack import ROSTER, MakeStack, Stack, make_stack, processes
from tests.integration.engine.clients import Client, open_player

__all__ = ["make_stack", "processes"]

STREAMS, PLACES, WANTED = 8, 64, 20
FOR_LONG = 100_000  # milliseconds to accept: no test lasts so long


async def sleeps(client: Client) -> None:
    """Reads, and nothing else."""
    while True:
        await client.receive(FOR_LONG)


async def sits(client: Client) -> None:
    """Accepts every seat and never moves."""
    known = 0
    while True:
        await client.receive(FOR_LONG)
        if len(client.started) > known:
            known = len(client.started)
            await client.send(accepted=[Seat(match=match, seat=seat) for match, seat in client.started])


@asynccontextmanager
async def mallory(stack: Stack, behave: Callable[[Client], Awaitable[None]]) -> AsyncIterator[list[Client]]:
    """As many streams of one owner as are let in, each a bot with as many places as there are."""
    clients = []
    for number in range(STREAMS):
        clients.append(
            await open_player(stack.engine, stack.engine.token("mallory"), f"bot-{number}", places=PLACES)
        )
        entered = stack.engine.remote("mallory", f"bot-{number}")
        with stack.database.transaction() as tx:
            ladders.enter(tx, stack.ladder.id, *entered)
    tasks = [asyncio.ensure_future(behave(client)) for client in clients]
    yield clients
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def begin(make_stack: MakeStack, database: Database, url: str, valkey: str) -> Stack:
    """An open ladder with some house bots, and a worker that can do one thing at a time."""
    stack = await make_stack(url, database, valkey, open_ladder=True, accept_ms=FOR_LONG)
    with stack.database.transaction() as tx:
        enter_house(tx, stack.ladder, ROSTER[:6])
    return stack


def waits(stack: Stack) -> bool:
    """Whether a table at which one of those bots sits is still open."""
    matches = stack.engine.server.hall.matches.values()
    return any(chair.remote for match in matches for chair in match.chairs)


def done_without(stack: Stack) -> int:
    with stack.database.reading() as tx:
        played = results.recent(tx, stack.ladder.id, None, 10_000)
    return sum(not any(name.startswith("mallory/") for name in row.players) for row in played)


async def test_who_never_accepts_holds_up_nobody(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await begin(make_stack, sqlite_database, sqlite_url, valkey)
    async with mallory(stack, sleeps) as clients:
        stack.worker(MAMENOKI_WORKER_PROCESSES="1")
        stack.beat()
        await stack.until(lambda: any(client.started for client in clients))
        before = done_without(stack)
        await stack.until(lambda: done_without(stack) >= before + WANTED)
        assert waits(stack), "they are still being waited for"


async def test_who_sits_and_never_moves_holds_up_nobody(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await begin(make_stack, sqlite_database, sqlite_url, valkey)
    async with mallory(stack, sits) as clients:
        stack.worker(MAMENOKI_WORKER_PROCESSES="1")
        stack.beat()
        await stack.until(lambda: any(client.updates for client in clients))
        before = done_without(stack)
        await stack.until(lambda: done_without(stack) >= before + WANTED)
        assert waits(stack), "their clocks still run"
