"""Spectators, Get and Replay: the public side of a match."""

import asyncio
import json
from asyncio import create_task, gather
from typing import Any

import grpc
import pytest

from engine_service.core.replay import verify
from engine_service.games import GAMES
from engine_service.v1 import match_pb2, match_pb2_grpc
from engine_service.v1.match_pb2 import Match, WatchResponse
from tests.fixtures.engine import MakeEngine, RunningEngine, bearer, until
from tests.integration.engine.clients import Client, open_bridge


class Public:
    """MatchService as anybody with a token has it."""

    def __init__(self, engine: RunningEngine) -> None:
        self.stub: Any = match_pb2_grpc.MatchServiceStub(engine.channel(engine.public))
        self.metadata = bearer(engine.token("spectator", ("submit",)))

    async def get(self, id: str) -> Match:
        request = match_pb2.GetMatchRequest(match=id)
        return await self.stub.Get(request, metadata=self.metadata, timeout=10)  # type: ignore[no-any-return]

    async def replay(self, id: str) -> bytes:
        request = match_pb2.ReplayRequest(match=id)
        answer = await self.stub.Replay(request, metadata=self.metadata, timeout=10)
        return answer.replay  # type: ignore[no-any-return]

    def watch(self, id: str, **fields: int) -> Any:
        return self.stub.Watch(match_pb2.WatchRequest(match=id, **fields), metadata=self.metadata)

    async def watch_all(self, id: str, **fields: int) -> list[WatchResponse]:
        return [answer async for answer in self.watch(id, **fields)]


async def begin(engine: RunningEngine) -> tuple[str, Client]:
    id = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    return id, bridge


async def test_a_spectator_sees_the_whole_match_and_its_end(engine: RunningEngine) -> None:
    id, bridge = await begin(engine)
    public = Public(engine)
    watching = create_task(public.watch_all(id))
    await until(lambda: engine.server.hall.matches[id].watchers)
    await bridge.play_on(done=2)
    answers = await watching
    sightings: list[str] = []
    for answer in answers:
        assert answer.missed == 0
        assert answer.first_sighting == len(sightings)
        sightings += answer.sightings
    assert answers[-1].end == "turn_limit"
    assert list(answers[-1].scores) == list(bridge.ended[id, 0].scores)
    assert all(not answer.end for answer in answers[:-1])
    assert all("event" in json.loads(sighting) for sighting in sightings)
    assert json.loads(answers[-1].view)


async def test_a_late_spectator_begins_where_he_asks(engine: RunningEngine) -> None:
    id, bridge = await begin(engine)
    for _ in range(5):
        update = next(u for u in bridge.latest.values() if u.HasField("decision"))
        await bridge.answer(update, update.decision.legal[0])
        await bridge.until(lambda c: any(u.HasField("decision") for u in c.latest.values()))
    public = Public(engine)
    whole = await anext(aiter(public.watch(id)))
    assert whole.first_sighting == 0
    count = len(whole.sightings)
    assert count > 2
    tail = await anext(aiter(public.watch(id, from_sighting=count - 1)))
    assert (tail.first_sighting, list(tail.sightings)) == (count - 1, [whole.sightings[-1]])
    beyond = await anext(aiter(public.watch(id, from_sighting=count + 50)))
    assert not beyond.sightings


async def test_a_slow_spectator_misses_the_oldest_and_is_told_how_many(make_engine: MakeEngine) -> None:
    engine = await make_engine(watch_backlog=5)
    id, bridge = await begin(engine)
    public = Public(engine)
    watching = create_task(public.watch_all(id, least_interval_ms=60_000))
    await until(lambda: engine.server.hall.matches[id].watchers)
    await bridge.play_on(done=2)
    first, last = await asyncio.wait_for(watching, 10)
    assert last.missed > 0
    assert len(last.sightings) == 5
    assert last.first_sighting == first.first_sighting + len(first.sightings) + last.missed
    assert last.end == "turn_limit"
    assert engine.server.hall.tallies.gaps == 1


