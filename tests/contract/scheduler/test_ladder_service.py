"""LadderService over gRPC, behind the guard that every server of ours has, with a real Valkey for presence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio
from sqlalchemy import text

from scheduler.ladder_service import POLICY, LadderService
from scheduler.settings import SchedulerSettings
from scheduler.v1 import ladders_pb2 as pb
from scheduler.v1.ladders_pb2_grpc import LadderServiceStub, add_LadderServiceServicer_to_server
from service.presence import Presence, Present
from storage import identity, ladders, tables
from storage.database import Database
from tests.fixtures.engine import NO_REDIS
from tests.fixtures.records import World, claimed, finished, make_world, plan
from tests.fixtures.services import refusal, served

if TYPE_CHECKING:  # only the stub file has it
    from scheduler.v1.ladders_pb2_grpc import LadderServiceAsyncStub

LADDER = "mushi/standard"


@pytest.fixture
def world(database: Database) -> World:
    """Five house bots; two tables of 100 ms, one after the other, have been played."""
    with database.transaction() as tx:
        world = make_world(tx, 5)
        for number in (1, 2):
            plan(tx, world, f"t{number}", seats=world.players[:2])
            tables.finish(tx, [finished(f"t{number}", claimed(tx, f"t{number}").fence, (0, 1))])
            began = {"id": f"t{number}", "began": 100 * number}
            tx.execute(
                text("update game_table set claimed_at = :began, ended_at = :began + 100 where id = :id"),
                began,
            )
        tx.execute(text("update ladder_entrant set joined_at = joined_at - 1000"))
    return world


@pytest.fixture
def guest(database: Database, world: World) -> int:
    """A bot of ann's that plays from her machine."""
    with database.transaction() as tx:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "bot", "remote")
        version = identity.ensure_version(tx, player.id, "1")
        ladders.enter(tx, world.ladder_id, player.id, version.id)
    return player.id


@pytest_asyncio.fixture
async def make_stub(database: Database) -> AsyncIterator[Any]:
    async with AsyncExitStack() as stack:

        async def make(redis_url: str) -> LadderServiceAsyncStub:
            service = LadderService(
                database, SchedulerSettings(redis_url=redis_url, plan_ms=2_000, tables_at_once=1)
            )
            at = await stack.enter_async_context(
                served(database, service, POLICY, add_LadderServiceServicer_to_server)
            )
            return LadderServiceStub(await stack.enter_async_context(grpc.aio.insecure_channel(at)))

        yield make


async def turn(stub: LadderServiceAsyncStub, player: str) -> pb.TurnResponse:
    return await stub.Turn(pb.TurnRequest(ladder=LADDER, player=player))


async def test_a_bot_is_told_its_place_from_the_queue_to_the_table(
    make_stub: Any, valkey: str, world: World, database: Database
) -> None:
    stub = await make_stub(valkey)
    queued = await turn(stub, "house/bot4")  # it and two others have played nothing yet
    assert (queued.state, queued.place, queued.wait_ms) == ("queued", 3, 1_000 + round((1 + 2 / 3.5) * 100))
    assert (await turn(stub, "house/bot0")).place == 5
    with database.transaction() as tx:
        plan(tx, world, "t8", seats=world.players[2:4])
        plan(tx, world, "t9", seats=world.players[3:5])
    planned = await turn(stub, "house/bot4")
    assert (planned.state, planned.place, planned.table, planned.wait_ms) == ("planned", 2, "t9", 100)
    with database.transaction() as tx:
        claimed(tx, "t9")
    playing = await turn(stub, "house/bot4")
    assert (playing.state, playing.table, playing.wait_ms) == ("playing", "t9", 0)


async def test_a_remote_bot_has_a_turn_while_it_is_connected(
    make_stub: Any, valkey: str, guest: int, database: Database
) -> None:
    stub = await make_stub(valkey)
    assert (await turn(stub, "ann/bot")).state == "away"
    Presence(valkey).publish("engine", [Present(guest, 1, 2, "engine")])
    here = await turn(stub, "ann/bot")
    assert (here.state, here.place, here.wait_ms) == ("queued", 4, 1_000)  # it waits for no worker
    with database.transaction() as tx:
        ladders.set_open(tx, ladders.find_ladder(tx, LADDER).id, False)
    assert (await turn(stub, "ann/bot")).state == "paused"
    with database.transaction() as tx:
        ladders.leave(tx, ladders.find_ladder(tx, LADDER).id, guest)
    assert (await turn(stub, "ann/bot")).state == "absent"


async def test_nothing_is_said_of_time_before_anything_was_played(
    make_stub: Any, valkey: str, database: Database
) -> None:
    with database.transaction() as tx:
        make_world(tx, 3)
    told = await turn(await make_stub(valkey), "house/bot2")
    assert (told.state, told.place, told.HasField("wait_ms")) == ("queued", 3, False)


@pytest.mark.parametrize(
    ("ladder", "player", "code", "why"),
    [
        ("chess", "house/bot1", grpc.StatusCode.NOT_FOUND, "there is no ladder 'chess'"),
        (LADDER, "house/nobody", grpc.StatusCode.NOT_FOUND, "nobody"),
        ("", "house/bot1", grpc.StatusCode.NOT_FOUND, "there is no ladder ''"),
    ],
)
async def test_what_is_not_there_is_said(
    make_stub: Any, valkey: str, world: World, ladder: str, player: str, code: grpc.StatusCode, why: str
) -> None:
    assert world
    stub = await make_stub(valkey)
    got, told = await refusal(stub.Turn(pb.TurnRequest(ladder=ladder, player=player)))
    assert got is code
    assert why in told


async def test_while_nobody_knows_who_is_here_no_turn_is_told(make_stub: Any, world: World) -> None:
    assert world
    stub = await make_stub(NO_REDIS)
    code, told = await refusal(turn(stub, "house/bot1"))
    assert code is grpc.StatusCode.UNAVAILABLE
    assert "try again" in told


async def test_the_figures_of_fairness(make_stub: Any, world: World) -> None:
    assert world
    told = await (await make_stub(NO_REDIS)).Fairness(pb.FairnessRequest(ladder=LADDER))
    figures = {one.name: one for one in told.figures}
    assert list(figures) == ["games_spread", "seat_spread", "size_spread", "repeats"]
    assert (told.players, told.tables, told.cut) == (5, 2, False)
    assert (figures["games_spread"].value, figures["games_spread"].bound) == (2, 3)
    assert figures["repeats"].value == 1
    assert not figures["repeats"].HasField("bound")
    assert not any(one.exceeded for one in told.figures)
