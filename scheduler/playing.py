"""Playing tables: the engine is asked to start them, and the seats of our bots are filled on one stream."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import grpc
import orjson

from bot_runner.runner import Runner
from engine_service.v1.match_pb2 import StartedTable, StartRequest
from engine_service.v1.match_pb2_grpc import MatchServiceStub
from mamenoki.sdk.bridge import fill
from mamenoki.sdk.errors import HostFault, Refused
from mamenoki.sdk.tickets import FillReport, SeatTicket
from mamenoki.sdk.wire import bearer
from scheduler.casting import Casting
from scheduler.settings import SchedulerSettings
from service.logging import get
from storage import events, tables
from storage.database import Database

ABSENT = "absent: a seat had nobody"
AWAY = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED}
)
_log = get("scheduler")


class Means(Protocol):
    """What playing takes; a worker's runtime has it."""

    @property
    def settings(self) -> SchedulerSettings: ...
    @property
    def database(self) -> Database: ...
    @property
    def channel(self) -> grpc.aio.Channel: ...
    @property
    def token(self) -> str: ...
    @property
    def runner(self) -> Runner | None: ...


@dataclass(slots=True)
class Report:
    """What came of a batch. ``outcomes``: tables by how the engine answered; ``away``: it could not be had."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)  # ended, lost, crashed
    moves: int = 0
    away: bool = False
    fault: str = ""  # why this machine could not run an uploaded bot; its attempt is ended at nobody's cost
    seconds: float = 0.0  # with the engine: all that is not ours


async def play(means: Means, ids: Sequence[str], caller: str) -> Report:
    """Start those tables and fill the seats of our bots, and of uploaded ones, to the end.

    Safe twice: a table is started once, and who asks again under the same ``caller`` goes on
    with the same matches. An engine that cannot be had is no error: the dispatcher sends again.
    """
    report = Report()
    began = time.monotonic()
    try:
        started = await _start(means, ids, caller)
        _note(means, started, report)
        seats = [seat for table in started for seat in _to_fill(table)]
        if seats:
            await _fill(means, seats, caller, report)
    except (grpc.aio.AioRpcError, Refused) as error:
        if not _is_away(error):
            raise
        report.away = True
        _log.warning("engine_away", address=means.settings.internal_address, why=str(error)[:200])
    report.seconds = time.monotonic() - began
    return report


async def _fill(means: Means, seats: Sequence[SeatTicket], caller: str, report: Report) -> None:
    casting = Casting(means)
    try:
        _count(await fill(means.channel, means.token, seats, casting.make, name=caller), casting, report)
    except (HostFault, OSError) as fault:
        report.fault = f"{type(fault).__name__}: {fault}"
        _log.error("host_fault", why=report.fault, tables=sorted({seat.match for seat in seats}))
    finally:
        await casting.close()


async def _start(means: Means, ids: Sequence[str], caller: str) -> list[StartedTable]:
    request = StartRequest(tables=ids, caller=caller)
    response = await MatchServiceStub(means.channel).Start(
        request, metadata=bearer(means.token), timeout=means.settings.start_ms / 1000
    )
    return list(response.tables)


def _note(means: Means, started: Sequence[StartedTable], report: Report) -> None:
    for table in started:
        report.outcomes[StartedTable.Outcome.Name(table.outcome).removeprefix("OUTCOME_").lower()] += 1
        if table.outcome == StartedTable.OUTCOME_SEAT_ABSENT:
            _give_up(means, table)
        elif table.outcome == StartedTable.OUTCOME_BUSY:
            _log.info("engine_busy", table=table.table, why=table.message)


def _give_up(means: Means, table: StartedTable) -> None:
    """A ladder's table without one of its players is void, and the others are planned anew; a league's
    waits, until its round's time is over, and an event's, until its stage's."""
    with means.database.transaction() as tx:
        row = tables.find(tx, table.table)
        waits = row.round_id is not None or events.is_of_event(tx, table.table)
        if not waits and row.state == tables.PLANNED:
            tables.void(tx, table.table, ABSENT)
    _log.info("seat_absent", table=table.table, seat=table.absent_seat, why=table.message)


def _to_fill(table: StartedTable) -> list[SeatTicket]:
    return [
        SeatTicket(table.table, seat.seat, seat.ticket, seat.program, orjson.loads(seat.settings or "{}"))
        for seat in table.seats
    ]


def _count(filled: FillReport, casting: Casting, report: Report) -> None:
    report.moves = filled.moves
    report.seats.update(ended=len(filled.ended), lost=len(filled.lost), crashed=len(filled.crashed))
    for (match, seat), trace in filled.crashed.items():
        if casting.is_uploaded((match, seat)):
            _log.info("uploaded_bot_ended", table=match, seat=seat)  # how is for its owner alone
        else:
            _log.error("house_bot_crashed", table=match, seat=seat, trace=trace)
    if filled.lost:
        (match, seat), why = next(iter(filled.lost.items()))
        _log.warning("seats_lost", seats=len(filled.lost), first_table=match, first_seat=seat, why=why)


def _is_away(error: grpc.aio.AioRpcError | Refused) -> bool:
    return isinstance(error, grpc.aio.AioRpcError) and error.code() in AWAY
