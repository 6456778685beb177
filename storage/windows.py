"""Periodic jobs: each window of each job is done once, however many schedulers tick."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from .database import now_ms
from .inserting import insert_new
from .schema import Window


def once(tx: Session, job: str, start_ms: int) -> bool:
    """True for the one caller that got this window of this job.

    Do the work in the same transaction: if it is rolled back, the window is free again.
    """
    return insert_new(tx, Window, job=job, start=start_ms, done_at=now_ms(tx))


def forget(tx: Session, job: str, before_ms: int) -> None:
    """Deletes windows that began before then; the caller never asks for them again."""
    tx.execute(delete(Window).where(Window.job == job, Window.start < before_ms))
