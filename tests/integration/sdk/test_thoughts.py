"""Bots that take their time in a bridge: they hold up nobody, and who fails them is told apart from them."""

import asyncio

import pytest

from mamenoki.sdk import Bot, Decision
from mamenoki.sdk.bridge import fill
from mamenoki.sdk.errors import BotEnded, HostFault
from mamenoki.sdk.tickets import FillReport
from tests.fixtures.engine import SERVICE_TOKEN, MakeEngine, RunningEngine, until
from tests.integration.sdk.conftest import tickets
from tests.unit.sdk.bots import First

SOON = {"first_ms": 250, "move_ms": 250, "bank_ms": 0, "grace_ms": 30_000}


class Waits(Bot):
    """Thinks until it is told to answer."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.ended = 0

    async def choose(self, decision: Decision) -> str:
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.ended += 1
            raise
        return decision.legal[0]


class Fails(Bot):
    """Raises once it has begun to think."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    async def choose(self, decision: Decision) -> str:
        await asyncio.sleep(0)
        raise self.error


async def fill_with(engine: RunningEngine, bots: dict[tuple[str, int], Bot], *tables: str) -> FillReport:
    started = await engine.start(*tables)
    return await fill(
        engine.channel(engine.internal),
        SERVICE_TOKEN,
        tickets(*started),
        lambda ticket, _: bots.get((ticket.match, ticket.seat), First()),
    )


def house_table(engine: RunningEngine) -> str:
    return engine.plan(engine.house("one"), engine.house("two"))


async def test_one_that_thinks_holds_up_no_other_table(engine: RunningEngine) -> None:
    slow, quick = house_table(engine), house_table(engine)
    bot = Waits()
    playing = asyncio.create_task(fill_with(engine, {(slow, 0): bot}, slow, quick))
    await until(lambda: engine.table(quick).state == "done")
    assert engine.table(slow).state == "running"
    bot.go.set()
    report = await playing
    assert {result.forfeit for result in report.ended.values()} == {None}
    assert engine.table(slow).state == "done"


async def test_a_thought_ends_when_the_clock_has_played(engine: RunningEngine) -> None:
    id = engine.plan(engine.player("ann", "thinker", "uploaded", "sha"), engine.house("one"), clock=SOON)
    bot = Waits()
    report = await fill_with(engine, {(id, 0): bot}, id)
    assert report.ended[id, 0].forfeit == "timeout"
    assert bot.ended == 3, "one for each decision that the clock played"


async def test_how_a_process_ended_is_told_as_it_was(engine: RunningEngine) -> None:
    id = house_table(engine)
    dead = Fails(BotEnded("memory: killed", None, 9, "what it said last"))
    report = await fill_with(engine, {(id, 1): dead}, id)
    assert report.ended[id, 1].forfeit == "crash"
    assert report.crashed[id, 1] == "memory: killed\nwhat it said last"


async def test_a_fault_of_the_host_is_nobodys_loss(make_engine: MakeEngine) -> None:
    engine = await make_engine(bridge_grace_ms=0)
    id = house_table(engine)
    with pytest.raises(HostFault, match="no sandbox"):
        await fill_with(engine, {(id, 0): Fails(HostFault("no sandbox today"))}, id)
    await until(lambda: engine.table(id).state == "planned")
    assert [attempt.cause for attempt in engine.attempts(id)] == ["bridge"]


async def test_nothing_thinks_on_when_the_bridge_is_given_up(engine: RunningEngine) -> None:
    id = house_table(engine)
    bot = Waits()
    playing = asyncio.create_task(fill_with(engine, {(id, 0): bot}, id))
    await until(lambda: id in engine.server.hall.matches and engine.server.hall.matches[id].chairs[0].asked)
    await until(lambda: bot.go._waiters)  # it waits
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert bot.ended == 1
