"""Bridges: their tickets, and what their faults do. A fault of ours is never a result."""

from asyncio import gather

from engine_service.v1 import play_pb2
from engine_service.v1.match_pb2 import StartedTable
from storage import results
from tests.fixtures.engine import MakeEngine, RunningEngine, until
from tests.integration.engine.clients import Client, open_bridge, open_player, sit_down, tickets_of


def house_table(engine: RunningEngine) -> str:
    return engine.plan(engine.house("one"), engine.house("two"))


async def refusal(client: Client) -> play_pb2.Refused:
    await client.until(lambda c: c.refused)
    return client.refused.pop(0)


async def test_a_wrong_ticket_takes_no_seat(engine: RunningEngine) -> None:
    id = house_table(engine)
    (started,) = await engine.start(id)
    right = started.seats[0].ticket
    assert len(right) == 32
    bridge = await open_bridge(engine)
    for match, seat, ticket in (
        (id, 0, ""),
        (id, 0, right[:-1] + ("0" if right[-1] != "0" else "1")),
        (id, 1, right),
        (id, 7, right),
        ("nowhere", 0, right),
        (id, 0, "é" * 32),
    ):
        await bridge.send(tickets=[play_pb2.Ticket(match=match, seat=seat, ticket=ticket)])
        assert (await refusal(bridge)).reason == play_pb2.Refused.REASON_BAD_TICKET
    assert not bridge.started


async def test_a_bridge_that_goes_away_ends_the_attempt(engine: RunningEngine) -> None:
    id = house_table(engine)
    one, two = (await engine.start(id))[0].seats
    first = await open_bridge(engine)
    await first.send(tickets=[play_pb2.Ticket(match=id, seat=0, ticket=one.ticket)])
    second = await open_bridge(engine)
    await second.send(tickets=[play_pb2.Ticket(match=id, seat=1, ticket=two.ticket)])
    await gather(first.until(lambda c: c.started), second.until(lambda c: c.started))
    first.cut()
    await second.until(lambda c: c.ended)
    assert second.ended[id, 1].end == "aborted"
    assert engine.table(id).state == "planned"
    assert [attempt.cause for attempt in engine.attempts(id)] == ["bridge"]


async def test_a_bridge_may_come_back_within_its_grace(make_engine: MakeEngine) -> None:
    engine = await make_engine(bridge_grace_ms=10_000)
    id = house_table(engine)
    (started,) = await engine.start(id)
    first = await open_bridge(engine, [started])
    await first.until(lambda c: c.latest)
    (key,) = first.latest
    question = first.latest[key]
    first.cut()
    await until(lambda: not engine.server.hall.streams)
    again = await open_bridge(engine, [started])
    assert (await again.question(key)).decision == question.decision
    await again.play_on(done=2)
    assert engine.table(id).state == "done"


async def test_the_same_ticket_moves_the_seat_to_the_newer_stream(engine: RunningEngine) -> None:
    id = house_table(engine)
    (started,) = await engine.start(id)
    old = await open_bridge(engine, [started])
    await old.until(lambda c: len(c.started) == 2)
    new = await open_bridge(engine, [started])
    await new.until(lambda c: len(c.started) == 2)
    old.cut()
    await until(lambda: len(engine.server.hall.streams) == 1)
    await new.play_on(done=2)
    assert engine.table(id).attempt == 1


async def test_tickets_that_nobody_shows_end_the_attempt(make_engine: MakeEngine) -> None:
    engine = await make_engine(accept_ms=100)
    id = house_table(engine)
    (started,) = await engine.start(id)
    bridge = await open_bridge(engine)
    await bridge.send(tickets=tickets_of(started)[:1])
    await bridge.until(lambda c: c.ended)
    assert [attempt.cause for attempt in engine.attempts(id)] == ["bridge"]
    assert "seats [1]" in engine.attempts(id)[0].detail


async def test_a_bridge_that_answers_nothing_is_given_up(make_engine: MakeEngine) -> None:
    engine = await make_engine(bridge_stall_ms=200, lease_ms=1000)
    id = house_table(engine)
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.ended)
    assert "gave no answer" in engine.attempts(id)[0].detail


async def test_no_match_runs_for_ever(make_engine: MakeEngine) -> None:
    engine = await make_engine(match_wall_ms=200, lease_ms=1000)
    id = house_table(engine)
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.ended)
    assert [attempt.cause for attempt in engine.attempts(id)] == ["wall"]


async def test_a_dead_bot_forfeits_and_the_match_is_a_result(engine: RunningEngine) -> None:
    id = house_table(engine)
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    dead = play_pb2.BotEnded(match=id, seat=1, exit_code=-11, signal=11, stderr="Segmentation fault")
    await bridge.send(bots_ended=[dead])
    await bridge.play_on(done=2)
    assert bridge.ended[id, 1].forfeit == "crash"
    assert not bridge.ended[id, 0].forfeit
    assert list(bridge.ended[id, 0].placements) == [0, 1]
    with engine.database.reading() as tx:
        assert results.get(tx, id).played.forfeits == {1: "crash"}


async def test_when_every_seat_is_forfeited_the_table_is_void(engine: RunningEngine) -> None:
    id = house_table(engine)
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: len(c.started) == 2)
    await bridge.send(bots_ended=[play_pb2.BotEnded(match=id, seat=seat) for seat in (0, 1)])
    await bridge.until(lambda c: len(c.ended) == 2)
    assert bridge.ended[id, 0].end == "void"
    table = engine.table(id)
    assert table.state == "void"
    assert table.void_reason
    assert engine.server.hall.tallies.voids == {"forfeits": 1}


async def test_a_mixed_table_is_played_by_a_player_and_a_bridge(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token())
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"), engine.house("two"))
    (started,), _ = await gather(engine.start(id), sit_down(alice, (id, 1)))
    assert started.outcome == StartedTable.OUTCOME_STARTED
    assert [seat.seat for seat in started.seats] == [0, 2]
    bridge = await open_bridge(engine, [started])
    await gather(alice.play_on(done=1), bridge.play_on(done=2))
    assert engine.table(id).state == "done"
