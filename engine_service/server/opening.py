"""How tables become matches: claimed, their remote players asked, their referees made."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from typing import Any

import orjson

from engine_service.server.alarms import monotonic_ms
from engine_service.server.chair import by_player
from engine_service.server.hall import Hall
from engine_service.server.live import LiveMatch, Phase
from engine_service.server.seats import remote_seats
from engine_service.server.tallies import count
from engine_service.server.writer import Lease, LeaseOver
from engine_service.v1.match_pb2 import SeatToFill, StartedTable
from service.errors import BadRequest
from service.logging import get
from storage import tables
from storage.errors import Unavailable
from storage.tables import Claim, Refusal

MAX_TABLES = 256

_log = get("opening")

_REFUSED = {
    "running": (StartedTable.OUTCOME_IN_PLAY, "another engine plays it"),
    "done": (StartedTable.OUTCOME_FINISHED, "it has been played"),
    "void": (StartedTable.OUTCOME_FINISHED, "it is void"),
    "not_due": (StartedTable.OUTCOME_NOT_DUE, "its time has not come"),
    "missing": (StartedTable.OUTCOME_NOT_FOUND, "there is no such table"),
}


class Opening:
    """Starts tables, once each whoever asks and however often."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._asked: dict[str, tuple[str, asyncio.Future[StartedTable]]] = {}

    async def start(self, ids: Sequence[str], caller: str) -> list[StartedTable]:
        """One answer a table, in order. BadRequest for a bad call; StorageError if nothing could be claimed."""
        _check(ids, caller)
        fresh = [id for id in dict.fromkeys(ids) if id not in self._hall.matches and id not in self._asked]
        for id in fresh:
            self._asked[id] = (caller, self._hall.loop.create_future())
        answers = [self._answer(id, caller) for id in ids]
        if fresh:
            self._hall.spawn(self._open_all(fresh, caller))
        return list(await asyncio.gather(*answers))

    def _answer(self, id: str, caller: str) -> asyncio.Future[StartedTable]:
        asked = self._asked.get(id)
        if asked is not None and asked[0] == caller:
            return asyncio.shield(asked[1])  # one caller's end must not be another's
        answer = self._hall.loop.create_future()
        answer.set_result(self._known(id, caller))
        return answer

    def _known(self, id: str, caller: str) -> StartedTable:
        match = self._hall.matches.get(id)
        if match is not None and match.caller == caller and match.begun:
            return _started(match)
        message = "this engine plays it for another caller"
        return StartedTable(table=id, outcome=StartedTable.OUTCOME_IN_PLAY, message=message)

    async def _open_all(self, ids: Sequence[str], caller: str) -> None:
        """Every table's future gets its answer, or the exception, whatever happens."""
        try:
            answers = await self._claim_and_open(ids, caller)
        except Exception as error:  # noqa: BLE001  # belongs to those who asked
            for id in ids:
                future = self._asked.pop(id)[1]
                future.set_exception(error)
                future.exception()  # those who asked may be gone
            return
        for id, answer in zip(ids, answers, strict=True):
            self._asked.pop(id)[1].set_result(answer)

    async def _claim_and_open(self, ids: Sequence[str], caller: str) -> list[StartedTable]:
        hall = self._hall
        room = 0 if hall.draining else max(0, hall.settings.matches - len(hall.matches))
        claims = await self._claim(ids[:room])
        opened = [self._open(id, claim, caller) for id, claim in zip(ids[:room], claims, strict=True)]
        answers = list(await asyncio.gather(*opened))
        why = (
            "the engine is going down"
            if hall.draining
            else f"the engine plays {len(hall.matches)} matches, its limit"
        )
        return answers + [_busy(id, why) for id in ids[room:]]

    async def _claim(self, ids: Sequence[str]) -> list[tuple[Claim, Lease] | Refusal | Exception]:
        """All in one transaction; if one of them spoils it, each in its own."""
        try:
            return await self._claim_together(ids)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001  # answered for the table whose fault it is
            if len(ids) == 1:
                _log.error("claim_failed", table=ids[0], exc_info=error)
                return [error]
        return [claim for id in ids for claim in await self._claim([id])]

    async def _claim_together(self, ids: Sequence[str]) -> list[tuple[Claim, Lease] | Refusal | Exception]:
        if not ids:
            return []
        name, lease_ms = self._hall.name, self._hall.settings.lease_ms
        asked = time.monotonic()
        claims = await self._hall.writer.run(
            lambda tx: [tables.claim(tx, id, name, lease_ms, secrets.token_bytes(32)) for id in ids]
        )
        answered = time.monotonic()
        return [
            claim if isinstance(claim, Refusal) else (claim, _lease(claim, asked, answered, lease_ms))
            for claim in claims
        ]

    async def _open(
        self, id: str, claim: tuple[Claim, Lease] | Refusal | Exception, caller: str
    ) -> StartedTable:
        if isinstance(claim, Exception):
            return _busy(id, "the table could not be claimed through a fault of ours")
        if isinstance(claim, Refusal):
            outcome, message = _REFUSED[claim.state]
            return StartedTable(table=id, outcome=outcome, message=message)
        try:
            match = LiveMatch(self._hall, claim[0], claim[1], caller)
        except Exception as error:  # noqa: BLE001  # a game or config that this engine does not know
            return await self._spoilt(claim[0], claim[1], error)
        self._hall.add(match)
        _log.info("claimed", table=id, attempt=match.attempt, fence=match.fence, caller=caller)
        return await self._seat(match)

    async def _seat(self, match: LiveMatch) -> StartedTable:
        hall = self._hall
        remote = remote_seats(match.table.seats)
        missing = hall.guests.absent(remote, monotonic_ms())
        if missing is None and remote:
            missing = await self._ask(match)
        if missing is not None and match.phase is Phase.SEATING:
            await hall.undo(match, missing[1], hall.settings.seat_retry_ms)
            return StartedTable(
                table=match.id,
                outcome=StartedTable.OUTCOME_SEAT_ABSENT,
                absent_seat=missing[0],
                message=missing[1],
            )
        return self._begin(match)

    async def _ask(self, match: LiveMatch) -> tuple[int, str] | None:
        """Reserves the remote players' places and waits until all have accepted. None: they have."""
        hall = self._hall
        remote = [chair for chair in match.chairs if chair.remote]
        for chair in remote:
            hall.guests.hold(chair)
            guest = hall.guests.find(chair.player_id)
            if guest is not None and guest.stream is not None:
                hall.seat(chair, guest.stream)
        await asyncio.wait([match.seated], timeout=hall.settings.accept_ms / 1000)
        silent = [chair for chair in remote if not chair.accepted]
        if match.phase is Phase.SEATING:  # else it was taken away, and nobody is to blame
            for chair, *_ in by_player(silent):
                hall.fault(chair, f"match {match.id} was not accepted in {hall.settings.accept_ms} ms")
        if silent:
            return silent[0].seat, f"seat {silent[0].seat}: {silent[0].row.full_name} did not accept"
        return None

    def _begin(self, match: LiveMatch) -> StartedTable:
        hall = self._hall
        if match.phase is not Phase.SEATING:  # its lease was lost, or it was aborted, while it was asked for
            return _busy(match.id, "the table was taken away while its players were asked")
        try:
            match.begin(monotonic_ms(), hall.settings.match_wall_ms, hall.settings.accept_ms)
        except Exception as error:  # noqa: BLE001  # a fault in the rules must end this attempt only
            hall.blame(match, error)
            return _busy(match.id, "the rules could not begin this match; the operator sees why")
        key = (match.table.game, match.table.variant)
        hall.tallies.started[key] = hall.tallies.started.get(key, 0) + 1
        return _started(match)

    async def _spoilt(self, claim: Claim, lease: Lease, error: Exception) -> StartedTable:
        detail = f"this engine cannot play the table: {error}"
        count(self._hall.tallies.attempts, "engine")
        _log.error("table_unplayable", table=claim.table.id, exc_info=error)
        try:
            await self._hall.writer.insist(
                lambda tx: tables.fail(tx, claim.table.id, claim.fence, "engine", detail), lease
            )
        except LeaseOver:
            _log.warning("fail_given_up", table=claim.table.id)
        return _busy(claim.table.id, detail)


