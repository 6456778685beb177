"""RatingService: leaderboards, players, histories and predictions over gRPC.

Errors are those of ``service.errors`` and ``storage.errors``; the server's guard
puts them on the wire. Queries run in threads, so that SQL never blocks the loop.
"""

from collections.abc import Sequence
from typing import Any

from service.errors import BadRequest
from service.transactions import Transactions, page_size
from storage import folding, identity, ladders
from storage import ratings as stored
from storage.database import Database, Transaction
from storage.ladders import LadderRow

from . import tokens
from .board import is_provisional, trend
from .explanation import Seat, explain
from .prediction import predict
from .trueskill_model import START, Skill
from .v1 import ratings_pb2 as pb
from .v1.ratings_pb2_grpc import RatingServiceServicer

_PAGE, _MAX_PAGE = 50, 200
_NEIGHBOURS, _MAX_NEIGHBOURS = 5, 50


class RatingService(RatingServiceServicer):
    """Serves ``proto/ratings/v1`` from a database. Close it when its server has stopped."""

    # N802 below: the names are the proto's.

    def __init__(self, database: Database) -> None:
        self._transactions = Transactions(database, "ratings")

    def close(self) -> None:
        self._transactions.close()

    async def Leaderboard(self, request: pb.LeaderboardRequest, context: Any) -> pb.LeaderboardResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: leaderboard(tx, request))

    async def AroundMe(self, request: pb.AroundMeRequest, context: Any) -> pb.LeaderboardResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: around_me(tx, request))

    async def GetPlayer(self, request: pb.GetPlayerRequest, context: Any) -> pb.PlayerRating:  # noqa: N802
        return await self._transactions.read(lambda tx: get_player(tx, request))

    async def History(self, request: pb.HistoryRequest, context: Any) -> pb.HistoryResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: history(tx, request))

    async def Predict(self, request: pb.PredictRequest, context: Any) -> pb.PredictResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: chances(tx, request))


def leaderboard(tx: Transaction, request: pb.LeaderboardRequest) -> pb.LeaderboardResponse:
    """A page, best first. A token stays good while ratings move: what is worse than its figure follows."""
    ladder = _ladder(tx, request.ladder)
    size = page_size(request.page_size, _PAGE, _MAX_PAGE)
    after = None
    if request.page_token:
        shown, player_id = tokens.read(request.page_token, "leaderboard", ladder.id, float, int)
        after = stored.Cursor(shown, int(player_id))
    rows = stored.page(tx, ladder.id, after, size + 1)
    response = _board(tx, ladder, rows[:size])
    if len(rows) > size:
        last = rows[size - 1]
        response.next_page_token = tokens.write("leaderboard", ladder.id, last.shown, last.player_id)
    return response


def around_me(tx: Transaction, request: pb.AroundMeRequest) -> pb.LeaderboardResponse:
    """The player's line with its neighbours, best first."""
    ladder = _ladder(tx, request.ladder)
    player = identity.find_player(tx, request.player)
    neighbours = page_size(request.neighbours, _NEIGHBOURS, _MAX_NEIGHBOURS, "neighbours")
    return _board(tx, ladder, stored.around(tx, ladder.id, player.id, neighbours))


def get_player(tx: Transaction, request: pb.GetPlayerRequest) -> pb.PlayerRating:
    """The player's line and what it has done against each of its opponents."""
    ladder = _ladder(tx, request.ladder)
    player = identity.find_player(tx, request.player)
    rows = stored.head_to_head(tx, ladder.id, player.id)
    return pb.PlayerRating(
        standing=_standing(stored.standing(tx, ladder.id, player.id)),
        head_to_head=[
            pb.HeadToHead(opponent=row.opponent, ahead=row.ahead, level=row.level, behind=row.behind)
            for row in rows
        ],
    )


def history(tx: Transaction, request: pb.HistoryRequest) -> pb.HistoryResponse:
    """What moved the player, newest first, each with its explanation."""
    ladder = _ladder(tx, request.ladder)
    player = identity.find_player(tx, request.player)
    size = page_size(request.page_size, _PAGE, _MAX_PAGE)
    before = None
    if request.page_token:
        (before,) = tokens.read(request.page_token, f"history {player.id}", ladder.id, int)
    rows = stored.history(tx, ladder.id, player.id, before, size + 1)
    response = pb.HistoryResponse(changes=[_change(row) for row in rows[:size]])
    if len(rows) > size:
        response.next_page_token = tokens.write(f"history {player.id}", ladder.id, rows[size - 1].place)
    return response


def chances(tx: Transaction, request: pb.PredictRequest) -> pb.PredictResponse:
    """The chances of every place at a table of these players, in the order asked."""
    ladder = _ladder(tx, request.ladder)
    names = list(request.players)
    if not 2 <= len(names) <= 6 or len(set(names)) < len(names):
        raise BadRequest(
            f"players are 2 to 6 different ones, named owner/bot; not {', '.join(names) or 'none'}"
        )
    ids = [identity.find_player(tx, name).id for name in names]
    found = {row.player_id: Skill(row.mean, row.deviation) for row in folding.standings(tx, ladder.id, ids)}
    places = predict([found.get(id, START) for id in ids])
    seats = [pb.SeatPrediction(player=name, place=row) for name, row in zip(names, places, strict=True)]
    return pb.PredictResponse(seats=seats)


def _ladder(tx: Transaction, name: str) -> LadderRow:
    if not name:
        raise BadRequest("ladder is empty; name one, as in mushi/standard")
    return ladders.find_ladder(tx, name)


def _board(tx: Transaction, ladder: LadderRow, rows: Sequence[stored.StandingRow]) -> pb.LeaderboardResponse:
    return pb.LeaderboardResponse(
        ladder=ladder.name,
        standings=[_standing(row) for row in rows],
        players=stored.count(tx, ladder.id),
        place=max(0, ladder.folded_place - 1),
    )


def _standing(row: stored.StandingRow) -> pb.Standing:
    return pb.Standing(
        rank=row.rank,
        player=row.player,
        version=row.version,
        mean=row.mean,
        deviation=row.deviation,
        shown=row.shown,
        games=row.games,
        provisional=is_provisional(row),
        trend=trend(row),
    )


def _change(row: stored.HistoryRow) -> pb.RatingChange:
    change = row.mine.change
    return pb.RatingChange(
        place=row.place,
        kind=row.kind,
        match=row.table_id or "",
        at_ms=row.at,
        mean_before=change.mean_before,
        deviation_before=change.deviation_before,
        mean_after=change.mean_after,
        deviation_after=change.deviation_after,
        explanation=explanation(row),
    )


def explanation(row: stored.HistoryRow) -> str:
    """Why the row's player moved, in one sentence."""
    change = row.mine.change
    before = Skill(change.mean_before, change.deviation_before)
    after = Skill(change.mean_after, change.deviation_after)
    mine = _seat(row.mine)
    if mine is None:
        return explain(row.kind, before, after)
    others = [seat for seat in map(_seat, row.others) if seat is not None]
    return explain(row.kind, before, after, mine, others)


def _seat(seat: stored.SeatChange) -> Seat | None:
    if seat.placement is None:
        return None
    return Seat(seat.placement, Skill(seat.change.mean_before, seat.change.deviation_before))
