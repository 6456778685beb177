"""Presence in a real Valkey: told, kept up, withdrawn, and never needed by a match."""

from asyncio import gather, to_thread

import redis

from service.presence import ENGINES, Presence, Present
from tests.fixtures.engine import LADDER, MakeEngine, until
from tests.integration.engine.clients import open_bridge, open_player, sit_down


async def test_a_player_is_present_while_its_stream_is_open(make_engine: MakeEngine, valkey: str) -> None:
    engine = await make_engine(redis_url=valkey, presence_ttl_ms=600)
    presence = Presence(valkey)
    alice = await open_player(engine, engine.token(), places=2)
    player_id, version_id = engine.remote("alice", "bot")
    found = await until(presence.read)
    assert found == {player_id: Present(player_id, version_id, 2, engine.internal, found[player_id].since)}

    id = engine.plan(engine.house("one"), (player_id, version_id))
    (started,), _ = await gather(engine.start(id), sit_down(alice, (id, 1)))
    await until(lambda: presence.read()[player_id].free == 1)
    bridge = await open_bridge(engine, [started])
    await gather(bridge.play_on(done=1), alice.play_on(done=1))
    await until(lambda: presence.read()[player_id].free == 2)
    alice.cut()
    await until(lambda: not presence.read())


async def test_a_wiped_or_stopped_redis_only_costs_time(make_engine: MakeEngine, valkey: str) -> None:
    engine = await make_engine(redis_url=valkey, presence_ttl_ms=300)
    presence = Presence(valkey)
    await open_player(engine, engine.token())
    await until(presence.read)
    with redis.from_url(valkey) as client:
        client.flushall()
    await until(presence.read)


async def test_presence_ends_with_the_engine_that_told_of_it(make_engine: MakeEngine, valkey: str) -> None:
    engine = await make_engine(redis_url=valkey)
    presence = Presence(valkey)
    await open_player(engine, engine.token())
    await until(presence.read)
    await engine.server.stop()
    assert presence.read() == {}
    with redis.from_url(valkey) as client:
        assert not client.smembers(ENGINES)


async def test_presence_of_a_dead_engine_expires(valkey: str) -> None:
    presence = Presence(valkey, ttl_ms=100)
    presence.publish("dead", [Present(1, 2, 3, "dead", 4)])
    assert presence.read() == {1: Present(1, 2, 3, "dead", 4)}
    await until(lambda: not presence.read())


async def test_of_two_engines_the_later_counts(valkey: str) -> None:
    presence = Presence(valkey)
    presence.publish("b", [Present(1, 2, 3, "b", 40)])
    presence.publish("a", [Present(1, 2, 0, "a", 50)])
    assert presence.read()[1].engine == "a"
    presence.withdraw("a")
    assert presence.read()[1].engine == "b"


async def test_without_redis_matches_are_played(make_engine: MakeEngine) -> None:
    engine = await make_engine()
    alice = await open_player(engine, engine.token())
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"))
    (started,), _ = await gather(engine.start(id), sit_down(alice, (id, 1)))
    bridge = await open_bridge(engine, [started])
    await gather(bridge.play_on(done=1), alice.play_on(done=1))
    assert engine.table(id).state == "done"
    await until(lambda: engine.server.hall.tallies.presence_failures)


async def test_a_hello_puts_the_bot_on_its_ladders(make_engine: MakeEngine) -> None:
    engine = await make_engine()
    engine.plan(engine.house("one"), engine.house("two"))  # makes the ladder
    await open_player(engine, engine.token(), ladders=["mushi"])

    def standing() -> list[str]:
        from storage import ladders

        with engine.database.reading() as tx:
            ladder = ladders.find_ladder(tx, LADDER)
            return [f"{e.owner}/{e.name}@{e.version}" for e in ladders.entrants(tx, ladder.id)]

    assert await to_thread(standing) == ["alice/bot@1"]
    await open_player(engine, engine.token(), ladders=[LADDER], version="2")
    assert await to_thread(standing) == ["alice/bot@2"]


def test_nobody_is_known_to_be_away_before_an_engine_has_spoken(valkey: str) -> None:
    """Redis may have been wiped a moment ago: an empty one says nothing about anybody."""
    presence = Presence(valkey)
    assert not presence.is_told()
    presence.publish("engine", [])
    assert presence.is_told()
    assert presence.read() == {}
    presence.withdraw("engine")
    assert not presence.is_told()
    presence.close()
