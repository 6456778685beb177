"""Remote players who let others wait are left out for a while, and the others do not wait for them."""

from asyncio import create_task, gather

from engine_service.v1.match_pb2 import StartedTable
from tests.fixtures.engine import MakeEngine, RunningEngine, until
from tests.integration.engine.clients import open_bridge, open_player, sit_down


def table_with(engine: RunningEngine, bot: str = "bot") -> str:
    return engine.plan(engine.house("one"), engine.remote("alice", bot))


async def test_who_does_not_accept_is_benched_and_told(make_engine: MakeEngine) -> None:
    engine = await make_engine(accept_ms=50, bench_ms=60_000)
    alice = await open_player(engine, engine.token())
    (answer,) = await engine.start(table_with(engine))
    assert answer.outcome == StartedTable.OUTCOME_SEAT_ABSENT
    told = await alice.until(lambda c: c.benched)
    assert 0 < told[0].left_ms <= 60_000
    assert "not accepted" in told[0].reason

    (again,) = await engine.start(table_with(engine))
    assert again.outcome == StartedTable.OUTCOME_SEAT_ABSENT
    assert "on the bench" in again.message, "nobody asks it, so nobody waits"
    assert engine.server.hall.guests.present("here", 0)[0].free == 0


async def test_a_new_connection_is_no_way_off_the_bench(make_engine: MakeEngine) -> None:
    engine = await make_engine(accept_ms=50, bench_ms=60_000)
    alice = await open_player(engine, engine.token())
    await engine.start(table_with(engine))
    alice.cut()
    await until(lambda: not engine.server.hall.guests.present("here", 0))
    again = await open_player(engine, engine.token(), version="2")
    assert (await again.until(lambda c: c.benched))[0].left_ms > 0


async def test_who_lets_the_clock_play_is_benched(make_engine: MakeEngine) -> None:
    engine = await make_engine(bench_ms=60_000)
    alice = await open_player(engine, engine.token())
    id = engine.plan(
        engine.house("one"),
        engine.remote("alice", "bot"),
        clock={"first_ms": 1, "move_ms": 1, "bank_ms": 0, "grace_ms": 1},
    )
    (started,), _ = await gather(engine.start(id), sit_down(alice, (id, 1)))
    bridge = await open_bridge(engine, [started])
    await bridge.play_on(done=1)
    told = await alice.until(lambda c: c.benched)
    assert "timeout" in told[0].reason


async def test_a_match_played_to_its_end_clears_the_slate(make_engine: MakeEngine) -> None:
    engine = await make_engine(accept_ms=50, bench_ms=0)
    alice = await open_player(engine, engine.token())
    await engine.start(table_with(engine))
    await alice.until(lambda c: c.benched)
    bench = engine.server.hall.guests.bench
    assert "not accepted" in bench.why("alice/bot")
    id = table_with(engine)
    (started,), _ = await gather(engine.start(id), sit_down(alice, (id, 1)))
    bridge = await open_bridge(engine, [started])
    await gather(bridge.play_on(done=1), alice.play_on(done=2))  # the first was taken back
    assert bench.why("alice/bot") == ""


async def test_the_seats_of_one_owner_are_bounded(make_engine: MakeEngine) -> None:
    engine = await make_engine(owner_matches=2)
    one = await open_player(engine, engine.token(), "one", places=2)
    await open_player(engine, engine.token(), "two", places=2)
    first, second = table_with(engine, "one"), table_with(engine, "one")
    started = create_task(engine.start(first, second))
    await sit_down(one, (first, 1))
    await sit_down(one, (second, 1))
    await started
    (third,) = await engine.start(table_with(engine, "two"))
    assert third.outcome == StartedTable.OUTCOME_SEAT_ABSENT
    assert "2 seats, the most at once" in third.message
    assert [guest.free for guest in engine.server.hall.guests.present("here", 0)] == [0, 0]
    bob = await open_player(engine, engine.token("bob"))
    id = engine.plan(engine.house("one"), engine.remote("bob", "bot"))
    (other,), _ = await gather(engine.start(id), sit_down(bob, (id, 1)))
    assert other.outcome == StartedTable.OUTCOME_STARTED
