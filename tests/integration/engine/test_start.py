"""MatchService.Start: one answer a table, whoever asks and however often."""

from asyncio import gather
from typing import Any

import grpc
import pytest

from engine_service.v1 import match_pb2, match_pb2_grpc, play_pb2
from engine_service.v1.match_pb2 import StartedTable
from tests.fixtures.engine import SERVICE_TOKEN, MakeEngine, RunningEngine, bearer, until
from tests.integration.engine.clients import open_bridge, open_player, sit_down

FAR = 1 << 50


def house_table(engine: RunningEngine, **changes: Any) -> str:
    return engine.plan(engine.house("one"), engine.house("two"), **changes)


async def test_many_tables_start_in_one_call(engine: RunningEngine) -> None:
    ids = [house_table(engine) for _ in range(20)]
    started = await engine.start(*ids)
    assert [table.table for table in started] == ids
    assert {table.outcome for table in started} == {StartedTable.OUTCOME_STARTED}
    bridge = await open_bridge(engine, started)
    await bridge.play_on(done=40)
    assert {engine.table(id).state for id in ids} == {"done"}


async def test_asking_again_under_the_same_name_gives_the_same_match(engine: RunningEngine) -> None:
    id = house_table(engine)
    first, second = await gather(engine.start(id), engine.start(id))
    third = await engine.start(id, id)
    assert first == second == [third[0]] == [third[1]]
    assert engine.table(id).fence == 1


async def test_another_caller_is_told_that_it_is_in_play(engine: RunningEngine) -> None:
    id = house_table(engine)
    await engine.start(id)
    (other,) = await engine.start(id, caller="worker-2")
    assert other.outcome == StartedTable.OUTCOME_IN_PLAY
    assert not other.seats


async def test_a_table_of_another_engine_is_in_play(make_engine: MakeEngine) -> None:
    one, two = await make_engine(), await make_engine()
    id = house_table(one)
    await one.start(id)
    (answer,) = await two.start(id)
    assert answer.outcome == StartedTable.OUTCOME_IN_PLAY


async def test_what_cannot_be_played_says_why(engine: RunningEngine) -> None:
    done = house_table(engine)
    later = house_table(engine, not_before=FAR)
    bridge = await open_bridge(engine, await engine.start(done))
    await bridge.play_on(done=2)
    answers = await engine.start(done, later, "nowhere")
    outcomes = [answer.outcome for answer in answers]
    assert outcomes == [
        StartedTable.OUTCOME_FINISHED,
        StartedTable.OUTCOME_NOT_DUE,
        StartedTable.OUTCOME_NOT_FOUND,
    ]
    assert all(answer.message for answer in answers)


async def test_a_full_engine_is_busy(make_engine: MakeEngine) -> None:
    engine = await make_engine(matches=2)
    ids = [house_table(engine) for _ in range(3)]
    started = await engine.start(*ids)
    assert [table.outcome for table in started] == [
        StartedTable.OUTCOME_STARTED,
        StartedTable.OUTCOME_STARTED,
        StartedTable.OUTCOME_BUSY,
    ]
    assert engine.table(ids[2]).state == "planned"


@pytest.mark.parametrize("changes", [{"game": "chess"}, {"variant": "odd"}, {"config": {"copies": "many"}}])
async def test_an_unplayable_table_spoils_no_other(engine: RunningEngine, changes: dict[str, Any]) -> None:
    bad, good = house_table(engine, **changes), house_table(engine)
    first, second = await engine.start(bad, good)
    assert first.outcome == StartedTable.OUTCOME_BUSY
    assert second.outcome == StartedTable.OUTCOME_STARTED
    assert [attempt.cause for attempt in engine.attempts(bad)] == ["engine"]


@pytest.mark.parametrize(
    ("tables", "caller", "word"),
    [
        ([], "w", "tables"),
        (["t"] * 257, "w", "tables"),
        (["t" * 27], "w", "tables"),
        ([""], "w", "tables"),
        (["t"], "", "caller"),
        (["t"], "w" * 121, "caller"),
    ],
)
async def test_a_bad_call_is_an_invalid_argument(
    engine: RunningEngine, tables: list[str], caller: str, word: str
) -> None:
    stub: Any = match_pb2_grpc.MatchServiceStub(engine.channel(engine.internal))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Start(
            match_pb2.StartRequest(tables=tables, caller=caller), metadata=bearer(SERVICE_TOKEN), timeout=10
        )
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert word in (caught.value.details() or "")


