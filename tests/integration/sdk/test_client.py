"""An author's bot on a real engine: it plays, and its faults stay its own."""

import asyncio
import threading

import pytest

from mamenoki.sdk import Bot, Decision, Result, Seat
from mamenoki.sdk import events as told
from mamenoki.sdk.errors import BotKeepsFailing
from storage import ladders
from tests.fixtures.engine import LADDER, MakeEngine, until
from tests.integration.sdk.conftest import Author, Connect, author, play_out, seated
from tests.unit.sdk.bots import Careful, First, Later, Raises, Stubborn


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
