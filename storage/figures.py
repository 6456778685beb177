"""Counts for the scheduler and its metrics, straight from the tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from .ledger import RESULT
from .rows import PLANNED, VOID
from .schema import Attempt, GameTable, Job, LedgerEntry


@dataclass(frozen=True, slots=True)
class Faults:
    """``attempts``: tries that came to nothing, by cause; ``voids``: tables without a result, by reason."""

    attempts: dict[str, int]
    voids: dict[str, int]


def faults(tx: Session) -> Faults:
    """Counted anew at every call; the causes and reasons are few and ours."""
    attempts = select(Attempt.cause, func.count()).group_by(Attempt.cause)
    voids = select(GameTable.void_reason, func.count()).where(GameTable.state == VOID)
    reasons = tx.execute(voids.group_by(GameTable.void_reason))
    return Faults(_counted(tx.execute(attempts)), _counted(reasons))


def jobs_waiting(tx: Session) -> dict[str, int]:
    """Follow-up jobs that are not done, by kind."""
    return _counted(tx.execute(select(Job.kind, func.count()).group_by(Job.kind)))


def absent_of_round(tx: Session, round_id: int) -> list[str]:
    """The round's tables that wait because a seat of theirs was found empty, by id."""
    missed = select(Attempt.table_id).where(Attempt.cause == "seats")
    where = (GameTable.round_id == round_id, GameTable.state == PLANNED, GameTable.id.in_(missed))
    return list(tx.execute(select(GameTable.id).where(*where).order_by(GameTable.id)).scalars())


def tables_of_round(tx: Session, round_id: int) -> dict[str, int]:
    """How many of a round's tables are in each state."""
    counted = select(GameTable.state, func.count()).where(GameTable.round_id == round_id)
    return dict(tx.execute(counted.group_by(GameTable.state)).all())


def states_of_planned(tx: Session, since: int, until: int) -> dict[str, int]:
    """The tables planned from ``since`` to ``until`` (ms since 1970, both included), by state."""
    planned = GameTable.planned_at.between(since, until)
    return _counted(
        tx.execute(select(GameTable.state, func.count()).where(planned).group_by(GameTable.state))
    )


def ended_since(tx: Session, since: int) -> int:
    """How many tables have ended from then on."""
    return tx.execute(
        select(func.count()).select_from(GameTable).where(GameTable.ended_at >= since)
    ).scalar_one()


def faults_since(tx: Session, since: int) -> Faults:
    """As :func:`faults`, of what ended from then on."""
    attempts = select(Attempt.cause, func.count()).where(Attempt.ended_at >= since).group_by(Attempt.cause)
    voids = select(GameTable.void_reason, func.count()).where(GameTable.state == VOID)
    reasons = tx.execute(voids.where(GameTable.ended_at >= since).group_by(GameTable.void_reason))
    return Faults(_counted(tx.execute(attempts)), _counted(reasons))


def rated_twice(tx: Session) -> int:
    """How many tables stand in ledgers more than once; the service promises none."""
    entries = select(LedgerEntry.table_id).where(LedgerEntry.kind == RESULT).group_by(LedgerEntry.table_id)
    several = entries.having(func.count() > 1).subquery()
    return tx.execute(select(func.count()).select_from(several)).scalar_one()


def some_tables(tx: Session, limit: int) -> list[str]:
    """The latest tables, whatever their state."""
    latest = select(GameTable.id).order_by(GameTable.planned_at.desc(), GameTable.id.desc()).limit(limit)
    return list(tx.execute(latest).scalars())


def _counted(rows: Iterable[Any]) -> dict[str, int]:
    return {key or "": count for key, count in rows}
