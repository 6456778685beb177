"""An author's bot on a real engine: it plays, reconnects, resumes, and its faults stay its own."""

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from mamenoki.sdk import Bot, Decision, Result, Seat
from mamenoki.sdk import events as told
from mamenoki.sdk.bridge import FillReport
from mamenoki.sdk.errors import BotKeepsFailing, NotAllowed, Refused, Replaced
from storage import identity, ladders
from tests.fixtures.engine import LADDER, MakeEngine, RunningEngine, until
from tests.integration.sdk.conftest import Connect, Connected, play_out
from tests.integration.sdk.proxy import Cable
from tests.unit.sdk.bots import Careful, First, Later, Raises, Stubborn

MakeBot = Callable[[Seat], Bot]


@dataclass
class Author:
    """Ann, with a token, and her bot's player and version as the tables name them."""

    engine: RunningEngine
    token: str
    seat: tuple[int, int]

    def plan(self, others: int = 1, **changes: Any) -> str:
        """A table of hers against house bots; she sits at seat 0."""
        house = [self.engine.house(f"house-{number}") for number in range(others)]
        return self.engine.plan(self.seat, *house, **changes)


@pytest.fixture
def ann(engine: RunningEngine) -> Author:
    return author(engine)


def author(engine: RunningEngine, bot: str = "bot", label: str = "1") -> Author:
    with engine.database.transaction() as tx:
        ladders.ensure_ladder(tx, LADDER, "mushi", "standard", {})
    return Author(engine, engine.token("ann"), engine.remote("ann", bot, label))


async def seated(
    connect: Connect, ann: Author, make_bot: MakeBot, address: str = "", places: int = 2
) -> Connected:
    one = connect(address or ann.engine.public, ann.token, make_bot, places=places)
    await one.hear(told.Connected)
    return one


async def test_it_plays_on_the_ladder_that_it_named(ann: Author, connect: Connect) -> None:
    bots: list[Careful] = []
    one = await seated(connect, ann, lambda _: bots.append(Careful()) or bots[-1])  # type: ignore[func-returns-value]
    assert one.events == [told.Connected("ann/bot@1", 2)]
    with ann.engine.database.reading() as tx:
        ladder = ladders.find_ladder(tx, LADDER)
        assert [row.name for row in ladders.entrants(tx, ladder.id)] == ["bot"]
    id = ann.plan(others=2)
    report = await play_out(ann.engine, id)
    (ended,) = await one.hear(told.MatchEnded)
    (bot,) = bots
    assert bot.seat is not None
    assert (bot.seat.match, bot.seat.seat, bot.seat.players[0]) == (id, 0, "ann/bot@1")
    assert (bot.seat.first_ms, bot.seat.move_ms, bot.seat.bank_ms) == (20_000, 20_000, 0)
    await until(lambda: bot.result is not None)
    assert bot.result == ended.result
    assert ended.result.scores == report.ended[id, 1].scores
    assert [asked.id for asked in bot.asked] == list(range(1, len(bot.asked) + 1))
    assert not one.told(told.AnswerRefused)
    assert not one.told(told.BotRaised)


async def test_several_matches_go_on_at_once(ann: Author, connect: Connect) -> None:
    one = await seated(connect, ann, lambda _: First(), places=8)
    ids = [ann.plan() for _ in range(8)]
    await play_out(ann.engine, *ids)
    ended = await one.hear(told.MatchEnded, 8)
    assert {event.seat.match for event in ended} == set(ids)
    assert {event.result.forfeit for event in ended} == {None}


async def test_an_asynchronous_bot_plays(ann: Author, connect: Connect) -> None:
    one = await seated(connect, ann, lambda _: Later())
    await play_out(ann.engine, ann.plan())
    (ended,) = await one.hear(told.MatchEnded)
    assert ended.result.forfeit is None


async def test_a_bot_that_thinks_long_stops_no_heartbeat_and_no_other_match(
    make_engine: MakeEngine, connect: Connect
) -> None:
    ann = author(await make_engine(heartbeat_ms=30, heartbeat_misses=3))
    think = threading.Event()
    slow, quick = ann.plan(), ann.plan()

    class Thinker(First):
        def start(self, seat: Seat) -> None:
            self.match = seat.match

        def choose(self, decision: Decision) -> str:
            if self.match == slow:
                assert think.wait(20)
            return super().choose(decision)

    one = await seated(connect, ann, lambda _: Thinker())
    playing = asyncio.create_task(play_out(ann.engine, slow, quick))
    ended = await one.hear(told.MatchEnded)
    assert ended[0].seat.match == quick
    (stream,) = (stream for stream in ann.engine.server.hall.streams if not stream.bridge)
    heard = stream.pongs
    await until(lambda: stream.pongs >= heard + 10)
    think.set()
    await one.hear(told.MatchEnded, 2)
    await playing
    assert one.told(told.Disconnected) == []


