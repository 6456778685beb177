"""Clocks, strikes and forfeits over the wire, with short limits."""

import time
from asyncio import gather
from typing import Any

import pytest

from engine_service.core.replay import verify
from engine_service.games import GAMES
from engine_service.server.alarms import monotonic_ms
from engine_service.v1 import play_pb2
from storage import results
from storage.results import ResultRow
from tests.fixtures.engine import RunningEngine, until
from tests.integration.engine.clients import Client, open_bridge, open_player, sit_down

SHORT_LIMITS = {"first_ms": 40, "move_ms": 40, "bank_ms": 0, "grace_ms": 40}


async def sit(engine: RunningEngine, clock: dict[str, Any]) -> tuple[str, Client, Client]:
    """Alice at seat 0, a bridge's bot at seat 1; both told, the bridge not playing yet."""
    alice = await open_player(engine, engine.token())
    id = engine.plan(engine.remote("alice", "bot"), engine.house("one"), clock=clock)
    (started,), _ = await gather(engine.start(id), sit_down(alice, (id, 0)))
    return id, alice, await open_bridge(engine, [started])


def result(engine: RunningEngine, id: str) -> ResultRow:
    with engine.database.reading() as tx:
        row = results.get(tx, id)
    assert row.replay is not None
    verify(row.replay, GAMES)
    return row


async def test_a_player_that_thinks_too_long_is_forfeited_at_the_third_strike(engine: RunningEngine) -> None:
    id, alice, bridge = await sit(engine, SHORT_LIMITS)
    await bridge.play_on(done=1)
    await alice.until(lambda c: c.ended)
    assert alice.ended[id, 0].forfeit == "timeout"
    row = result(engine, id)
    assert row.played.forfeits == {0: "timeout"}
    assert row.strikes == (3, 0)
    assert row.played.placements == (1, 0)
    assert b'"why":{"0":"timeout"}' in (row.replay or b"")


async def test_the_bank_is_touched_when_the_limit_is_over(engine: RunningEngine) -> None:
    clock = {"first_ms": 50, "move_ms": 50, "bank_ms": 20_000, "grace_ms": 20_000}
    id, alice, bridge = await sit(engine, clock)
    playing = gather(bridge.play_on(done=1))
    first = await alice.question((id, 0))
    assert 0 < first.decision.left_ms <= 50
    assert first.decision.bank_ms == 20_000
    referee = engine.server.hall.matches[id].referee
    opened = referee.decision(0)
    assert opened is not None
    await until(lambda: monotonic_ms() > opened.opened_ms + 80)
    await alice.answer(first, first.decision.legal[0])
    second = await alice.question((id, 0))
    assert second.decision.bank_ms < 20_000
    await gather(playing, alice.play_on(done=1))
    assert not alice.ended[id, 0].forfeit


async def test_a_player_that_is_gone_is_played_by_the_clock(engine: RunningEngine) -> None:
    clock = {"first_ms": 20_000, "move_ms": 20_000, "bank_ms": 0, "grace_ms": 60}
    id, alice, bridge = await sit(engine, clock)
    alice.cut()
    await bridge.play_on(done=1)
    row = result(engine, id)
    assert row.played.forfeits == {0: "disconnect"}
    assert bridge.ended[id, 1].placements == [1, 0]


async def test_the_third_refused_answer_is_played_by_the_clock(engine: RunningEngine) -> None:
    clock = {"first_ms": 20_000, "move_ms": 20_000, "bank_ms": 0, "grace_ms": 20_000}
    id, alice, bridge = await sit(engine, clock)
    playing = gather(bridge.play_on(done=1))
    while not alice.ended:
        update = alice.latest.pop((id, 0), None)
        if update is not None and update.HasField("decision"):
            for text in ("fly", "keep RYGBRYGB", "roll ="):
                await alice.send(
                    moves=[play_pb2.Move(match=id, seat=0, decision=update.decision.id, move=text)]
                )
        await alice.receive()
    await playing
    assert alice.ended[id, 0].forfeit == "illegal"
    assert [refused.tries_left for refused in alice.refused[:3]] == [2, 1, 0]
    assert result(engine, id).strikes == (3, 0)


async def test_a_player_may_resign(engine: RunningEngine) -> None:
    id, alice, bridge = await sit(engine, SHORT_LIMITS | {"first_ms": 20_000, "move_ms": 20_000})
    await alice.send(resigned=[play_pb2.Seat(match=id, seat=0)])
    await bridge.play_on(done=1)
    await alice.until(lambda c: c.ended)
    assert alice.ended[id, 0].forfeit == "resigned"


async def test_two_players_that_are_both_gone_leave_a_void_table(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token("alice"))
    bob = await open_player(engine, engine.token("bob"))
    id = engine.plan(engine.remote("alice", "bot"), engine.remote("bob", "bot"), clock=SHORT_LIMITS)
    await gather(engine.start(id), sit_down(alice, (id, 0)), sit_down(bob, (id, 1)))
    alice.cut()
    bob.cut()
    await until(lambda: engine.table(id).state == "void")


async def test_the_clock_of_a_house_bot_has_no_limit(engine: RunningEngine) -> None:
    id = engine.plan(engine.house("one"), engine.house("two"), clock=SHORT_LIMITS)
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    (update,) = bridge.latest.values()
    assert (update.decision.left_ms, update.decision.bank_ms) == (0, 0)
    assert engine.server.hall.matches[id].referee.deadline() is None


async def test_thinking_time_is_measured_by_the_engine(engine: RunningEngine) -> None:
    clock = {"first_ms": 20_000, "move_ms": 20_000, "bank_ms": 0, "grace_ms": 20_000}
    id, alice, bridge = await sit(engine, clock)
    await gather(bridge.play_on(done=1), alice.play_on(done=1))
    assert b'"ms":{"0":' in (result(engine, id).replay or b"")
    spread = engine.server.hall.tallies.game("mushi").move_ms
    assert sum(spread.counts) == result(engine, id).played.moves


async def test_nobody_is_charged_for_an_engine_that_stood_still(engine: RunningEngine) -> None:
    clock = {"first_ms": 400, "move_ms": 400, "bank_ms": 0, "grace_ms": 400}
    id, alice, bridge = await sit(engine, clock)
    playing = gather(bridge.play_on(done=1))
    update = await alice.question((id, 0))
    time.sleep(1.5)  # noqa: ASYNC251  # the fault itself: the loop, and with it the engine, stands still
    assert engine.server.hall.pulse.stalls == 0, "it has had no chance to notice yet"
    await alice.answer(update, update.decision.legal[0])
    await gather(playing, alice.play_on(done=1))
    assert engine.server.hall.pulse.stalls >= 1
    assert not alice.ended[id, 0].forfeit
    assert result(engine, id).strikes == (0, 0)


@pytest.mark.parametrize("clock", [{"first_ms": None, "move_ms": None, "bank_ms": 0, "grace_ms": None}, {}])
async def test_a_table_without_limits_or_with_the_usual_ones(
    engine: RunningEngine, clock: dict[str, Any]
) -> None:
    id, alice, bridge = await sit(engine, clock)
    expected = (0, 0, 0) if clock else (10_000, 2_000, 30_000)
    started = alice.started[id, 0]
    assert (started.first_ms, started.move_ms, started.bank_ms) == expected
    await gather(bridge.play_on(done=1), alice.play_on(done=1))
    assert not alice.ended[id, 0].forfeit
