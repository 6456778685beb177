"""The writer thread: batches, patience with a database that is away, and its end."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import pytest

from engine_service.server.writer import Lease, LeaseOver, Writer
from storage import tables
from storage.database import Database, now_ms
from storage.errors import Conflict, Unavailable
from storage.tables import Finished
from tests.fixtures.engine import until


@pytest.fixture
def impatient(sqlite_url: str) -> Iterator[Database]:
    database = Database(sqlite_url, wait_ms=20)
    yield database
    database.close()


@pytest.fixture
def lock(sqlite_url: str) -> Iterator[sqlite3.Connection]:
    """Another connection; ``begin immediate`` on it keeps everybody from writing."""
    connection = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    yield connection
    connection.close()


def lease(seconds: float) -> Lease:
    now = time.monotonic()
    return Lease("t", 1, now + seconds, now + seconds)


def finished(id: str) -> Finished:
    return Finished(id, 1, "normal", [1], [0], [0], {}, [0], 1, b"")


async def test_work_answers_and_raises(sqlite_database: Database) -> None:
    writer = Writer(sqlite_database)
    assert await writer.run(now_ms) > 1_600_000_000_000

    def refuse(_tx: Any) -> None:
        raise Conflict("no")

    with pytest.raises(Conflict):
        await writer.run(refuse)
    await writer.close()


async def test_results_that_wait_are_committed_together(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[int] = []
    finish = tables.finish

    def counted(tx: Any, batch: Any) -> list[str]:
        batches.append(len(batch))
        return finish(tx, batch)

    monkeypatch.setattr(tables, "finish", counted)
    writer = Writer(sqlite_database)
    go = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold(_tx: Any) -> None:
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result(10)

    held = asyncio.create_task(writer.run(hold))
    results = [asyncio.create_task(writer.finish(finished(f"t{n}"), lease(60))) for n in range(50)]
    await asyncio.sleep(0)  # all of them are asked for
    go.set()
    assert set(await asyncio.gather(*results)) == {"stale"}, "no such tables, so nothing to write"
    await held
    assert sum(batches) == 50
    assert len(batches) <= 2, "what came while the first was on its way went together"
    await writer.close()


async def test_what_must_not_be_lost_waits_for_the_database(
    impatient: Database, lock: sqlite3.Connection
) -> None:
    writer = Writer(impatient)
    lock.execute("begin immediate")
    waiting = asyncio.create_task(writer.finish(finished("t"), lease(60)))
    insisting = asyncio.create_task(writer.insist(now_ms, lease(60)))
    with pytest.raises(Unavailable):
        await writer.run(now_ms)
    await until(lambda: writer.away)
    assert not waiting.done()
    lock.execute("rollback")
    assert await waiting == "stale"
    assert await insisting > 0
    assert not writer.away
    await writer.close()


async def test_patience_ends_with_the_lease(impatient: Database, lock: sqlite3.Connection) -> None:
    writer = Writer(impatient)
    lock.execute("begin immediate")
    with pytest.raises(LeaseOver):
        await writer.finish(finished("t"), lease(0.1))
    lock.execute("rollback")
    await writer.close()


async def test_a_renewed_lease_prolongs_the_patience(impatient: Database, lock: sqlite3.Connection) -> None:
    writer = Writer(impatient)
    held = lease(0.2)
    lock.execute("begin immediate")
    waiting = asyncio.create_task(writer.finish(finished("t"), held))
    await until(lambda: writer.away)
    held.renew(time.monotonic(), time.monotonic(), 60_000)
    await until(lambda: writer._failures > 4)
    assert not waiting.done()
    lock.execute("rollback")
    assert await waiting == "stale"
    await writer.close()


async def test_closing_tries_once_more_and_then_lets_go(
    impatient: Database, lock: sqlite3.Connection
) -> None:
    writer = Writer(impatient)
    lock.execute("begin immediate")
    waiting = asyncio.create_task(writer.finish(finished("t"), lease(60)))
    await until(lambda: writer.away)
    await writer.close()
    with pytest.raises(LeaseOver):
        await waiting
    lock.execute("rollback")


async def test_the_one_who_asked_may_be_gone(sqlite_database: Database) -> None:
    writer = Writer(sqlite_database)
    asked = asyncio.create_task(writer.run(now_ms))
    await asyncio.sleep(0)
    asked.cancel()
    assert await writer.run(now_ms)
    await writer.close()
