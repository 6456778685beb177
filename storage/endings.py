"""What follows from the end of a table: its set may be over, and its league round."""

from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from . import jobs
from .rows import PLANNED, RUNNING, VOID
from .schema import EventTable, GameTable, LeagueRound
from .set_endings import close_sets, enter


def end_as_void(tx: Session, table: GameTable, reason: str, now: int) -> None:
    """Ends a locked table without a result, out of reach of whoever had claimed it."""
    table.fence += 1
    mark_void(table, reason, now)
    tx.flush()
    closed = close_sets(tx, [table.id], now)
    follow_rounds(tx, [table.round_id])
    follow_events(tx, [table.id])
    enter(tx, closed)


def mark_void(table: GameTable, reason: str, now: int) -> None:
    table.state = VOID
    table.void_reason = reason
    table.ended_at = now
    table.lease_owner = None
    table.lease_until = None


def follow_rounds(tx: Session, round_ids: Iterable[int | None]) -> None:
    """Adds the job of each of those rounds that has no table left to end.

    Under the round rows' locks: two transactions that each end one of the last two
    tables would otherwise both see the other's still running.
    """
    ids = {id for id in round_ids if id is not None}
    if not ids:
        return
    locked = select(LeagueRound.id).where(LeagueRound.id.in_(ids)).order_by(LeagueRound.id).with_for_update()
    for round_id in tx.execute(locked).scalars().all():
        if not has_open_table(tx, round_id):
            jobs.add(tx, jobs.ROUND, round_id)


def follow_events(tx: Session, table_ids: Sequence[str]) -> None:
    """Adds the job of each event to which one of those tables belongs. No lock is needed: the job
    looks at all that has ended when it is done, and is added again under another id meanwhile."""
    if table_ids:
        statement = select(EventTable.event_id).where(EventTable.table_id.in_(table_ids)).distinct()
        for event_id in sorted(tx.execute(statement).scalars()):
            jobs.add(tx, jobs.EVENT, event_id)


def has_open_table(tx: Session, round_id: int) -> bool:
    """Has the round a table that is planned or running?"""
    where = (GameTable.round_id == round_id, GameTable.state.in_((PLANNED, RUNNING)))
    return tx.execute(select(GameTable.id).where(*where).limit(1)).first() is not None
