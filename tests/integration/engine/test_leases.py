"""The lease: kept while a match runs, obeyed when it is lost; results outlast a database that is away."""

import sqlite3
import time
from asyncio import create_task
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
import pytest

from engine_service.v1 import play_pb2
from storage import tables
from storage.database import Database, now_ms
from tests.fixtures.engine import MakeEngine, RunningEngine, until, writing
from tests.integration.engine.clients import Client, open_bridge


@pytest.fixture
def impatient(sqlite_url: str) -> Iterator[Database]:
    """A database that waits 50 ms for a lock, then is Unavailable."""
    database = Database(sqlite_url, wait_ms=50)
    yield database
    database.close()


@contextmanager
def away(sqlite_url: str) -> Iterator[None]:
    """Nobody can write, as if the database were away."""
    connection = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("begin immediate")
    try:
        yield
    finally:
        connection.execute("rollback")
        connection.close()


async def begin(engine: RunningEngine) -> tuple[str, Client]:
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    return id, bridge


async def end_by_crash(id: str, bridge: Client) -> None:
    """Seat 1 is dead; seat 0 plays the match to its end."""
    await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=1)])
    await bridge.play_on(done=2)


async def test_a_running_match_keeps_its_lease(make_engine: MakeEngine) -> None:
    engine = await make_engine(lease_ms=1500)
    id, bridge = await begin(engine)
    first = engine.table(id).lease_until
    assert first is not None
    await until(lambda: (engine.table(id).lease_until or 0) > first + 900)
    await end_by_crash(id, bridge)
    assert engine.table(id).state == "done"
    assert engine.table(id).fence == 1


async def test_an_overtaken_match_is_dropped_and_writes_nothing(make_engine: MakeEngine) -> None:
    engine = await make_engine(lease_ms=300)
    id, bridge = await begin(engine)
    with engine.database.transaction() as tx:  # another engine's claim, as after a stall of ours
        assert tables.fail(tx, id, 1, "lease", "stalled") == "planned"
        claim = tables.claim(tx, id, "another", 60_000, bytes(32))
        assert isinstance(claim, tables.Claim)
    await bridge.until(lambda c: len(c.ended) == 2)
    assert bridge.ended[id, 0].end == "aborted"
    table = engine.table(id)
    assert (table.state, table.fence, table.lease_owner) == ("running", 2, "another")
    assert not engine.server.hall.matches


async def test_a_result_under_an_old_fence_is_discarded(engine: RunningEngine) -> None:
    id, bridge = await begin(engine)
    with engine.database.transaction() as tx:
        tables.fail(tx, id, 1, "lease", "stalled")
        tables.claim(tx, id, "another", 60_000, bytes(32))
    await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=1)])
    await bridge.play_on(done=2)
    assert bridge.ended[id, 0].end == "aborted"
    assert engine.table(id).state == "running"


async def test_a_result_waits_for_a_database_that_is_away(
    make_engine: MakeEngine, impatient: Database, sqlite_url: str
) -> None:
    engine = await make_engine(impatient, lease_ms=20_000)
    id, bridge = await begin(engine)
    with away(sqlite_url):
        await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=0)])
        playing = create_task(bridge.play_on(done=2))
        await until(lambda: engine.server.hall.matches[id].ended)
        await until(lambda: engine.server.hall.writer.away)
        assert not bridge.ended, "nobody is told before the database knows"
    await playing
    assert bridge.ended[id, 1].end == "turn_limit"
    assert engine.table(id).state == "done"
    assert not engine.server.hall.writer.away


async def test_a_match_is_dropped_when_its_lease_may_have_ended(
    make_engine: MakeEngine, impatient: Database, sqlite_url: str
) -> None:
    engine = await make_engine(impatient, lease_ms=400)
    id, bridge = await begin(engine)
    began = time.monotonic()
    with away(sqlite_url):
        await bridge.until(lambda c: len(c.ended) == 2)
    assert time.monotonic() - began < 5
    assert bridge.ended[id, 0].end == "aborted"
    assert not engine.server.hall.matches
    await until(lambda: (engine.table(id).lease_until or 0) <= _now(engine))
    (again,) = await engine.start(id)
    assert again.seats
    assert [attempt.cause for attempt in engine.attempts(id)] == ["lease"]


async def test_a_result_is_given_up_once_the_lease_has_surely_ended(
    make_engine: MakeEngine, impatient: Database, sqlite_url: str
) -> None:
    engine = await make_engine(impatient, lease_ms=400)
    id, bridge = await begin(engine)
    with away(sqlite_url):
        await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=seat) for seat in (0, 1)])
        await bridge.until(lambda c: len(c.ended) == 2)
    assert bridge.ended[id, 0].end == "aborted"
    assert engine.table(id).state == "running"


async def test_start_says_unavailable_while_the_database_is_away(
    make_engine: MakeEngine, impatient: Database, sqlite_url: str
) -> None:
    engine = await make_engine(impatient)
    id = engine.plan(engine.house("one"), engine.house("two"))
    with away(sqlite_url), pytest.raises(grpc.aio.AioRpcError) as caught:
        await engine.start(id)
    assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
    assert dict(caught.value.trailing_metadata())["retry-after-ms"]
    (answer,) = await engine.start(id)
    assert answer.seats


async def test_one_poisonous_result_does_not_spoil_the_others(
    engine: RunningEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [engine.plan(engine.house("one"), engine.house("two")) for _ in range(4)]
    bridge = await open_bridge(engine, await engine.start(*ids))
    poisoned = engine.server.hall.matches[ids[1]]
    monkeypatch.setattr(poisoned.referee, "replay", lambda: "not bytes")
    with writing(engine.database):  # so that all four wait and are committed together
        await bridge.until(lambda c: len(c.started) == 8)
        for id in ids:
            await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=1)])
        playing = create_task(bridge.play_on(done=8))
        await until(lambda: all(engine.server.hall.matches[id].ended for id in ids))
    await playing
    assert [engine.table(id).state for id in ids] == ["done", "planned", "done", "done"]
    assert [attempt.cause for attempt in engine.attempts(ids[1])] == ["engine"]


async def test_a_fault_in_the_rules_ends_the_attempt_and_nothing_else(
    engine: RunningEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = (engine.plan(engine.house("one"), engine.house("two")) for _ in range(2))
    bridge = await open_bridge(engine, await engine.start(bad, good))
    await bridge.until(lambda c: len(c.latest) == 2)

    def explode(*_: object) -> None:
        raise ZeroDivisionError("a secret of the rules")

    monkeypatch.setattr(engine.server.hall.matches[bad].referee, "submit", explode)
    await bridge.play_on(done=4)
    assert {bridge.ended[bad, seat].end for seat in (0, 1)} == {"aborted"}
    assert "secret" not in bridge.ended[bad, 0].reason
    assert bridge.ended[good, 0].end == "turn_limit"
    assert engine.table(bad).state == "planned"
    assert engine.server.hall.tallies.attempts == {"engine": 1}


def _now(engine: RunningEngine) -> int:
    with engine.database.reading() as tx:
        return now_ms(tx)
