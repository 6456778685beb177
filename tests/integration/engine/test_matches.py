"""Whole matches over real streams, from plan to rated result."""

import json
from asyncio import gather

from engine_service.core.replay import verify
from engine_service.games import GAMES
from engine_service.v1.match_pb2 import StartedTable
from storage import ledger, results
from storage.database import Database
from tests.fixtures.engine import MakeEngine, RunningEngine, until
from tests.integration.engine.clients import open_bridge, open_player, sit_down


def replay_of(engine: RunningEngine, id: str) -> bytes:
    with engine.database.reading() as tx:
        replay = results.get(tx, id).replay
    assert replay is not None
    return replay


async def test_a_house_table_is_played_by_a_bridge(engine: RunningEngine) -> None:
    id = engine.plan(engine.house("one"), engine.house("two"), engine.house("three"))
    (started,) = await engine.start(id)
    assert started.outcome == StartedTable.OUTCOME_STARTED
    assert [seat.program for seat in started.seats] == ["random"] * 3
    assert len({seat.ticket for seat in started.seats}) == 3

    bridge = await open_bridge(engine, [started])
    await bridge.until(lambda c: len(c.started) == 3)
    assert bridge.started[id, 1].players == ["house/one@1", "house/two@1", "house/three@1"]
    assert bridge.started[id, 1].move_ms == 0
    await bridge.play_on()

    table = engine.table(id)
    assert (table.state, table.attempt) == ("done", 1)
    ended = bridge.ended[id, 0]
    verified = verify(replay_of(engine, id), GAMES)
    assert verified.scores == list(ended.scores)
    assert verified.ranks == list(ended.ranks) == list(ended.placements)
    assert table.ladder_id is not None
    with engine.database.reading() as tx:
        (entry,) = ledger.entries(tx, table.ladder_id, 0, 10)
    assert entry.content["table"] == id
    assert not engine.server.hall.matches


async def test_tables_are_played_on_every_database(make_engine: MakeEngine, database: Database) -> None:
    engine = await make_engine(database)
    ids = [engine.plan(engine.house("one"), engine.house("two")) for _ in range(12)]
    bridge = await open_bridge(engine, await engine.start(*ids))
    await bridge.play_on(done=24)
    assert {engine.table(id).state for id in ids} == {"done"}
    ladder_id = engine.table(ids[0]).ladder_id
    assert ladder_id is not None
    with database.reading() as tx:
        entries = ledger.entries(tx, ladder_id, 0, 100)
    assert sorted(entry.content["table"] for entry in entries) == ids
    assert [entry.place for entry in entries] == list(range(12))


async def test_players_of_two_owners_play_over_their_own_streams(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token("alice"))
    bob = await open_player(engine, engine.token("bob"), "rover")
    id = engine.plan(engine.remote("alice", "bot"), engine.remote("bob", "rover"))
    (started,), *_ = await gather(engine.start(id), sit_down(alice, (id, 0)), sit_down(bob, (id, 1)))
    assert started.outcome == StartedTable.OUTCOME_STARTED
    assert not started.seats
    assert alice.started[id, 0].first_ms == 20_000
    await gather(alice.play_on(), bob.play_on())
    assert alice.ended[id, 0].end == "turn_limit"
    lines = replay_of(engine, id).splitlines()
    assert json.loads(lines[0])["players"] == ["alice/bot@1", "bob/rover@1"]
    verify(replay_of(engine, id), GAMES)
    await until(lambda: not engine.server.hall.matches)
