"""``MatchService``: its public half (get, watch, replay) and its internal one (start, abort as well)."""

from collections.abc import AsyncIterator
from typing import Any

import orjson

from engine_service.server.hall import Hall
from engine_service.server.live import LiveMatch, Phase
from engine_service.server.opening import Opening
from engine_service.server.reader import Reader
from engine_service.server.watching import watch
from engine_service.v1 import match_pb2, match_pb2_grpc
from engine_service.v1.match_pb2 import Match
from service.auth import caller
from service.errors import Denied, Missing, Precondition
from storage import results, tables
from storage.errors import NotFound
from storage.tables import TableRow

STATES = {
    tables.PLANNED: Match.STATE_PLANNED,
    tables.RUNNING: Match.STATE_RUNNING,
    tables.DONE: Match.STATE_DONE,
    tables.VOID: Match.STATE_VOID,
}


SHARED = "shares its deal with other tables, whose players could learn from what is open on it"


class PublicMatches(match_pb2_grpc.MatchServiceServicer):
    """What anybody with a token may see. The method names are the proto's."""

    def __init__(self, hall: Hall, reader: Reader) -> None:
        self._hall = hall
        self._reader = reader

    async def Start(self, request: Any, context: Any) -> match_pb2.StartResponse:  # noqa: N802
        """Refused here."""
        raise Denied("Start stands on the internal port only")

    async def Abort(self, request: Any, context: Any) -> match_pb2.AbortResponse:  # noqa: N802
        """Refused here."""
        raise Denied("Abort stands on the internal port only")

    async def Get(self, request: match_pb2.GetMatchRequest, context: Any) -> Match:  # noqa: N802
        """A match, running here or known to the database."""
        match = self._hall.matches.get(request.match)
        if match is not None and match.phase is not Phase.SEATING:
            return _live(match)
        return await self._reader.run(lambda tx: _stored(tx, request.match))

    async def Watch(self, request: match_pb2.WatchRequest, context: Any) -> AsyncIterator[Any]:  # noqa: N802
        """See the proto. Only where the match runs."""
        match = self._hall.matches.get(request.match)
        if match is None:
            raise await self._not_running(request.match)
        if match.table.set_id is not None:
            raise Precondition(f"match {match.id} {SHARED}; its replay comes when all of them have ended")
        async for answer in watch(self._hall, match, request):
            yield answer

    async def Replay(self, request: match_pb2.ReplayRequest, context: Any) -> match_pb2.ReplayResponse:  # noqa: N802
        """The whole record, once the seed may be known."""
        return await self._reader.run(lambda tx: _replay(tx, request.match))

    async def _not_running(self, id: str) -> Exception:
        table = await self._reader.run(lambda tx: tables.find(tx, id))
        if table.state in (tables.DONE, tables.VOID):
            return Precondition(f"match {id} has ended ({table.state}); ask Get or Replay")
        where = f"at engine {table.lease_owner}" if table.state == tables.RUNNING else "not yet"
        return Missing(f"match {id} is not played here; it runs {where}")


class InternalMatches(PublicMatches):
    """For our own processes."""

    def __init__(self, hall: Hall, reader: Reader, opening: Opening) -> None:
        super().__init__(hall, reader)
        self._opening = opening

    async def Start(self, request: match_pb2.StartRequest, context: Any) -> match_pb2.StartResponse:  # noqa: N802
        """Claims tables and opens their matches."""
        started = await self._opening.start(list(request.tables), request.caller)
        return match_pb2.StartResponse(tables=started)

    async def Abort(self, request: match_pb2.AbortRequest, context: Any) -> match_pb2.AbortResponse:  # noqa: N802
        """Ends the attempt at a running match; its table will be played again."""
        match = self._hall.matches.get(request.match)
        if match is None:
            raise Missing(f"no match {request.match!r} runs in this engine")
        if match.ended:
            raise Precondition(f"match {request.match} has just ended")
        self._hall.give_up(match, "abort", f"{caller().name}: {request.reason[:500] or 'aborted'}")
        return match_pb2.AbortResponse()


def _live(match: LiveMatch) -> Match:
    table = match.table
    is_shown = match.phase is Phase.PLAYING and table.set_id is None
    return Match(
        match=match.id,
        state=Match.STATE_RUNNING,
        game=table.game,
        variant=table.variant,
        config=orjson.dumps(table.config).decode(),
        players=match.players,
        attempt=match.attempt,
        commitment=table.commitment,
        view=match.public_view() if is_shown else "",
    )


def _stored(tx: Any, id: str) -> Match:
    table = tables.find(tx, id)
    match = _table(table)
    if table.state == tables.DONE:
        result = results.get(tx, id)
        match.end = result.played.end
        match.scores.extend(result.played.scores)
        match.ranks.extend(result.ranks)
        match.placements.extend(result.played.placements)
    return match


def _table(table: TableRow) -> Match:
    return Match(
        match=table.id,
        state=STATES[table.state],
        game=table.game,
        variant=table.variant,
        config=orjson.dumps(table.config).decode(),
        players=[seat.full_name for seat in table.seats],
        attempt=table.attempt,
        commitment=table.commitment,
        void_reason=table.void_reason or "",
    )


def _replay(tx: Any, id: str) -> match_pb2.ReplayResponse:
    table = tables.find(tx, id)
    if table.state != tables.DONE:
        raise Precondition(f"match {id} is {table.state}; it has a replay once it is done")
    try:
        replay = results.get(tx, id).replay
    except NotFound as error:
        raise Missing(str(error)) from error
    if replay is None:
        raise Precondition(
            f"match {id} shares its deal with a table that is not over; its replay comes with the seed"
        )
    return match_pb2.ReplayResponse(replay=replay)
