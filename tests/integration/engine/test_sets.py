"""Tables that share a deal, in a real engine: nothing of it is told before the last of them has ended."""

import asyncio
from typing import Any

import grpc
import pytest

from engine_service.core.replay import verify
from engine_service.games import GAMES
from engine_service.v1 import match_pb2, match_pb2_grpc
from engine_service.v1.match_pb2 import Match, StartedTable
from storage import ledger, results, sets
from storage.errors import found
from storage.redealing import ANEW
from tests.fixtures.engine import SERVICE_TOKEN, MakeEngine, RunningEngine, bearer, until
from tests.integration.engine.clients import Client, open_bridge, open_player, sit_down
from tests.integration.engine.test_watching import Public


async def begin(engine: RunningEngine, *ids: str) -> Client:
    bridge = await open_bridge(engine, await engine.start(*ids))
    await bridge.until(lambda c: len(c.started) == 2 * len(ids) and c.latest)
    return bridge


async def refused(call: Any) -> str:
    """What a call that must fail for the time being says."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert caught.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    return caught.value.details() or ""


async def test_what_is_open_on_a_shared_deal_is_not_shown_in_play(engine: RunningEngine) -> None:
    ids = engine.plan_set(engine.house("one"), engine.house("two"))
    await begin(engine, *ids)
    public = Public(engine)
    running = await public.get(ids[0])
    assert (running.state, running.view) == (Match.STATE_RUNNING, "")
    assert "shares its deal" in await refused(public.watch_all(ids[0]))


async def test_the_replay_comes_when_the_last_table_has_ended(engine: RunningEngine) -> None:
    ids = engine.plan_set(engine.house("one"), engine.house("two"))
    public = Public(engine)
    await (await begin(engine, ids[0])).play_on()
    ended = await public.get(ids[0])
    assert (ended.state, len(ended.scores)) == (Match.STATE_DONE, 2)
    assert "shares its deal" in await refused(public.replay(ids[0]))
    await (await begin(engine, ids[1])).play_on()
    told = [verify(await public.replay(id), GAMES) for id in ids]
    assert len({replay.seed for replay in told}) == 1
    (entry,) = entries(engine, ids[0])
    assert {seat["table"]: seat["score"] for seat in entry.content["seats"]} == {
        id: replay.scores[0] for id, replay in zip(ids, told, strict=True)
    }


async def test_an_attempt_of_ours_is_played_again_on_the_same_deal(engine: RunningEngine) -> None:
    ids = engine.plan_set(engine.house("one"), engine.house("two"))
    bridge = await begin(engine, *ids)
    bridge.cut()
    await until(lambda: not engine.server.hall.matches)
    await (await begin(engine, *ids)).play_on()
    assert [len(engine.attempts(id)) for id in ids] == [1, 1]
    public = Public(engine)
    assert len({verify(await public.replay(id), GAMES).seed for id in ids}) == 1
    assert len(entries(engine, ids[0])) == 1


async def test_a_bot_at_home_takes_all_seats_of_its_table_with_one_place(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token("alice"), places=1)
    ids = engine.plan_set(engine.house("one"), engine.remote("alice", "bot"))
    await sit_at(engine, ids[1], alice)
    assert {alice.started[ids[1], seat].commitment for seat in range(2)} == {engine.table(ids[0]).commitment}
    await alice.play_on()
    assert engine.table(ids[1]).state == "done"


async def test_a_deal_that_a_bot_at_home_has_seen_is_dealt_anew(engine: RunningEngine) -> None:
    """The engine fails at one table; everybody else's match is taken away and the set planned afresh."""
    alice = await open_player(engine, engine.token("alice"), places=2)
    ids = engine.plan_set(engine.house("one"), engine.remote("alice", "bot"))
    bridge = await begin(engine, ids[0])
    await sit_at(engine, ids[1], alice)
    await abort(engine, ids[1])
    ended = await alice.until(lambda c: c.ended)
    assert ended[ids[1], 0].end == "void"
    assert "dealt anew" in ended[ids[1], 0].reason
    assert engine.set_of(ids[0]).void_reason == ANEW
    await bridge.until(lambda c: c.ended, seconds=30)  # the next heartbeat tells it
    assert not engine.server.hall.matches
    fresh = engine.set_of(ids[0]).replaced_by
    with engine.database.reading() as tx:
        again = [table.table_id for table in found(sets.find(tx, fresh or ""), "dealt anew").tables]
    bridge = await begin(engine, again[0])
    await bridge.play_on()
    await sit_at(engine, again[1], alice)
    await alice.play_on(done=4)
    (entry,) = entries(engine, ids[0])
    assert entry.content["set"] == fresh
    with engine.database.reading() as tx:
        seeds = {results.get(tx, id).seed for id in again}
    assert len(seeds) == 1
    assert engine.table(ids[0]).seed not in seeds


async def test_a_bot_at_home_is_judged_once_for_all_its_seats(make_engine: MakeEngine) -> None:
    engine = await make_engine(accept_ms=200)
    alice = await open_player(engine, engine.token("alice"), places=1)
    ids = engine.plan_set(engine.house("one"), engine.remote("alice", "bot"))
    (started,) = await engine.start(ids[1])  # alice is asked, and says nothing
    assert started.outcome == StartedTable.OUTCOME_SEAT_ABSENT
    await alice.until(lambda c: all((ids[1], seat) in c.ended for seat in range(2)))
    assert len(alice.benched) == 1


async def sit_at(engine: RunningEngine, id: str, player: Client) -> None:
    """Starts a table whose seats are all that player's, who sits down."""
    starting = asyncio.create_task(engine.start(id))
    for seat in range(2):
        await sit_down(player, (id, seat))
    (started,) = await starting
    assert started.outcome == StartedTable.OUTCOME_STARTED, started.message
    await player.until(lambda c: any(u.match == id and u.HasField("decision") for u in c.latest.values()))


async def abort(engine: RunningEngine, id: str) -> None:
    stub: Any = match_pb2_grpc.MatchServiceStub(engine.channel(engine.internal))
    request = match_pb2.AbortRequest(match=id, reason="as a test wanted it")
    await stub.Abort(request, metadata=bearer(SERVICE_TOKEN), timeout=10)


def entries(engine: RunningEngine, table_id: str) -> list[ledger.EntryRow]:
    with engine.database.reading() as tx:
        return ledger.entries(tx, engine.set_of(table_id).ladder_id, 0, 10)
