"""RatingService over gRPC, behind the guard that every server of ours has."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Awaitable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio

from ratings.follow import fold_ladder
from ratings.service import RatingService
from ratings.v1 import ratings_pb2 as pb
from ratings.v1.ratings_pb2_grpc import RatingServiceStub, add_RatingServiceServicer_to_server
from service.auth import PUBLIC
from storage import ledger
from storage.database import Database
from tests.fixtures.records import World, make_world, result_entry
from tests.fixtures.services import served

if TYPE_CHECKING:  # only the stub file has it
    from ratings.v1.ratings_pb2_grpc import RatingServiceAsyncStub

LADDER = "mushi/standard"
METHODS = ("Leaderboard", "AroundMe", "GetPlayer", "History", "Predict")


@pytest.fixture
def world(database: Database) -> World:
    """Six players, of whom the sixth has not played: bot0 beats bot1 beats bot2 …"""
    with database.transaction() as tx:
        world = make_world(tx, 6)
        pairs = [(a, b) for _ in range(3) for a in range(5) for b in range(a + 1, 5)]
        entries = [result_entry(world, f"t{n}", pair, (0, 1)) for n, pair in enumerate(pairs)]
        ledger.append(tx, world.ladder_id, entries)
    fold_ladder(database, world.ladder_id)
    return world


@pytest_asyncio.fixture
async def stub(database: Database, world: World) -> AsyncIterator[RatingServiceAsyncStub]:
    assert world
    policy = {f"/ratings.v1.RatingService/{method}": PUBLIC for method in METHODS}
    service, add = RatingService(database), add_RatingServiceServicer_to_server
    async with (
        served(database, service, policy, add) as address,
        grpc.aio.insecure_channel(address) as channel,
    ):
        yield RatingServiceStub(channel)


async def _nobody(clear: str) -> None:
    del clear


async def refused(call: Awaitable[Any]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details() or ""


async def test_a_leaderboard_in_pages(stub: RatingServiceAsyncStub) -> None:
    whole = await stub.Leaderboard(pb.LeaderboardRequest(ladder=LADDER))
    assert [row.player for row in whole.standings] == [f"house/bot{n}" for n in range(5)]
    assert [row.rank for row in whole.standings] == [1, 2, 3, 4, 5]
    assert (whole.players, whole.place, whole.next_page_token) == (5, 29, "")
    for row in whole.standings:
        assert row.shown == pytest.approx(row.mean - 3 * row.deviation, abs=1e-8)
        assert (row.version, row.games) == (1, 12)
    first = await stub.Leaderboard(pb.LeaderboardRequest(ladder=LADDER, page_size=3))
    second = await stub.Leaderboard(
        pb.LeaderboardRequest(ladder=LADDER, page_size=3, page_token=first.next_page_token)
    )
    assert [*first.standings, *second.standings] == list(whole.standings)
    assert second.next_page_token == ""


async def test_a_page_token_outlives_a_fold(
    stub: RatingServiceAsyncStub, database: Database, world: World
) -> None:
    first = await stub.Leaderboard(pb.LeaderboardRequest(ladder=LADDER, page_size=2))
    with database.transaction() as tx:
        ledger.append(tx, world.ladder_id, [result_entry(world, f"u{n}", (5, 4), (0, 1)) for n in range(3)])
    fold_ladder(database, world.ladder_id)
    request = pb.LeaderboardRequest(ladder=LADDER, page_token=first.next_page_token)
    rest = await stub.Leaderboard(request)
    assert rest.place == 32
    assert all(row.shown <= first.standings[-1].shown for row in rest.standings)
    assert {"house/bot2", "house/bot3"} <= {row.player for row in rest.standings}
    assert "house/bot1" not in {row.player for row in rest.standings}


async def test_around_me(stub: RatingServiceAsyncStub) -> None:
    answer = await stub.AroundMe(pb.AroundMeRequest(ladder=LADDER, player="house/bot2", neighbours=1))
    assert [(row.rank, row.player) for row in answer.standings] == [
        (2, "house/bot1"),
        (3, "house/bot2"),
        (4, "house/bot3"),
    ]


async def test_a_player_and_its_opponents(stub: RatingServiceAsyncStub) -> None:
    answer = await stub.GetPlayer(pb.GetPlayerRequest(ladder=LADDER, player="house/bot1"))
    assert answer.standing.rank == 2
    tallies = {row.opponent: (row.ahead, row.level, row.behind) for row in answer.head_to_head}
    assert tallies == {"house/bot0": (0, 0, 3), **{f"house/bot{n}": (3, 0, 0) for n in (2, 3, 4)}}


async def test_a_history_in_pages(stub: RatingServiceAsyncStub) -> None:
    token = ""
    changes: list[pb.RatingChange] = []
    while True:
        request = pb.HistoryRequest(ladder=LADDER, player="house/bot0", page_size=5, page_token=token)
        page = await stub.History(request)
        changes += page.changes
        token = page.next_page_token
        if not token:
            break
    assert len(changes) == 12
    assert [change.place for change in changes] == sorted((c.place for c in changes), reverse=True)
    assert changes[-1].explanation.startswith("first of two ahead of an equal player: +")
    assert all(change.kind == "result" for change in changes)
    for newer, older in pairwise(changes):
        assert newer.mean_before == older.mean_after


async def test_a_prediction(stub: RatingServiceAsyncStub) -> None:
    names = ["house/bot4", "house/bot0", "house/bot5"]
    answer = await stub.Predict(pb.PredictRequest(ladder=LADDER, players=names))
    assert [seat.player for seat in answer.seats] == names
    for seat in answer.seats:
        assert sum(seat.place) == pytest.approx(1)
    last, best, _ = answer.seats
    assert best.place[0] > last.place[0]
    assert last.place[2] > best.place[2]


async def test_what_is_not_there(stub: RatingServiceAsyncStub) -> None:
    missing = grpc.StatusCode.NOT_FOUND
    code, text = await refused(stub.Leaderboard(pb.LeaderboardRequest(ladder="mushi/other")))
    assert (code, LADDER in text) == (missing, True)
    code, text = await refused(stub.GetPlayer(pb.GetPlayerRequest(ladder=LADDER, player="bot1")))
    assert (code, "owner/bot" in text) == (missing, True)
    code, text = await refused(stub.AroundMe(pb.AroundMeRequest(ladder=LADDER, player="house/bot5")))
    assert (code, "no rated game" in text) == (missing, True)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (pb.LeaderboardRequest(), "ladder is empty"),
        (pb.LeaderboardRequest(ladder=LADDER, page_size=201), "1 to 200"),
        (pb.LeaderboardRequest(ladder=LADDER, page_token="nonsense"), "next_page_token"),
        (pb.LeaderboardRequest(ladder=LADDER, page_token="é"), "next_page_token"),
        (pb.LeaderboardRequest(ladder=LADDER, page_token="WzFd"), "next_page_token"),
    ],
)
async def test_what_cannot_be_asked(stub: RatingServiceAsyncStub, request_: Any, words: str) -> None:
    code, text = await refused(stub.Leaderboard(request_))
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert words in text


@pytest.mark.parametrize(
    "names", [[], ["house/bot0"], ["house/bot0"] * 2, [f"house/bot{n}" for n in range(7)]]
)
async def test_a_prediction_is_for_two_to_six_different_players(
    stub: RatingServiceAsyncStub, names: list[str]
) -> None:
    code, text = await refused(stub.Predict(pb.PredictRequest(ladder=LADDER, players=names)))
    assert code == grpc.StatusCode.INVALID_ARGUMENT
    assert "2 to 6 different" in text


async def test_a_token_is_for_one_list_of_one_ladder(
    stub: RatingServiceAsyncStub, database: Database
) -> None:
    with database.transaction() as tx:
        make_world(tx, 1, name="mushi/other")
    board = await stub.Leaderboard(pb.LeaderboardRequest(ladder=LADDER, page_size=2))
    past = await stub.History(pb.HistoryRequest(ladder=LADDER, player="house/bot0", page_size=2))
    foreign: list[Awaitable[Any]] = [
        stub.Leaderboard(pb.LeaderboardRequest(ladder="mushi/other", page_token=board.next_page_token)),
        stub.Leaderboard(pb.LeaderboardRequest(ladder=LADDER, page_token=past.next_page_token)),
        stub.History(pb.HistoryRequest(ladder=LADDER, player="house/bot1", page_token=past.next_page_token)),
    ]
    for call in foreign:
        assert (await refused(call))[0] == grpc.StatusCode.INVALID_ARGUMENT


def forged(*content: Any) -> str:
    """A token of that content, written as ours are."""
    return base64.urlsafe_b64encode(json.dumps(list(content), separators=(",", ":")).encode()).decode()


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


SHAPES: tuple[str, ...] = (
    "nonsense",
    "é",
    "WzFd",
    "====",
    "\0",
    "a" * 100_000,
    encoded("[" * 90),
    encoded("[" * 100_000),
    encoded('{"a":' * 90),
    encoded("9" * 5_000),
    encoded("null"),
    encoded('"leaderboard"'),
    encoded("{}"),
    encoded("[]"),
)


@pytest.mark.parametrize("token", SHAPES, ids=range(len(SHAPES)))
async def test_what_is_no_token_is_said(stub: RatingServiceAsyncStub, token: str) -> None:
    await assert_foreign(stub, token, token)


VALUES: tuple[Any, ...] = (
    float("nan"), float("inf"), -1, -1.5, 2**63, 2**200, 1.0, True, None, "", [], {}, "nan", "inf", "-inf",
    "0x1p5000", "0x1.0p+0 ", "1", "\ud800", [[[[]]]],
)  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
async def test_a_token_of_our_shape_with_other_values_is_foreign(
    stub: RatingServiceAsyncStub, world: World, value: Any
) -> None:
    history = f"history {world.players[0][0]}"
    good = (1.5).hex()
    for board, past in (
        (forged("leaderboard", world.ladder_id, good, value), forged(history, world.ladder_id, value)),
        (forged("leaderboard", world.ladder_id, value, 3), forged(history, value, 3)),
        (forged("leaderboard", value, good, 3), forged(value, world.ladder_id, 3)),
        (forged("leaderboard", world.ladder_id, good, 3, value), forged(history, world.ladder_id, 3, value)),
    ):
        await assert_foreign(stub, board, past)


async def assert_foreign(stub: RatingServiceAsyncStub, board: str, past: str) -> None:
    for call in (
        stub.Leaderboard(pb.LeaderboardRequest(ladder=LADDER, page_token=board)),
        stub.History(pb.HistoryRequest(ladder=LADDER, player="house/bot0", page_token=past)),
    ):
        code, text = await refused(call)
        assert code == grpc.StatusCode.INVALID_ARGUMENT
        assert "send next_page_token as it came" in text


@pytest.mark.parametrize("name", ["\0", "house/\0", "a\0b/c", "x" * 200_000, "/" * 5_000])
async def test_names_that_nobody_can_have_are_refused_with_a_sentence(
    stub: RatingServiceAsyncStub, name: str
) -> None:
    calls: list[Awaitable[Any]] = [
        stub.Leaderboard(pb.LeaderboardRequest(ladder=name)),
        stub.AroundMe(pb.AroundMeRequest(ladder=LADDER, player=name)),
        stub.GetPlayer(pb.GetPlayerRequest(ladder=LADDER, player=name)),
        stub.History(pb.HistoryRequest(ladder=LADDER, player=name)),
        stub.Predict(pb.PredictRequest(ladder=LADDER, players=["house/bot0", name])),
        stub.Predict(pb.PredictRequest(ladder=LADDER, players=[name] * 9)),
    ]
    for call in calls:
        code, text = await refused(call)
        assert code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)
        assert 10 < len(text) < 1_010
