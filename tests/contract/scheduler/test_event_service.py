"""EventService over gRPC, behind the guard that every server of ours has."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio

from ratings.follow import fold_ladder, rebuild
from scheduler import events as use_cases
from scheduler.event_service import NAME, POLICY
from scheduler.ladders import enter_house, open_ladder
from scheduler.v1 import events_pb2 as pb
from scheduler.v1.events_pb2_grpc import EventServiceStub
from storage import actions, identity, ladders, ledger
from storage import events as rows
from storage import ratings as stored
from storage.database import Database
from tests.contract.scheduler.cups import Tokens, address, advance, garden, play, tokens
from tests.fixtures.garden import NERVES, Garden
from tests.fixtures.services import refusal
from tests.fixtures.stack import HouseBot

if TYPE_CHECKING:  # only the stub file has it
    from scheduler.v1.events_pb2_grpc import EventServiceAsyncStub

__all__ = ["address", "garden", "tokens"]
CUP = pb.CreateEventRequest(
    name="Cup", ladder="mushi/standard", stages=[pb.Stage(format="single-elimination", seats=2)]
)
GROUPS = pb.CreateEventRequest(
    name="Cup",
    ladder="mushi/standard",
    stages=[
        pb.Stage(format="round-robin", seats=2, groups=2, through=1),
        pb.Stage(format="swiss", seats=2, rounds=1),
    ],
)
Verb = pb.EventStepRequest
Kind = pb.CorrectEventRequest


@pytest_asyncio.fixture
async def stub(address: str) -> AsyncIterator[EventServiceAsyncStub]:
    async with grpc.aio.insecure_channel(address) as channel:
        yield EventServiceStub(channel)


async def begin(
    stub: EventServiceAsyncStub, garden: Garden, boss: Any, wanted: pb.CreateEventRequest, count: int
) -> None:
    """An event of so many of the garden's house bots, started; its first tables are planned."""
    await stub.Create(wanted, metadata=boss)
    for name in list(NERVES)[:count]:
        await stub.Enter(pb.EventEntryRequest(event="Cup", player=f"house/{name}"), metadata=boss)
    await stub.Step(Verb(event="Cup", verb=Verb.VERB_START), metadata=boss)
    advance(garden)


async def test_an_event_from_its_making_to_its_winner(
    stub: EventServiceAsyncStub, tokens: Tokens, garden: Garden
) -> None:
    boss, ann = tokens["boss"], tokens["ann"]
    made = await stub.Create(CUP, metadata=boss)
    assert (made.state, made.entrants, made.stages[0].extra, len(made.lots)) == ("open", 0, 2, 32)
    assert await stub.Create(CUP, metadata=boss) == made
    mine = pb.EventEntryRequest(event="Cup", player="ann/bot")
    assert (await stub.Enter(mine, metadata=ann)).changed
    assert not (await stub.Enter(mine, metadata=ann)).changed
    assert (await stub.Withdraw(mine, metadata=ann)).changed
    assert not (await stub.Withdraw(mine, metadata=ann)).changed
    await stub.Enter(mine, metadata=ann)
    for name in ("timid", "calm", "bold"):
        await stub.Enter(pb.EventEntryRequest(event="Cup", player=f"house/{name}"), metadata=boss)
    seeded = await stub.Seed(pb.SeedEventRequest(event="Cup", players=["ann/bot"]), metadata=boss)
    assert [one.seed for one in seeded.entrants] == [1, 2, 3, 4]
    assert seeded.entrants[0].player == "ann/bot"
    again = await stub.Seed(pb.SeedEventRequest(event="Cup", players=["ann/bot"]), metadata=boss)
    assert again == seeded, "lots fall the same"
    for verb, state in (("START", "running"), ("PAUSE", "paused"), ("RESUME", "running")):
        step = Verb(event="Cup", verb=Verb.Verb.Value(f"VERB_{verb}"))
        assert (await stub.Step(step, metadata=boss)).state == state
    advance(garden)
    play(garden)
    sheet = await stub.Get(pb.GetEventRequest(event="Cup"))
    assert sheet.event.state == "finished"
    (stage,) = sheet.stages
    assert [[match.slot for match in one.matches] for one in stage.rounds] == [["W1.1", "W1.2"], ["F1.1"]]
    assert stage.is_over
    assert sheet.winner == stage.lines[0].player == stage.rounds[1].matches[0].seats[0].player
    assert list(stage.tie_breaks) == ["stayed in", "last place", "share", "seed"]
    assert [line.decided_by for line in stage.lines][:3] == ["", "stayed in", "stayed in"]
    listed = await stub.List(pb.ListEventsRequest())
    assert listed.events == [sheet.event]


