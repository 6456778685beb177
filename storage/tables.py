"""Tables from plan to result: planned, sent, claimed, and ended once.

A table is claimed under a lease; each claim raises its fence, and whatever is
written about it afterwards names that fence: an overtaken writer writes nothing.
Every function here may be repeated blindly. The claims are in ``leases``, the
results in ``finishing``, planning in
``new_tables``; this module gives all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import case, exists, func, not_, or_, select, update
from sqlalchemy.orm import Session

from .database import now_ms
from .errors import found
from .finishing import Finished, finish, void, void_unplayed
from .leases import DEALT_ANEW, Claim, Refusal, claim, fail, heartbeat, unclaim
from .new_tables import NewTable, plan
from .rows import DONE, PLANNED, RUNNING, VOID, SeatRow, TableRow, deal_is_open, seats_of, table_row
from .schema import Attempt, GameTable, Player, TableSeat

__all__ = [
    "DEALT_ANEW",
    "DONE",
    "PLANNED",
    "RUNNING",
    "VOID",
    "AttemptRow",
    "Backlog",
    "Claim",
    "DueTable",
    "Finished",
    "NewTable",
    "Refusal",
    "SeatRow",
    "TableRow",
    "attempts",
    "backlog",
    "claim",
    "due",
    "fail",
    "find",
    "finish",
    "heartbeat",
    "mark_sent",
    "plan",
    "unclaim",
    "void",
    "void_unplayed",
]


@dataclass(frozen=True, slots=True)
class DueTable:
    """``attempt``: tries so far. ``kinds``: of its players, seat 0 first. ``waited_ms``: since it was due."""

    id: str
    attempt: int
    kinds: tuple[str, ...]
    waited_ms: int


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """How a try that was not the result ended. ``cause``: lease, bridge, engine, abort, seats."""

    table_id: str
    fence: int
    attempt: int
    cause: str
    detail: str
    ended_at: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """``waiting``: planned and due. ``oldest_ms``: how long the longest of them has waited; 0: none."""

    planned: int
    waiting: int
    running: int
    oldest_ms: int


def due(tx: Session, limit: int, resend_after_ms: int) -> list[DueTable]:
    """Tables to send, longest waiting first.

    Planned ones whose time has come, never sent or sent that long ago; and running
    ones whose lease has run out and that were not sent again since. Never one at which a
    person sits: whoever seated the person begins it.
    """
    now = now_ms(tx)
    rows = [
        *tx.execute(_due_planned(now, limit, resend_after_ms)),
        *tx.execute(_due_running(now, limit, resend_after_ms)),
    ]
    rows = sorted(rows, key=lambda row: (row.since, row.id))[:limit]
    seats = seats_of(tx, [row.id for row in rows])
    return [
        DueTable(row.id, row.attempt, tuple(s.kind for s in seats[row.id]), now - row.since) for row in rows
    ]


def mark_sent(tx: Session, ids: Sequence[str]) -> None:
    """Holds tables back from :func:`due` for its resend time.

    One that somebody holds is left out: it is being claimed, or is about to end.
    """
    if ids:
        free = select(GameTable.id).where(GameTable.id.in_(ids)).with_for_update(skip_locked=True)
        locked = tx.execute(free).scalars().all()
        tx.execute(update(GameTable).where(GameTable.id.in_(locked)).values(sent_at=now_ms(tx)))


def find(tx: Session, table_id: str) -> TableRow:
    """A table; its seed only once every table on its deal has ended. NotFound if there is none."""
    table = found(tx.get(GameTable, table_id, populate_existing=True), f"there is no table {table_id!r}")
    return table_row(tx, table, table.seed if deal_is_open(tx, table.commitment) else None)


def attempts(tx: Session, table_id: str) -> list[AttemptRow]:
    """The tries at a table that came to nothing, in order."""
    rows = tx.execute(select(Attempt).where(Attempt.table_id == table_id).order_by(Attempt.fence)).scalars()
    return [AttemptRow(a.table_id, a.fence, a.attempt, a.cause, a.detail, a.ended_at) for a in rows]


def backlog(tx: Session) -> Backlog:
    """How much is planned and running, for the metrics."""
    now = now_ms(tx)
    counts = select(GameTable.state, func.count()).where(GameTable.state.in_((PLANNED, RUNNING)))
    by_state = {row[0]: row[1] for row in tx.execute(counts.group_by(GameTable.state))}
    where = (GameTable.state == PLANNED, GameTable.not_before <= now)
    oldest = select(func.count(), func.min(_since())).where(*where)
    waiting, since = tx.execute(oldest).one()
    return Backlog(by_state.get(PLANNED, 0), waiting, by_state.get(RUNNING, 0), now - since if waiting else 0)


def with_person() -> Any:
    """Whether a person sits at a table, as a condition on ``GameTable``."""
    seats = (TableSeat.table_id == GameTable.id, TableSeat.player_id == Player.id, Player.kind == "person")
    return exists().where(*seats)


def _since() -> Any:
    """When a planned table became due: the later of its two times."""
    later = GameTable.not_before > GameTable.planned_at
    return case((later, GameTable.not_before), else_=GameTable.planned_at)


def _due_planned(now: int, limit: int, resend_after_ms: int) -> Any:
    unsent = or_(GameTable.sent_at.is_(None), GameTable.sent_at <= now - resend_after_ms)
    where = (GameTable.state == PLANNED, GameTable.not_before <= now, unsent)
    return _select_due(_since()).where(*where).order_by(GameTable.not_before, GameTable.id).limit(limit)


def _due_running(now: int, limit: int, resend_after_ms: int) -> Any:
    unsent = or_(
        GameTable.sent_at.is_(None),
        GameTable.sent_at <= GameTable.lease_until,
        GameTable.sent_at <= now - resend_after_ms,
    )
    where = (GameTable.state == RUNNING, GameTable.lease_until <= now, unsent)
    statement = _select_due(GameTable.lease_until).where(*where)
    return statement.order_by(GameTable.lease_until, GameTable.id).limit(limit)


def _select_due(since: Any) -> Any:
    return select(GameTable.id, GameTable.attempt, since.label("since")).where(not_(with_person()))
