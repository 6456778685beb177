"""Players that lose their stream come back to what they had."""

from asyncio import Task, create_task, gather

import grpc

from engine_service.v1 import play_pb2
from storage import results
from tests.fixtures.engine import MakeEngine, RunningEngine, until
from tests.integration.engine.clients import Client, open_bridge, open_player, sensible, sit_down


async def seat(engine: RunningEngine, alice: Client) -> tuple[str, Task[None]]:
    """Alice at seat 1 against a house bot that a bridge plays in the background, to its end."""
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"))
    (started,), _ = await gather(engine.start(id), sit_down(alice, (id, 1)))
    bridge = await open_bridge(engine, [started])
    await bridge.until(lambda c: (id, 0) in c.started)
    return id, create_task(bridge.play_on(done=1))


async def test_a_reconnected_player_gets_the_same_decision_and_what_it_has_not_acknowledged(
    engine: RunningEngine,
) -> None:
    token = engine.token()
    alice = await open_player(engine, token)
    id, house = await seat(engine, alice)
    first = await alice.question((id, 1))
    await alice.answer(first, sensible(first))
    second = await alice.question((id, 1))
    assert second.decision.id == first.decision.id + 1
    assert second.first_sighting == first.first_sighting + len(first.sightings)
    alice.cut()
    await until(lambda: engine.server.hall.matches[id].chairs[1].stream is None)

    again = await open_player(engine, token)
    third = await again.question((id, 1))
    assert (id, 1) in again.started
    assert third.decision.id == second.decision.id
    assert list(third.decision.legal) == list(second.decision.legal)
    assert third.view == second.view
    assert third.first_sighting == second.first_sighting
    assert list(third.sightings) == list(second.sightings)
    assert third.decision.left_ms <= second.decision.left_ms
    again.latest[id, 1] = third
    await gather(again.play_on(done=1), house)
    assert again.ended[id, 1].end == "turn_limit"
    assert not again.ended[id, 1].forfeit


async def test_recall_gives_everything_from_the_beginning(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token())
    id, house = await seat(engine, alice)
    for _ in range(3):
        update = await alice.question((id, 1))
        await alice.answer(update, sensible(update))
    update = await alice.question((id, 1))
    known = list(alice.sightings[id, 1])
    del alice.latest[id, 1]
    await alice.send(recall=[play_pb2.Seat(match=id, seat=1)])
    recalled = await alice.question((id, 1))
    assert recalled.first_sighting == 0
    assert list(recalled.sightings) == known
    assert recalled.decision.id == update.decision.id
    await gather(alice.play_on(done=1), house)


async def test_a_newer_stream_fences_the_older_and_takes_its_seats(engine: RunningEngine) -> None:
    token = engine.token()
    old = await open_player(engine, token)
    id, house = await seat(engine, old)
    await old.question((id, 1))
    new = await open_player(engine, token)
    code, details = await old.status()
    assert code == grpc.StatusCode.ABORTED
    assert "newer stream" in details
    await new.question((id, 1))
    await gather(new.play_on(done=1), house)
    assert not new.ended[id, 1].forfeit


async def test_a_new_version_does_not_inherit_the_seats_of_the_old(make_engine: MakeEngine) -> None:
    engine = await make_engine()
    token = engine.token()
    old = await open_player(engine, token)
    quick = {"first_ms": 20_000, "move_ms": 20_000, "bank_ms": 0, "grace_ms": 50}
    id = engine.plan(engine.house("one"), engine.remote("alice", "bot"), clock=quick)
    (started,), _ = await gather(engine.start(id), sit_down(old, (id, 1)))
    bridge = await open_bridge(engine, [started])
    new = await open_player(engine, token, version="2")
    assert new.welcome is not None
    assert new.welcome.player == "alice/bot@2"
    await bridge.play_on(done=1)
    assert not new.started
    assert not new.ended
    with engine.database.reading() as tx:
        assert results.get(tx, id).played.forfeits == {1: "disconnect"}


async def test_an_every_update_stream_sees_others_move(engine: RunningEngine) -> None:
    alice = await open_player(engine, engine.token(), every_update=True)
    id, house = await seat(engine, alice)
    await gather(alice.play_on(done=1), house)
    asking = [update for update in alice.updates if update.HasField("decision")]
    assert len(alice.updates) > len(asking) > 0
    whole = alice.sightings[id, 1]
    assert '"event"' in whole[-1]
    place = 0
    for update in alice.updates:
        assert update.first_sighting <= place
        place = max(place, update.first_sighting + len(update.sightings))
    assert place == len(whole)