async def test_who_may_do_what(stub: EventServiceAsyncStub, tokens: Tokens) -> None:
    ann, bob, boss = tokens["ann"], tokens["bob"], tokens["boss"]
    await stub.Create(CUP, metadata=boss)
    denied = grpc.StatusCode.PERMISSION_DENIED
    assert (await refusal(stub.Create(CUP, metadata=ann)))[0] is denied
    assert (await refusal(stub.Seed(pb.SeedEventRequest(event="Cup"), metadata=ann)))[0] is denied
    assert (await refusal(stub.Step(Verb(event="Cup"), metadata=ann)))[0] is denied
    assert (await refusal(stub.Correct(Kind(event="Cup"), metadata=ann)))[0] is denied
    assert (await refusal(stub.Enter(pb.EventEntryRequest(event="Cup"))))[
        0
    ] is grpc.StatusCode.UNAUTHENTICATED
    theirs = pb.EventEntryRequest(event="Cup", player="ann/bot")
    nobodys = pb.EventEntryRequest(event="Cup", player="ann/nothing")
    refused = [await refusal(stub.Enter(one, metadata=bob)) for one in (theirs, nobodys)]
    assert [code for code, _ in refused] == [grpc.StatusCode.NOT_FOUND] * 2
    assert refused[0][1].replace("ann/bot", "X") == refused[1][1].replace("ann/nothing", "X")
    assert {
        f"/{NAME}/{method.name}" for method in pb.DESCRIPTOR.services_by_name["EventService"].methods
    } == set(POLICY)


@pytest.mark.parametrize(
    ("stages", "why"),
    [
        ([], "one stage or more"),
        ([pb.Stage(format="single-elimination", seats=2)] * 9, "1 to 8 stages, not 9"),
        ([pb.Stage(format="ladder", seats=2)], "there is no format 'ladder'; there are round-robin"),
        ([pb.Stage(seats=2)], "format, seats"),
        ([pb.Stage(format="swiss", seats=2)], "a Swiss needs its number of rounds"),
        ([pb.Stage(format="single-elimination", seats=6)], "2 to 5 seats, not 6"),
        ([pb.Stage(format="swiss", seats=2, rounds=101)], "rounds"),
        ([pb.Stage(format="single-elimination", seats=2, no_show_ms=1)], "a second to thirty days"),
    ],
)
async def test_stages_that_cannot_be_played_are_refused_in_words(
    stub: EventServiceAsyncStub, tokens: Tokens, stages: list[pb.Stage], why: str
) -> None:
    wanted = pb.CreateEventRequest(name="Cup", ladder="mushi/standard", stages=stages)
    code, said = await refusal(stub.Create(wanted, metadata=tokens["boss"]))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert why in said


async def test_requests_that_make_no_sense_are_refused_in_words(
    stub: EventServiceAsyncStub, tokens: Tokens, garden: Garden, database: Database
) -> None:
    boss = tokens["boss"]
    with database.transaction() as tx:
        open_ladder(tx, "morumori/coop")
    coop = pb.CreateEventRequest(name="Cup", ladder="morumori/coop", stages=CUP.stages)
    assert "played together" in (await refusal(stub.Create(coop, metadata=boss)))[1]
    other = pb.CreateEventRequest(name="Cup", ladder="nothing/here", stages=CUP.stages)
    assert (await refusal(stub.Create(other, metadata=boss)))[0] is grpc.StatusCode.NOT_FOUND
    await stub.Create(CUP, metadata=boss)
    differs = pb.CreateEventRequest(name="Cup", ladder="mushi/standard", stages=GROUPS.stages)
    assert "exists with other settings" in (await refusal(stub.Create(differs, metadata=boss)))[1]
    code, why = await refusal(stub.Step(Verb(event="Cup", verb=Verb.VERB_START), metadata=boss))
    assert (code, "0 entrants do not fill" in why) == (grpc.StatusCode.FAILED_PRECONDITION, True)
    assert "none of start, pause" in (await refusal(stub.Step(Verb(event="Cup"), metadata=boss)))[1]
    assert (
        "is open, not running"
        in (await refusal(stub.Step(Verb(event="Cup", verb=Verb.VERB_PAUSE), metadata=boss)))[1]
    )
    stranger = pb.SeedEventRequest(event="Cup", players=["house/calm"])
    assert "house/calm are not in event" in (await refusal(stub.Seed(stranger, metadata=boss)))[1]
    both = pb.SeedEventRequest(event="Cup", players=["house/calm"], by_rating=True)
    assert "not by both" in (await refusal(stub.Seed(both, metadata=boss)))[1]
    for token in ("x", "-1", "9" * 30, "1 OR 1=1"):
        assert "page_token" in (await refusal(stub.List(pb.ListEventsRequest(page_token=token))))[1]
    assert "page_size is 201" in (await refusal(stub.List(pb.ListEventsRequest(page_size=201))))[1]
    with database.transaction() as tx:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "bob"), "elsewhere", "remote")
        identity.ensure_version(tx, player.id, "1")
    away = pb.EventEntryRequest(event="Cup", player="bob/elsewhere")
    assert "not on the ladder mushi/standard" in (await refusal(stub.Enter(away, metadata=tokens["bob"])))[1]
    assert garden.players