async def test_a_bot_that_raises_resigns_and_its_author_sees_why(ann: Author, connect: Connect) -> None:
    one = await seated(connect, ann, lambda _: Raises(3))
    id = ann.plan(others=2)
    await play_out(ann.engine, id)
    (ended,) = await one.hear(told.MatchEnded)
    (raised,) = one.told(told.BotRaised)
    assert "out of ideas" in raised.trace
    assert "bots.py" in raised.trace
    assert (raised.seat.match, ended.result.forfeit) == (id, "resigned")
    assert ended.result.placements[0] == 2
    assert not one.over


async def test_a_bot_that_cannot_be_made_resigns_too(ann: Author, connect: Connect) -> None:
    def broken(seat: Seat) -> Bot:
        raise OSError("no model file")

    one = await seated(connect, ann, broken)
    await play_out(ann.engine, ann.plan())
    (ended,) = await one.hear(told.MatchEnded)
    assert ended.result.forfeit == "resigned"
    assert "no model file" in one.told(told.BotRaised)[0].trace


async def test_three_matches_lost_in_a_row_are_enough(ann: Author, connect: Connect) -> None:
    outcomes = iter([Raises(), First(), Raises(), Raises(), Raises()])
    one = await seated(connect, ann, lambda _: next(outcomes), places=1)
    for match in range(5):
        await play_out(ann.engine, ann.plan())
        await one.hear(told.MatchEnded, match + 1)
    with pytest.raises(BotKeepsFailing, match="raised in 3 matches in a row"):
        await one.end()


async def test_refused_answers_are_told_and_asked_for_again(ann: Author, connect: Connect) -> None:
    bot = Stubborn(2)
    one = await seated(connect, ann, lambda _: bot)
    await play_out(ann.engine, ann.plan())
    (ended,) = await one.hear(told.MatchEnded)
    assert ended.result.forfeit is None
    assert bot.calls[:4] == [1, 1, 1, 2]
    first = one.told(told.AnswerRefused)[0]
    assert "castle" in first.message
    assert first.tries_left == 2


async def test_three_matches_of_illegal_answers_in_a_row_are_enough(ann: Author, connect: Connect) -> None:
    one = await seated(connect, ann, lambda _: Stubborn(99), places=3)
    await play_out(ann.engine, *(ann.plan() for _ in range(3)))
    with pytest.raises(BotKeepsFailing, match="the bot answered illegally in 3 matches in a row"):
        await one.end()
    assert {event.result.forfeit for event in one.told(told.MatchEnded)} == {"illegal"}


async def test_a_hopeless_bot_is_forfeited_by_the_clock_and_stays_connected(
    ann: Author, connect: Connect
) -> None:
    bot = Stubborn(99, None)
    one = await seated(connect, ann, lambda _: bot)
    await play_out(ann.engine, ann.plan())
    (ended,) = await one.hear(told.MatchEnded)
    assert ended.result.forfeit == "illegal"
    assert bot.calls == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert not one.over


async def test_an_answer_after_the_clock_is_told(ann: Author, connect: Connect) -> None:
    think = threading.Event()

    class Thinker(First):
        def choose(self, decision: Decision) -> str:
            assert think.wait(20)
            return super().choose(decision)

    one = await seated(connect, ann, lambda _: Thinker())
    clock = {"first_ms": 50, "move_ms": 50, "bank_ms": 0, "grace_ms": 20_000}
    id = ann.plan(clock=clock)
    await play_out(ann.engine, id)
    (ended,) = await one.hear(told.MatchEnded)
    assert ended.result.forfeit == "timeout"
    think.set()
    one.client.drain()
    await one.end()


HURRY = {"first_ms": 30, "move_ms": 30, "bank_ms": 0, "grace_ms": 20_000}


async def test_a_bot_that_is_made_too_late_is_still_told_the_end(ann: Author, connect: Connect) -> None:
    go = threading.Event()
    bot = Careful()

    def make_late(_: Seat) -> Bot:
        assert go.wait(20)
        return bot

    one = await seated(connect, ann, make_late)
    await play_out(ann.engine, ann.plan(clock=HURRY))
    (ended,) = await one.hear(told.MatchEnded)
    go.set()
    await until(lambda: bot.result is not None)
    assert bot.result == ended.result
    assert bot.asked == []
    assert not one.told(told.BotRaised)


async def test_an_asynchronous_bot_that_waits_too_long_is_cancelled_before_it_is_told(
    ann: Author, connect: Connect
) -> None:
    said: list[str] = []

    class Dreamer(Bot):
        async def choose(self, decision: Decision) -> str:
            try:
                await asyncio.Event().wait()
            finally:
                said.append("cancelled")
            return decision.legal[0]

        def finish(self, result: Result) -> None:
            said.append("finish")

    one = await seated(connect, ann, lambda _: Dreamer())
    await play_out(ann.engine, ann.plan(clock=HURRY))
    (ended,) = await one.hear(told.MatchEnded)
    assert ended.result.forfeit == "timeout"
    await until(lambda: len(said) == 2)
    assert said == ["cancelled", "finish"]
    assert not one.told(told.BotRaised)


async def test_a_client_that_is_told_to_leave_before_it_has_begun_does_not_begin(
    ann: Author, connect: Connect
) -> None:
    one = connect(ann.engine.public, ann.token, lambda _: First())
    one.client.drain()
    await one.end(2)
    assert one.events == [told.Leaving(0)]


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