async def test_answers_come_no_faster_than_asked(engine: RunningEngine) -> None:
    id, bridge = await begin(engine)
    public = Public(engine)
    times: list[float] = []

    async def watch() -> None:
        async for _ in public.watch(id, least_interval_ms=50):
            times.append(asyncio.get_running_loop().time())

    watching = create_task(watch())
    await until(lambda: times)
    for _ in range(3):
        seen = len(times)
        update = next(u for u in bridge.latest.values() if u.HasField("decision"))
        await bridge.answer(update, update.decision.legal[0])
        await bridge.until(lambda c: any(u.HasField("decision") for u in c.latest.values()))
        await until(lambda seen=seen: len(times) > seen)  # type: ignore[misc]
    await bridge.play_on(done=2)
    await watching
    paced = times[:-1]  # the end waits for nobody
    assert len(paced) > 3
    assert len(paced) <= (paced[-1] - paced[0]) / 0.05 + 2


async def test_a_spectator_of_an_aborted_match_is_told(engine: RunningEngine) -> None:
    id, bridge = await begin(engine)
    public = Public(engine)
    watching = create_task(public.watch_all(id))
    await until(lambda: engine.server.hall.matches[id].watchers)
    bridge.cut()
    answers = await watching
    assert answers[-1].end == "aborted"


async def test_a_spectator_who_goes_leaves_nothing(engine: RunningEngine) -> None:
    id, _ = await begin(engine)
    call = Public(engine).watch(id)
    await until(lambda: engine.server.hall.matches[id].watchers)
    call.cancel()
    await until(lambda: not engine.server.hall.matches[id].watchers)


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("planned", grpc.StatusCode.NOT_FOUND),
        ("done", grpc.StatusCode.FAILED_PRECONDITION),
        ("missing", grpc.StatusCode.NOT_FOUND),
    ],
)
async def test_what_does_not_run_here_cannot_be_watched(
    engine: RunningEngine, state: str, code: grpc.StatusCode
) -> None:
    id, bridge = await begin(engine)
    await bridge.play_on(done=2)
    ids = {"planned": engine.plan(engine.house("one"), engine.house("two")), "done": id, "missing": "no"}
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await Public(engine).watch_all(ids[state])
    assert caught.value.code() == code


async def test_get_follows_a_match_from_plan_to_result(engine: RunningEngine) -> None:
    id = engine.plan(engine.house("one"), engine.house("two"))
    public = Public(engine)
    planned = await public.get(id)
    assert (planned.state, planned.attempt) == (Match.STATE_PLANNED, 0)
    assert planned.commitment == engine.table(id).commitment
    bridge = await open_bridge(engine, await engine.start(id))
    await bridge.until(lambda c: c.latest)
    running = await public.get(id)
    assert (running.state, running.attempt) == (Match.STATE_RUNNING, 1)
    assert json.loads(running.view)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await public.replay(id)
    assert caught.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    await bridge.play_on(done=2)
    done = await public.get(id)
    assert done.state == Match.STATE_DONE
    assert (done.end, list(done.scores)) == ("turn_limit", list(bridge.ended[id, 0].scores))
    assert list(done.players) == ["house/one@1", "house/two@1"]
    assert verify(await public.replay(id), GAMES).match == id


async def test_get_of_nothing_is_not_found(engine: RunningEngine) -> None:
    for method in (Public(engine).get, Public(engine).replay):
        for id in ("nowhere", "", "x" * 200, "'; drop table game_table; --"):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await method(id)
            assert caught.value.code() == grpc.StatusCode.NOT_FOUND


async def test_many_spectators_share_one_match(engine: RunningEngine) -> None:
    id, bridge = await begin(engine)
    public = [Public(engine) for _ in range(3)]
    watching = gather(*(p.watch_all(id) for p in public))
    await until(lambda: len(engine.server.hall.matches[id].watchers) == 3)
    await bridge.play_on(done=2)
    for answers in await watching:
        assert answers[-1].end == "turn_limit"