async def test_a_finished_event_is_corrected_in_its_first_round_and_played_on(
    stub: EventServiceAsyncStub, tokens: Tokens, garden: Garden, database: Database
) -> None:
    boss = tokens["boss"]
    await begin(stub, garden, boss, CUP, 4)
    play(garden)
    garden.rate()
    before = await stub.Get(pb.GetEventRequest(event="Cup"))
    match = before.stages[0].rounds[0].matches[0]
    first, second = (seat.player for seat in match.seats)
    wanted = Kind(
        event="Cup",
        table=match.tables[0].id,
        kind=Kind.KIND_REPLACE,
        places=[pb.Place(player=second, place=0), pb.Place(player=first, place=1)],
        preview=True,
    )
    told = await stub.Correct(wanted, metadata=boss)
    assert (told.is_done, told.moves_ratings) == (False, True)
    (change,) = told.stages
    assert change.reopens
    assert [one.slot for one in change.lost] == [one.slot for one in change.new] == ["F1.1"]
    assert first in {seat.player for seat in change.lost[0].seats}
    assert second in {seat.player for seat in change.new[0].seats}
    assert await stub.Get(pb.GetEventRequest(event="Cup")) == before, "a preview changes nothing"
    foretold = {one.player: one.after for one in told.ratings}
    assert {first, second} <= set(foretold)

    wanted.preview = False
    assert "reason is for everybody" in (await refusal(stub.Correct(wanted, metadata=boss)))[1]
    wanted.reason = "written down the wrong way round"
    done = await stub.Correct(wanted, metadata=boss)
    assert done.is_done
    assert done.stages == told.stages
    with database.reading() as tx:
        ladder = ladders.find_ladder(tx, "mushi/standard")
        (entry,) = ledger.corrections(tx, ladder.id, 1_000_000)
        kinds = [one.action for one in actions.recent(tx, 20)]
    assert [seat["placement"] for seat in entry.content["seats"]].count(0) == 1
    assert "event replace" in kinds
    fold_ladder(database, ladder.id)
    with database.reading() as tx:
        shown = {row.player: row.shown for row in stored.page(tx, ladder.id, None, 50)}
    assert {player: shown[player] for player in foretold} == foretold, "as it was foretold"
    advance(garden)
    play(garden)
    fold_ladder(database, ladder.id)
    assert rebuild(database, ladder.id).equal
    after = await stub.Get(pb.GetEventRequest(event="Cup"))
    assert after.event.state == "finished"
    assert [(one.slot, one.actor, one.reason) for one in after.corrections] == [
        ("W1.1", "boss", "written down the wrong way round")
    ]
    assert second in {seat.player for seat in after.stages[0].rounds[1].matches[0].seats}
    assert after.stages[0].rounds[0].matches[1] == before.stages[0].rounds[0].matches[1]


async def test_a_correction_of_a_stage_that_sends_somebody_else_on(
    stub: EventServiceAsyncStub, tokens: Tokens, garden: Garden
) -> None:
    """The next stage, a Swiss that has been drawn and played, is drawn and played again."""
    boss = tokens["boss"]
    await begin(stub, garden, boss, GROUPS, 4)
    play(garden)
    before = await stub.Get(pb.GetEventRequest(event="Cup"))
    match = before.stages[0].rounds[0].matches[0]
    first, second = (seat.player for seat in match.seats)
    places = [pb.Place(player=second, place=0), pb.Place(player=first, place=1)]
    wanted = Kind(
        event="Cup", table=match.tables[0].id, kind=Kind.KIND_REPLACE, places=places, reason="wrong"
    )
    told = await stub.Correct(wanted, metadata=boss)
    assert [one.stage for one in told.stages] == [1, 2]
    assert told.stages[1].lost or told.stages[1].reopens
    advance(garden)
    play(garden)
    after = await stub.Get(pb.GetEventRequest(event="Cup"))
    assert after.event.state == "finished"
    assert {line.player for line in after.stages[1].lines} >= {second}
    assert first not in {line.player for line in after.stages[1].lines}


