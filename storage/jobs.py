"""Follow-up jobs: written in the transaction that makes them due, sent by the dispatcher.

A task that is done with a job deletes it **by the id it was sent with**. Adding a
job that is there already gives it a new id, so what was added while the task ran
is kept and sent again: a wake-up is never lost, at worst it comes twice.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete as sql_delete
from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from .database import now_ms
from .inserting import insert
from .schema import Job

FOLD = "fold"
"""Key: a ladder's id. Its ledger has entries that are not in the ratings."""

EVENT = "event"
"""Key: an event's id. One of its tables has ended, or it was moved on."""

ROUND = "round"
"""Key: a league round's id. Its last table has ended."""

WEBHOOK = "webhook"
"""Key: a webhook's id. It is to be told something."""


@dataclass(frozen=True, slots=True)
class JobRow:
    """``waited_ms``: since it was first added, or since its ``not_before``, the later."""

    id: int
    kind: str
    key: str
    waited_ms: int


def add(tx: Session, kind: str, key: str | int, not_before: int = 0) -> None:
    """Adds a job, or freshens the one of that kind and key. ``not_before``: ms since 1970."""
    statement = insert(tx, Job).values(
        id=secrets.randbits(53), kind=kind, key=str(key), not_before=not_before, created_at=now_ms(tx)
    )
    fresh = {"id": statement.excluded.id, "not_before": not_before, "sent_at": None}
    tx.execute(statement.on_conflict_do_update(index_elements=["kind", "key"], set_=fresh))


def due(tx: Session, limit: int, resend_after_ms: int) -> list[JobRow]:
    """Jobs whose time has come and that were never sent, or sent so long ago; oldest first."""
    now = now_ms(tx)
    unsent = or_(Job.sent_at.is_(None), Job.sent_at <= now - resend_after_ms)
    statement = select(Job).where(Job.not_before <= now, unsent).order_by(Job.created_at, Job.id).limit(limit)
    return [_row(job, now) for job in tx.execute(statement).scalars()]


def mark_sent(tx: Session, ids: Sequence[int]) -> None:
    """Holds jobs back from :func:`due` for its resend time.

    One that somebody holds is left out: it is being done, or added again under another id.
    """
    if ids:
        free = select(Job.id).where(Job.id.in_(ids)).with_for_update(skip_locked=True)
        found = tx.execute(free).scalars().all()
        tx.execute(update(Job).where(Job.id.in_(found)).values(sent_at=now_ms(tx)))


def find(tx: Session, job_id: int) -> JobRow | None:
    """The job of that id; None if it is done, or was added again since and has another id."""
    job = tx.get(Job, job_id)
    return None if job is None else _row(job, now_ms(tx))


def delete(tx: Session, job_id: int) -> bool:
    """Ends a job. False, harmlessly, if it is gone or was added again since it was sent."""
    gone = tx.execute(sql_delete(Job).where(Job.id == job_id).returning(Job.id))
    return gone.first() is not None


def _row(job: Job, now: int) -> JobRow:
    return JobRow(job.id, job.kind, job.key, now - max(job.created_at, job.not_before))