def _check(ids: Sequence[str], caller: str) -> None:
    if not 1 <= len(ids) <= MAX_TABLES:
        raise BadRequest(f"tables: {len(ids)} given; name 1 to {MAX_TABLES}")
    if not caller or len(caller) > 120:
        raise BadRequest("caller: give a name of 1 to 120 characters, the same when asking again")
    if any(not id or len(id) > 26 for id in ids):
        raise BadRequest("tables: an id has 1 to 26 characters")


def _lease(claim: Claim, asked: float, answered: float, lease_ms: int) -> Lease:
    lease = Lease(claim.table.id, claim.fence, 0.0, 0.0)
    lease.renew(asked, answered, lease_ms)
    return lease


def _started(match: LiveMatch) -> StartedTable:
    seats: list[Any] = [
        SeatToFill(
            seat=chair.seat,
            ticket=chair.ticket,
            program=chair.row.program,
            settings=orjson.dumps(chair.row.settings).decode(),
            version_id=chair.row.version_id,
        )
        for chair in match.chairs
        if not chair.remote
    ]
    return StartedTable(table=match.id, outcome=StartedTable.OUTCOME_STARTED, seats=seats)


def _busy(id: str, why: str) -> StartedTable:
    return StartedTable(table=id, outcome=StartedTable.OUTCOME_BUSY, message=why)