async def test_a_table_is_played_again_or_left_out(
    stub: EventServiceAsyncStub, tokens: Tokens, garden: Garden, database: Database
) -> None:
    boss = tokens["boss"]
    await begin(stub, garden, boss, CUP, 2)
    play(garden)
    (table,) = (await stub.Get(pb.GetEventRequest(event="Cup"))).stages[0].rounds[0].matches[0].tables
    replay = Kind(event="Cup", table=table.id, kind=Kind.KIND_REPLAY, reason="the host stood still")
    await stub.Correct(replay, metadata=boss)
    advance(garden)
    play(garden)
    match = (await stub.Get(pb.GetEventRequest(event="Cup"))).stages[0].rounds[0].matches[0]
    assert [one.game for one in match.tables] == [1, 2]
    with database.reading() as tx:
        ladder = ladders.find_ladder(tx, "mushi/standard")
        assert [one.content for one in ledger.corrections(tx, ladder.id, 1_000_000)] == [{"void": True}]
    void = Kind(event="Cup", table=match.tables[1].id, kind=Kind.KIND_VOID, reason="no more of this")
    await stub.Correct(void, metadata=boss)
    advance(garden)
    sheet = await stub.Get(pb.GetEventRequest(event="Cup"))
    assert sheet.event.state == "finished"
    assert len(sheet.stages[0].rounds[0].matches[0].tables) == 2


async def test_corrections_that_fit_no_table_are_refused_in_words(
    stub: EventServiceAsyncStub, tokens: Tokens, garden: Garden
) -> None:
    boss = tokens["boss"]
    await begin(stub, garden, boss, CUP, 4)
    match = (await stub.Get(pb.GetEventRequest(event="Cup"))).stages[0].rounds[0].matches[0]
    table, players = match.tables[0].id, [seat.player for seat in match.seats]

    async def said(kind: Kind.Kind.ValueType, *placed: tuple[str, int], at: str = table) -> str:
        places = [pb.Place(player=player, place=place) for player, place in placed]
        wanted = Kind(event="Cup", table=at, kind=kind, places=places, reason="why not")
        return (await refusal(stub.Correct(wanted, metadata=boss)))[1]

    assert "has not ended" in await said(Kind.KIND_REPLAY)
    assert "is not of event" in await said(Kind.KIND_REPLAY, at="NONE")
    assert "none of replace" in await said(Kind.KIND_UNSPECIFIED)
    assert "belong to a replace" in await said(Kind.KIND_VOID, (players[0], 0))
    assert "belong to a replace" in await said(Kind.KIND_REPLACE)
    assert "give each of them" in await said(Kind.KIND_REPLACE, (players[0], 0))
    assert "twice" in await said(Kind.KIND_REPLACE, (players[0], 0), (players[0], 1))
    assert "the best has 0" in await said(Kind.KIND_REPLACE, (players[0], 1), (players[1], 2))


async def test_a_cancelled_event_plans_nothing_more(
    stub: EventServiceAsyncStub, tokens: Tokens, garden: Garden, database: Database
) -> None:
    boss = tokens["boss"]
    await begin(stub, garden, boss, CUP, 4)
    cancelled = await stub.Step(Verb(event="Cup", verb=Verb.VERB_CANCEL), metadata=boss)
    assert cancelled.state == "cancelled"
    advance(garden)
    with database.reading() as tx:
        found = rows.tables(tx, rows.find_event(tx, "Cup").id)
    assert [row.state for row in found] == ["void", "void"]
    code, why = await refusal(stub.Step(Verb(event="Cup", verb=Verb.VERB_CANCEL), metadata=boss))
    assert (code, "cancelled already" in why) == (grpc.StatusCode.FAILED_PRECONDITION, True)


async def test_pages_of_events(stub: EventServiceAsyncStub, tokens: Tokens, database: Database) -> None:
    with database.transaction() as tx:
        ladder = open_ladder(tx, "mushi")
        enter_house(tx, ladder, [HouseBot("climber", "random", {})])
        for number in range(5):
            use_cases.create_event(
                tx, f"Cup {number}", ladder.name, [{"format": "single-elimination", "seats": 2}]
            )
    seen, token = [], ""
    while True:
        page = await stub.List(pb.ListEventsRequest(page_size=2, page_token=token), metadata=tokens["ann"])
        seen += [one.name for one in page.events]
        token = page.next_page_token
        if not token:
            break
    assert seen == [f"Cup {number}" for number in (4, 3, 2, 1, 0)]
