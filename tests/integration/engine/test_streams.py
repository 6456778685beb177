"""Streams as such: heartbeats, batches, crowds."""

import asyncio
from asyncio import gather
from pathlib import Path

import grpc
import pytest

from engine_service.server import stream as stream_module
from engine_service.v1.play_pb2 import PlayerHello
from tests.fixtures.engine import MakeEngine, RunningEngine, until
from tests.integration.engine.clients import open_bridge, open_player, open_stream


async def test_a_client_that_answers_pings_stays(make_engine: MakeEngine) -> None:
    engine = await make_engine(heartbeat_ms=300)
    client = await open_player(engine, engine.token())
    assert client.welcome is not None
    assert client.welcome.heartbeat_ms == 300
    for number in range(1, 6):  # more than may be missed
        await client.until(lambda c, number=number: number in c.pings)  # type: ignore[misc]
        await client.send(pong=number)
    assert len(engine.server.hall.streams) == 1


async def test_a_client_that_misses_three_pings_is_gone(make_engine: MakeEngine) -> None:
    engine = await make_engine(heartbeat_ms=30)
    client = await open_player(engine, engine.token())
    code, details = await client.status()
    assert code == grpc.StatusCode.UNAVAILABLE
    assert "3 pings" in details
    assert client.pings == [1, 2, 3]
    await until(lambda: not engine.server.hall.streams)


async def test_a_client_that_only_says_hello_is_welcomed_and_its_call_ends(make_engine: MakeEngine) -> None:
    """However the two sides' messages cross: tried some hundred times."""
    engine = await make_engine(calls_burst=1_000)
    token = engine.token()
    for _ in range(300):
        client = open_stream(engine, engine.public, token)
        await client.send(player=PlayerHello(bot="bot", version="1", places=4))
        await client.close()
        async with asyncio.timeout(10):
            assert await client.status() == (grpc.StatusCode.OK, "")
        assert client.welcome is not None
    assert not engine.server.hall.streams


async def test_updates_come_in_batches_of_at_most_64(engine: RunningEngine) -> None:
    ids = [engine.plan(engine.house("one"), engine.house("two")) for _ in range(100)]
    started = await engine.start(*ids)
    bridge = await open_bridge(engine, started)
    sizes: list[int] = []
    while sum(sizes) < 100:
        response = await bridge.receive()
        told = set(bridge.started)
        assert all((u.match, u.seat) in told for u in response.updates), "told of a seat before asked"
        sizes.append(len(response.updates))
    assert max(sizes) <= stream_module.BATCH
    assert sorted(size for size in sizes if size)[-1] > 10
    await bridge.play_on(done=200)
    assert {engine.table(id).state for id in ids} == {"done"}
    assert sum(engine.server.hall.tallies.finished.values()) == 100


def resident() -> int:
    """This process's memory in KiB."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here to measure memory by")
async def test_a_thousand_idle_connections_cost_little(engine: RunningEngine) -> None:
    before = resident()
    channels = [engine.channel(engine.public) for _ in range(1000)]
    await gather(*(channel.channel_ready() for channel in channels))
    both_sides = (resident() - before) / 1000
    assert both_sides < 200, "KiB a connection, client and server together"
    assert (await open_player(engine, engine.token())).welcome