async def test_a_player_who_is_not_there_costs_no_attempt(engine: RunningEngine) -> None:
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"))
    (answer,) = await engine.start(id)
    assert answer.outcome == StartedTable.OUTCOME_SEAT_ABSENT
    assert answer.absent_seat == 1
    assert "alice/bot@1" in answer.message
    table = engine.table(id)
    assert (table.state, table.attempt) == ("planned", 0)


async def test_a_player_of_another_version_does_not_fill_the_seat(engine: RunningEngine) -> None:
    await open_player(engine, engine.token(), version="2")
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot", "1"))
    (answer,) = await engine.start(id)
    assert answer.outcome == StartedTable.OUTCOME_SEAT_ABSENT


async def test_a_player_who_does_not_accept_loses_nothing(make_engine: MakeEngine) -> None:
    engine = await make_engine(accept_ms=150)
    alice = await open_player(engine, engine.token())
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"))
    (answer,) = await engine.start(id)
    assert answer.outcome == StartedTable.OUTCOME_SEAT_ABSENT
    assert engine.table(id).attempt == 0
    await alice.until(lambda c: (id, 1) in c.ended)
    assert alice.ended[id, 1].end == "aborted"
    assert engine.server.hall.guests.places == (4, 0)


async def test_places_are_counted_by_the_engine(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token(), places=1)
    player = engine.remote("alice", "bot")
    first, second = (engine.plan(engine.house("one"), player) for _ in range(2))
    (started,), _ = await gather(engine.start(first), sit_down(alice, (first, 1)))
    assert started.outcome == StartedTable.OUTCOME_STARTED
    (refused,) = await engine.start(second)
    assert refused.outcome == StartedTable.OUTCOME_SEAT_ABSENT
    assert "no free place" in refused.message
    bridge = await open_bridge(engine, [started])
    await gather(bridge.play_on(done=1), alice.play_on(done=1))
    (again,), _ = await gather(engine.start(second), sit_down(alice, (second, 1)))
    assert again.outcome == StartedTable.OUTCOME_STARTED


async def test_a_player_may_lose_its_stream_before_it_accepts(engine: RunningEngine) -> None:
    token = engine.token()
    alice = await open_player(engine, token)
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"))

    async def stumble() -> None:
        await alice.until(lambda c: (id, 1) in c.started)
        alice.cut()
        await until(lambda: not engine.server.hall.streams)
        again = await open_player(engine, token)
        await sit_down(again, (id, 1))

    (answer,), _ = await gather(engine.start(id), stumble())
    assert answer.outcome == StartedTable.OUTCOME_STARTED


async def test_abort_plans_the_table_again(engine: RunningEngine) -> None:
    id = house_table(engine)
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.question((id, 0)) if (id, 0) in bridge.latest else await bridge.until(lambda c: c.latest)
    stub: Any = match_pb2_grpc.MatchServiceStub(engine.channel(engine.internal))
    request = match_pb2.AbortRequest(match=id, reason="the organiser said so")
    await stub.Abort(request, metadata=bearer(SERVICE_TOKEN), timeout=10)
    await bridge.until(lambda c: len(c.ended) == 2)
    assert bridge.ended[id, 0].end == "aborted"
    assert "the organiser said so" in bridge.ended[id, 0].reason
    assert engine.table(id).state == "planned"
    assert [(one.cause, one.detail) for one in engine.attempts(id)] == [
        ("abort", "service: the organiser said so")
    ]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Abort(request, metadata=bearer(SERVICE_TOKEN), timeout=10)
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND


async def test_the_third_failed_attempt_makes_the_table_void(engine: RunningEngine) -> None:
    id = house_table(engine)
    stub: Any = match_pb2_grpc.MatchServiceStub(engine.channel(engine.internal))
    commitments = set()
    for attempt in (1, 2, 3):
        bridge = await open_bridge(engine, await engine.start(id))
        await bridge.until(lambda c: len(c.started) == 2)
        assert engine.table(id).attempt == attempt
        commitments.add(bridge.started[id, 0].commitment)
        await stub.Abort(match_pb2.AbortRequest(match=id), metadata=bearer(SERVICE_TOKEN), timeout=10)
        await bridge.until(lambda c: len(c.ended) == 2)
    assert bridge.ended[id, 0].end == "void"
    assert engine.table(id).state == "void"
    assert len(commitments) == 3
    assert engine.server.hall.tallies.voids == {"infra": 1}


async def test_started_names_all_that_a_client_needs(engine: RunningEngine) -> None:
    id = house_table(engine)
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: len(c.started) == 2)
    started = bridge.started[id, 1]
    assert started.game == "mushi"
    assert '"turn_limit":12' in started.config
    assert '"copies":22' in started.config, "the whole config, not what differs"
    assert started.commitment == engine.table(id).commitment
    assert isinstance(started, play_pb2.Started)
