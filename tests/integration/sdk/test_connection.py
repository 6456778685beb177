"""A bot's connection to a real engine: cut, refused, taken over, left; the match goes on."""

import asyncio
import json
import threading
from collections.abc import Callable

import pytest

from mamenoki.sdk import Bot, Decision, Result, Seat
from mamenoki.sdk import events as told
from mamenoki.sdk.errors import NotAllowed, Refused, Replaced
from mamenoki.sdk.tickets import FillReport
from storage import identity
from tests.fixtures.engine import MakeEngine, RunningEngine, until
from tests.integration.sdk.conftest import Author, Connect, author, play_out, seated
from tests.integration.sdk.proxy import Cable
from tests.unit.sdk.bots import First


class Remembers(First):
    """Keeps every event that it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.ids: list[int] = []
        self.result: Result | None = None
        self.hook: Callable[[int], object] = lambda _: None

    def choose(self, decision: Decision) -> str:
        self.ids.append(decision.id)
        self.shown += [json.dumps(event) for event in decision.sightings]
        self.hook(decision.id)
        return "stop" if "stop" in decision.legal else super().choose(decision)

    def finish(self, result: Result) -> None:
        self.result = result


def shown_to(engine: RunningEngine, id: str, seat: int, count: int) -> list[str]:
    """The first sightings of a seat, by the rules, from the stored replay."""
    from engine_service.core.replay import walk
    from engine_service.games import GAMES
    from storage import results

    with engine.database.reading() as tx:
        replay = results.get(tx, id).replay
    assert replay is not None
    events = [
        json.dumps(sighting.event)
        for step in walk(replay, GAMES).steps()
        for sighting in step.sightings
        if sighting.audience is None or seat in sighting.audience
    ]
    return events[:count]


async def test_a_cut_cable_costs_nothing_and_nothing_is_told_twice(ann: Author, connect: Connect) -> None:
    bot = Remembers()
    loop = asyncio.get_running_loop()
    async with Cable(ann.engine.public) as cable:
        bot.hook = lambda id: loop.call_soon_threadsafe(cable.cut) if id in (3, 6) else None
        one = await seated(connect, ann, lambda _: bot, cable.address)
        id = ann.plan(config={"turn_limit": 30})
        await play_out(ann.engine, id)
        (ended,) = await one.hear(told.MatchEnded, seconds=20)
        assert len(one.told(told.Disconnected)) == 2
        assert len(one.told(told.MatchStarted)) == 3
        assert [event.resumed for event in one.told(told.MatchStarted)] == [False, True, True]
    assert ended.result.forfeit is None
    assert bot.ids == list(range(1, len(bot.ids) + 1))
    assert bot.shown == shown_to(ann.engine, id, 0, len(bot.shown))
    assert ann.engine.table(id).attempt == 1


async def test_a_program_started_anew_goes_on_with_the_match_and_is_shown_all_of_it(
    ann: Author, connect: Connect
) -> None:
    stop = threading.Event()
    first, second = Remembers(), Remembers()
    first.hook = lambda id: id < 4 or stop.wait(20)
    one = await seated(connect, ann, lambda _: first)
    id = ann.plan(config={"turn_limit": 30})
    playing = asyncio.create_task(play_out(ann.engine, id))
    await until(lambda: 4 in first.ids)
    assert one.task is not None
    one.task.cancel()
    stop.set()
    other = await seated(connect, ann, lambda _: second)
    (ended,) = await other.hear(told.MatchEnded)
    await playing
    assert ended.result.forfeit is None
    assert second.ids[0] == 4
    assert second.shown == shown_to(ann.engine, id, 0, len(second.shown))


async def test_a_server_that_comes_back_is_found_again(make_engine: MakeEngine, connect: Connect) -> None:
    old = await make_engine()
    ann = author(old)
    bots: list[Remembers] = []

    def make_bot(_: Seat) -> Bot:
        bots.append(Remembers())
        if len(bots) == 1:
            bots[0].hook = lambda _: hold.wait(20)
        return bots[-1]

    hold = threading.Event()
    one = await seated(connect, ann, make_bot)
    id = ann.plan()
    playing: asyncio.Task[FillReport] = asyncio.create_task(play_out(old, id))
    await until(lambda: bots and bots[0].ids)
    await old.server.stop()
    await one.hear(told.Disconnected)
    await playing
    new = await make_engine(public_address=old.public)
    await one.hear(told.Connected, 2, seconds=20)
    hold.set()
    assert new.table(id).state == "planned"
    await play_out(new, id)
    lost, ended = await one.hear(told.MatchEnded, 2)
    assert lost.result.end in ("aborted", "lost")
    assert (ended.seat.match, ended.result.forfeit) == (id, None)
    assert new.table(id).attempt == 2
    await until(lambda: bots[0].result is not None and bots[1].result is not None)


async def test_a_silent_server_is_left(make_engine: MakeEngine, connect: Connect) -> None:
    ann = author(await make_engine(heartbeat_ms=50))
    async with Cable(ann.engine.public) as cable:
        one = await seated(connect, ann, lambda _: First(), cable.address)
        cable.silence()
        (gone,) = await one.hear(told.Disconnected)
        assert "silent" in gone.why


async def test_draining_finishes_what_is_in_play_and_takes_no_more(ann: Author, connect: Connect) -> None:
    hold = threading.Event()
    bot = Remembers()
    bot.hook = lambda _: hold.wait(20)
    one = await seated(connect, ann, lambda _: bot)
    playing = asyncio.create_task(play_out(ann.engine, ann.plan()))
    await until(lambda: bot.ids)
    one.client.drain()
    assert one.told(told.Leaving) == [told.Leaving(1)]
    hold.set()
    await one.end()
    await playing
    assert bot.result is not None
    assert bot.result.forfeit is None


async def test_draining_while_idle_or_while_nobody_answers_ends_at_once(
    ann: Author, connect: Connect
) -> None:
    one = await seated(connect, ann, lambda _: First())
    one.client.drain()
    await one.end(2)
    other = connect("127.0.0.1:1", ann.token, lambda _: First())
    await other.hear(told.Disconnected)
    other.client.drain()
    await other.end(2)


async def test_a_wrong_token_ends_it_with_what_to_do(ann: Author, connect: Connect) -> None:
    one = connect(ann.engine.public, "wrong", lambda _: First())
    with pytest.raises(NotAllowed, match="token create"):
        await one.end()


async def test_a_token_without_the_scope_ends_it_with_what_to_do(ann: Author, connect: Connect) -> None:
    one = connect(ann.engine.public, ann.engine.token("ann", ("submit",)), lambda _: First())
    with pytest.raises(NotAllowed, match="scope"):
        await one.end()


async def test_a_name_that_cannot_be_ends_it_with_the_reason(ann: Author, connect: Connect) -> None:
    one = connect(ann.engine.public, ann.token, lambda _: First(), bot="no name")
    with pytest.raises(Refused, match="'no name' is no player's name"):
        await one.end()


async def test_the_newer_connection_plays(ann: Author, connect: Connect) -> None:
    old = await seated(connect, ann, lambda _: First())
    new = await seated(connect, ann, lambda _: First())
    with pytest.raises(Replaced, match="newer"):
        await old.end()
    await play_out(ann.engine, ann.plan())
    await new.hear(told.MatchEnded)


async def test_a_new_label_is_a_new_version(ann: Author, connect: Connect) -> None:
    one = connect(ann.engine.public, ann.token, lambda _: First(), version="2nd try")
    (welcome,) = await one.hear(told.Connected)
    assert welcome.player == "ann/bot@2"
    with ann.engine.database.reading() as tx:
        assert identity.find_player(tx, "ann/bot").kind == "remote"
