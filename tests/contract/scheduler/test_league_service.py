"""LeagueService over gRPC, behind the guard that every server of ours has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio
from sqlalchemy import text

from scheduler.league_service import NAME, POLICY, LeagueService
from scheduler.v1 import leagues_pb2 as pb
from scheduler.v1.leagues_pb2_grpc import LeagueServiceStub, add_LeagueServiceServicer_to_server
from storage import actions, identity, ladders, tables
from storage.database import Database
from tests.fixtures.records import World, claimed, finished, make_world, plan
from tests.fixtures.services import Metadata, bearer, command, refusal, served

if TYPE_CHECKING:  # only the stub file has it
    from scheduler.v1.leagues_pb2_grpc import LeagueServiceAsyncStub

LEAGUE = pb.League(
    name="evenings", ladder="mushi/standard", cron="0 18 * * *", zone="Europe/Berlin", seats=2, rounds=2
)
Tokens = dict[str, Metadata]


@pytest.fixture
def world(database: Database) -> World:
    with database.transaction() as tx:
        return make_world(tx, 4)


@pytest.fixture
def tokens(database: Database, world: World) -> Tokens:
    """Metadata of an organiser, of the owner of a bot, and of somebody else."""
    assert world
    with database.transaction() as tx:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "bot", "remote")
        version = identity.ensure_version(tx, player.id, "1")
        ladders.enter(tx, world.ladder_id, player.id, version.id)
    scopes = {"boss": "organise", "ann": "play", "bob": "play"}
    return {name: bearer(database, name, scope) for name, scope in scopes.items()}


@pytest_asyncio.fixture
async def address(database: Database) -> AsyncIterator[str]:
    """Where the service is."""
    add = add_LeagueServiceServicer_to_server
    async with served(database, LeagueService(database), POLICY, add) as address:
        yield address


@pytest_asyncio.fixture
async def stub(address: str) -> AsyncIterator[LeagueServiceAsyncStub]:
    async with grpc.aio.insecure_channel(address) as channel:
        yield LeagueServiceStub(channel)


async def test_a_season_from_its_making_to_its_end(
    stub: LeagueServiceAsyncStub, tokens: Tokens, database: Database
) -> None:
    boss, ann = tokens["boss"], tokens["ann"]
    made = await stub.Create(pb.CreateLeagueRequest(league=LEAGUE), metadata=boss)
    assert (made.name, made.tables_each, made.HasField("join_rounds")) == ("evenings", 1, False)
    assert await stub.Create(pb.CreateLeagueRequest(league=LEAGUE), metadata=boss) == made
    season = await stub.Begin(pb.BeginRequest(league="evenings", empty=True, draft=True), metadata=boss)
    assert (season.number, season.state, season.players) == (1, "draft", 0)
    assert await stub.Begin(pb.BeginRequest(league="evenings"), metadata=boss) == season
    entry = pb.EntryRequest(league="evenings", player="ann/bot")
    code, why = await refusal(stub.Join(entry, metadata=ann))
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert "season 1 of evenings is draft" in why
    step = pb.StepRequest(league="evenings", verb=pb.StepRequest.VERB_PUBLISH)
    assert (await stub.Step(step, metadata=boss)).state == "open"
    assert (await stub.Join(entry, metadata=ann)).changed
    assert not (await stub.Join(entry, metadata=ann)).changed
    told = await stub.Standings(pb.StandingsRequest(league="evenings"))
    assert [line.player for division in told.divisions for line in division.lines] == ["ann/bot"]
    assert list(told.tie_breaks) == ["share", "wins", "opponents", "mutual"]
    assert (await stub.Leave(entry, metadata=ann)).changed
    step.verb = pb.StepRequest.VERB_CLOSE
    assert (await stub.Step(step, metadata=boss)).state == "closed"
    listed = await stub.List(pb.ListLeaguesRequest())
    assert [(one.name, one.season.state) for one in listed.leagues] == [("evenings", "closed")]
    with database.reading() as tx:
        done = [one.action for one in actions.recent(tx, 20) if one.actor == "boss"]
    assert done == ["league close", "league publish", "league begin", "league create", "league create"]


async def test_others_bots_are_not_there(stub: LeagueServiceAsyncStub, tokens: Tokens) -> None:
    await stub.Create(pb.CreateLeagueRequest(league=LEAGUE), metadata=tokens["boss"])
    await stub.Begin(pb.BeginRequest(league="evenings", empty=True), metadata=tokens["boss"])
    others = await refusal(
        stub.Join(pb.EntryRequest(league="evenings", player="ann/bot"), metadata=tokens["bob"])
    )
    none = await refusal(
        stub.Join(pb.EntryRequest(league="evenings", player="ann/nil"), metadata=tokens["bob"])
    )
    assert others[0] is none[0] is grpc.StatusCode.NOT_FOUND
    assert others[1].replace("ann/bot", "ann/nil") == none[1]
    entered = await stub.Join(pb.EntryRequest(league="evenings", player="ann/bot"), metadata=tokens["boss"])
    assert entered.changed


@pytest.mark.parametrize("method", ["Create", "Begin", "Step"])
async def test_only_an_organiser_organises(stub: LeagueServiceAsyncStub, tokens: Tokens, method: str) -> None:
    requests: dict[str, Callable[[], Any]] = {
        "Create": pb.CreateLeagueRequest,
        "Begin": pb.BeginRequest,
        "Step": pb.StepRequest,
    }
    call = getattr(stub, method)
    code, why = await refusal(call(requests[method](), metadata=tokens["ann"]))
    assert code is grpc.StatusCode.PERMISSION_DENIED
    assert "organise" in why
    assert (await refusal(call(requests[method]())))[0] is grpc.StatusCode.UNAUTHENTICATED


def test_every_method_has_a_policy() -> None:
    service = pb.DESCRIPTOR.services_by_name["LeagueService"]
    assert set(POLICY) == {f"/{NAME}/{method.name}" for method in service.methods}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"cron": "at noon"}, "at noon"),
        ({"zone": "Europe/Atlantis"}, "Atlantis"),
        ({"seats": 9}, "played by"),
        ({"division_size": 1, "seats": 3}, "a division has"),
        ({"name": ""}, "a league's name"),
    ],
)
async def test_what_cannot_be_is_said(
    stub: LeagueServiceAsyncStub, tokens: Tokens, changes: dict[str, Any], wanted: str
) -> None:
    league = pb.League()
    league.CopyFrom(LEAGUE)
    for key, value in changes.items():
        setattr(league, key, value)
    code, why = await refusal(stub.Create(pb.CreateLeagueRequest(league=league), metadata=tokens["boss"]))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert wanted in why


@pytest.mark.parametrize(
    ("request_of", "code"),
    [
        (pb.StandingsRequest(league="nowhere"), grpc.StatusCode.NOT_FOUND),
        (pb.StandingsRequest(league="evenings"), grpc.StatusCode.NOT_FOUND),
        (pb.ListLeaguesRequest(page_size=201), grpc.StatusCode.INVALID_ARGUMENT),
        (pb.StepRequest(league="evenings"), grpc.StatusCode.INVALID_ARGUMENT),
        (
            pb.StepRequest(league="evenings", verb=pb.StepRequest.VERB_PAUSE),
            grpc.StatusCode.FAILED_PRECONDITION,
        ),
    ],
)
async def test_what_there_is_not_is_said(
    stub: LeagueServiceAsyncStub, tokens: Tokens, request_of: Any, code: grpc.StatusCode
) -> None:
    await stub.Create(pb.CreateLeagueRequest(league=LEAGUE), metadata=tokens["boss"])
    calls = {
        pb.StandingsRequest: stub.Standings,
        pb.ListLeaguesRequest: stub.List,
        pb.StepRequest: stub.Step,
    }
    call: Any = calls[type(request_of)]
    assert (await refusal(call(request_of, metadata=tokens["boss"])))[0] is code


async def test_leagues_come_in_pages(stub: LeagueServiceAsyncStub, tokens: Tokens) -> None:
    for name in ("a", "b", "c"):
        league = pb.League()
        league.CopyFrom(LEAGUE)
        league.name = name
        await stub.Create(pb.CreateLeagueRequest(league=league), metadata=tokens["boss"])
    first = await stub.List(pb.ListLeaguesRequest(page_size=2))
    rest = await stub.List(pb.ListLeaguesRequest(page_size=2, page_token=first.next_page_token))
    assert [one.name for one in (*first.leagues, *rest.leagues)] == ["a", "b", "c"]
    assert rest.next_page_token == ""


async def test_an_owner_enters_a_bot_from_the_command_line(
    stub: LeagueServiceAsyncStub, address: str, tokens: Tokens
) -> None:
    await stub.Create(pb.CreateLeagueRequest(league=LEAGUE), metadata=tokens["boss"])
    await stub.Begin(pb.BeginRequest(league="evenings", empty=True), metadata=tokens["boss"])

    async def league(*words: str, who: str) -> tuple[int, str]:
        return await command("league", *words, server=address, who=tokens[who])

    assert await league("join", "evenings", "ann/bot", who="ann") == (0, "ann/bot plays in evenings\n")
    code, told = await league("join", "evenings", "ann/bot", who="bob")
    assert (code, told) == (
        2,
        "mamenoki: there is no bot 'ann/bot' of bob; a bot is named owner/bot\n",
    )
    assert await league("leave", "evenings", "ann/bot", who="ann") == (0, "ann/bot has left evenings\n")


async def test_a_season_is_forecast_by_what_was_measured(
    stub: LeagueServiceAsyncStub, tokens: Tokens, world: World, database: Database
) -> None:
    boss, asked = tokens["boss"], pb.ForecastRequest(league="evenings")
    await stub.Create(pb.CreateLeagueRequest(league=LEAGUE), metadata=boss)
    code, why = await refusal(stub.Forecast(asked))
    assert (code, why) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "evenings has no season now; open one first",
    )
    await stub.Begin(pb.BeginRequest(league="evenings"), metadata=boss)
    told = await stub.Forecast(asked)
    assert (told.rounds, told.tables, told.measured) == (
        2,
        2,
        0,
    )  # five players: a table of three, one of two
    assert not told.HasField("season")
    with database.transaction() as tx:
        for number in (1, 2):
            plan(tx, world, f"t{number}")
            tables.finish(tx, [finished(f"t{number}", claimed(tx, f"t{number}").fence)])
        plan(tx, world, "t3")
        tx.execute(text("update game_table set claimed_at = 0, ended_at = 600000 where state = 'done'"))
    told = await stub.Forecast(asked)
    assert (told.measured, told.table_ms, told.step_ms) == (2, 600_000, 300_000)
    assert (told.next_round.tables, told.next_round.work_ms) == (2, 600_000)
    assert told.next_round.ends_at_ms == told.begins_at_ms + 300_000 + 600_000 + 600_000
    assert (told.season.tables, told.season.work_ms) == (4, 1_200_000)
    days = (told.season.ends_at_ms - told.next_round.ends_at_ms) / 3_600_000
    assert days in (23, 24, 25)  # the next evening, on whatever day of the year the test runs
    step = pb.StepRequest(league="evenings", verb=pb.StepRequest.VERB_CLOSE)
    await stub.Step(step, metadata=boss)
    assert (await refusal(stub.Forecast(asked)))[0] is grpc.StatusCode.FAILED_PRECONDITION
