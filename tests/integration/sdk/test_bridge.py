"""The bridge on a real engine: many tables on one stream, and what may go wrong on it."""

import asyncio

import pytest

from engine_service.core.replay import verify
from engine_service.games import GAMES
from mamenoki.sdk import Bot, Decision, Seat
from mamenoki.sdk.bridge import fill
from mamenoki.sdk.errors import NotAllowed
from mamenoki.sdk.tickets import SeatTicket
from storage import results
from tests.fixtures.engine import SERVICE_TOKEN, MakeEngine, RunningEngine, until
from tests.integration.sdk.conftest import house_bot, play_out, tickets
from tests.integration.sdk.proxy import Cable
from tests.unit.sdk.bots import First, Later, Raises, Stubborn


def plan(engine: RunningEngine, tables: int, seats: int = 3) -> list[str]:
    players = [engine.house(f"bot-{seat}") for seat in range(seats)]
    return [engine.plan(*players) for _ in range(tables)]


async def fill_with(engine: RunningEngine, bots: dict[int, Bot], *tables: str) -> object:
    started = await engine.start(*tables)
    return await fill(
        engine.channel(engine.internal),
        SERVICE_TOKEN,
        tickets(*started),
        lambda ticket, _: bots.get(ticket.seat, First()),
    )


async def test_many_tables_end_and_verify(engine: RunningEngine) -> None:
    ids = plan(engine, 12)
    report = await play_out(engine, *ids)
    assert len(report.ended) == 36
    assert report.lost == report.crashed == {}
    assert report.reconnects == 0
    moves = 0
    for id in ids:
        assert engine.table(id).state == "done"
        with engine.database.reading() as tx:
            row = results.get(tx, id)
        assert row.replay is not None
        verified = verify(row.replay, GAMES)
        moves += verified.moves
        for seat in range(3):
            result = report.ended[id, seat]
            assert (result.scores, result.ranks, result.forfeit) == (verified.scores, verified.ranks, None)
    assert report.moves == moves


async def test_asynchronous_bots_are_waited_for(engine: RunningEngine) -> None:
    (id,) = plan(engine, 1, seats=2)
    await fill_with(engine, {0: Later(), 1: Later()}, id)
    assert engine.table(id).state == "done"


async def test_a_bot_that_raises_loses_its_seat_and_no_other(engine: RunningEngine) -> None:
    bad, good = plan(engine, 2)
    bots: dict[tuple[str, int], Bot] = {(bad, 1): Raises(3)}
    started = await engine.start(bad, good)
    report = await fill(
        engine.channel(engine.internal),
        SERVICE_TOKEN,
        tickets(*started),
        lambda ticket, _: bots.get((ticket.match, ticket.seat), First()),
    )
    assert set(report.crashed) == {(bad, 1)}
    assert "out of ideas" in report.crashed[bad, 1]
    assert report.ended[bad, 1].forfeit == "crash"
    assert report.ended[bad, 1].placements[1] == 2
    assert report.ended[bad, 0].forfeit is None
    assert report.ended[good, 1].forfeit is None


async def test_a_bot_that_cannot_start_crashes_too(engine: RunningEngine) -> None:
    class Lame(First):
        def start(self, seat: Seat) -> None:
            raise OSError("no model file")

    (id,) = plan(engine, 1)
    report = await fill_with(engine, {2: Lame()}, id)
    assert report.ended[id, 2].forfeit == "crash"  # type: ignore[attr-defined]


async def test_refused_answers_are_asked_for_again_and_then_the_clocks(engine: RunningEngine) -> None:
    (id,) = plan(engine, 1)
    mended, hopeless = Stubborn(2), Stubborn(99)
    report = await fill_with(engine, {0: mended, 1: hopeless}, id)
    assert mended.calls[:3] == [1, 1, 1]
    assert hopeless.calls == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert report.ended[id, 1].forfeit == "illegal"  # type: ignore[attr-defined]
    assert report.ended[id, 0].forfeit is None  # type: ignore[attr-defined]


async def test_a_program_that_cannot_be_made_is_no_bots_fault(make_engine: MakeEngine) -> None:
    engine = await make_engine(bridge_grace_ms=0)
    (id,) = plan(engine, 1)
    (started,) = await engine.start(id)

    def broken(ticket: SeatTicket, seat: Seat) -> Bot:
        raise LookupError("this worker does not know that program")

    with pytest.raises(LookupError, match="does not know"):
        await fill(engine.channel(engine.internal), SERVICE_TOKEN, tickets(started), broken)
    await until(lambda: engine.table(id).state == "planned")
    assert [attempt.cause for attempt in engine.attempts(id)] == ["bridge"]


async def test_a_ticket_that_opens_nothing_is_lost_and_the_others_play(engine: RunningEngine) -> None:
    (id,) = plan(engine, 1)
    (started,) = await engine.start(id)
    bad = [SeatTicket(id, 0, "forged", "random", {}), SeatTicket("nothing", 0, "x", "random", {})]
    report = await fill(
        engine.channel(engine.internal), SERVICE_TOKEN, [*bad[1:], *tickets(started)], house_bot
    )
    assert set(report.lost) == {("nothing", 0)}
    assert "ticket" in report.lost["nothing", 0]
    assert len(report.ended) == 3


async def test_without_the_service_token_nothing_is_filled(engine: RunningEngine) -> None:
    (id,) = plan(engine, 1)
    (started,) = await engine.start(id)
    with pytest.raises(NotAllowed, match="token"):
        await fill(engine.channel(engine.internal), "wrong", tickets(started), house_bot)


async def test_nobody_there_is_given_up_after_a_while(engine: RunningEngine) -> None:
    async with Cable(engine.internal) as cable:
        cable.unplug()
        seats = [SeatTicket("m", 0, "t", "random", {})]
        report = await fill(engine.channel(cable.address), SERVICE_TOKEN, seats, house_bot, patience_s=1.0)
    assert set(report.lost) == {("m", 0)}
    assert report.reconnects >= 1


async def test_a_cut_cable_is_plugged_in_again_and_the_same_bots_play_on(make_engine: MakeEngine) -> None:
    engine = await make_engine(bridge_grace_ms=10_000)
    ids = plan(engine, 4)
    started = await engine.start(*ids)
    made: list[Bot] = []
    asked = 0

    async with Cable(engine.internal) as cable:

        class Cutting(First):
            def choose(self, decision: Decision) -> str:
                nonlocal asked
                asked += 1
                if asked in (40, 90):
                    cable.cut()
                return super().choose(decision)

        def counted(ticket: SeatTicket, seat: Seat) -> Bot:
            made.append(Cutting())
            return made[-1]

        report = await asyncio.wait_for(
            fill(engine.channel(cable.address), SERVICE_TOKEN, tickets(*started), counted), 30
        )
    assert report.lost == {}
    assert report.reconnects == 2
    assert len(made) == 12
    assert [engine.table(id).attempt for id in ids] == [1] * 4
    assert all(result.forfeit is None for result in report.ended.values())
