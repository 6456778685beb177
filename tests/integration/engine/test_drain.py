"""Going down: nobody loses anything, and what cannot end is played again."""

import asyncio
import os
import signal
import sys
from asyncio import create_task, gather
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # ships no stubs

from engine_service.v1 import play_pb2
from engine_service.v1.match_pb2 import StartedTable
from tests.fixtures.engine import MakeEngine, RunningEngine, until, writing
from tests.integration.engine.clients import open_bridge, open_player, open_stream, sit_down


async def test_a_draining_engine_takes_nothing_new_and_lets_matches_end(engine: RunningEngine) -> None:
    first, second = (engine.plan(engine.house("one"), engine.house("two")) for _ in range(2))
    bridge = await open_bridge(engine, await engine.start(first))
    await bridge.until(lambda c: c.latest)
    draining = create_task(engine.server.drain(10_000))
    await bridge.until(lambda c: c.drains)
    assert bridge.drains[0].reconnect_after_ms == 2000

    (answer,) = await engine.start(second)
    assert answer.outcome == StartedTable.OUTCOME_BUSY
    late = open_stream(engine, engine.public, engine.token())
    await late.send(player=play_pb2.PlayerHello(bot="b", version="1", places=1))
    code, _ = await late.status()
    assert code == grpc.StatusCode.UNAVAILABLE
    assert dict(await late.call.trailing_metadata())["retry-after-ms"] == "2000"
    stub: Any = health_pb2_grpc.HealthStub(engine.channel(engine.public))
    health = await stub.Check(health_pb2.HealthCheckRequest(), timeout=10)
    assert health.status == health_pb2.HealthCheckResponse.NOT_SERVING

    await bridge.play_on(done=2)
    await draining
    assert engine.table(first).state == "done"
    assert engine.table(second).state == "planned"


async def test_what_is_left_after_the_grace_is_planned_again_without_an_attempt(
    engine: RunningEngine,
) -> None:
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    stopping = create_task(engine.server.stop(grace_ms=50))
    code, _ = await bridge.status()
    await stopping
    assert bridge.ended[id, 0].end == "aborted"
    assert bridge.ended[id, 1].end == "aborted"
    assert code == grpc.StatusCode.UNAVAILABLE
    table = engine.table(id)
    assert (table.state, table.attempt) == ("planned", 0)


async def test_a_deal_that_a_player_has_seen_is_dealt_anew(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token())
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"))
    await gather(engine.start(id), sit_down(alice, (id, 1)))
    commitment = engine.table(id).commitment
    await engine.server.stop(grace_ms=0)
    table = engine.table(id)
    assert (table.state, table.attempt) == ("planned", 1)
    assert [attempt.cause for attempt in engine.attempts(id)] == ["engine"]
    assert not alice.ended or not alice.ended[id, 1].forfeit
    assert table.commitment == commitment, "a claim draws the fresh one"


async def test_results_on_their_way_are_committed_before_the_engine_ends(make_engine: MakeEngine) -> None:
    engine = await make_engine()
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    with writing(engine.database):
        await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=seat) for seat in (0, 1)])
        await until(lambda: engine.server.hall.matches[id].ended)
        stopping = create_task(engine.server.stop())
        await until(lambda: engine.server.hall.draining)
    await stopping
    assert engine.table(id).state == "void"


SCRIPT = """
import asyncio, sys
from engine_service.server.main import serve
from service.logging import configure
from storage.database import Database
from tests.fixtures.engine import settings_for

configure()

def ready(server):
    print(server.public, server.internal, flush=True)

url = sys.argv[1]
asyncio.run(serve(settings_for(url, drain_grace_ms=int(sys.argv[2])), Database(url), on_ready=ready))
"""


async def launch(sqlite_url: str, grace_ms: int) -> tuple[asyncio.subprocess.Process, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        SCRIPT,
        sqlite_url,
        str(grace_ms),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=Path(__file__).parents[3],
    )
    assert process.stdout is not None
    lines = await asyncio.wait_for(process.stdout.readline(), 30)
    return process, lines.decode().split()[1]


async def test_a_second_signal_ends_the_process_at_once(engine: RunningEngine, sqlite_url: str) -> None:
    process, internal = await launch(sqlite_url, 60_000)
    id = engine.plan(engine.house("one"), engine.house("two"))
    elsewhere = RunningEngine(engine.server, engine.database)
    engine.server.internal = internal
    bridge = await open_bridge(elsewhere, await elsewhere.start(id))
    await bridge.until(lambda c: c.latest)
    os.kill(process.pid, signal.SIGTERM)
    await bridge.until(lambda c: c.drains)
    assert process.returncode is None
    os.kill(process.pid, signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 15) == 0
    assert (engine.table(id).state, engine.table(id).attempt) == ("planned", 0)


async def test_sigterm_with_nothing_to_do_ends_the_process(sqlite_url: str) -> None:
    process, _ = await launch(sqlite_url, 60_000)
    os.kill(process.pid, signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 15) == 0
