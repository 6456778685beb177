"""What an owner's uploads may take, and what is left of it."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from .database import now_ms
from .errors import Full
from .schema import Submission, SubmissionStep

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Quota:
    """``stored_bytes``: of all the archives an owner keeps here. ``daily``: uploads taken in 24 hours."""

    stored_bytes: int
    daily: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What an owner has of its quota. ``next_at``: ms since 1970 when there is one more upload; None: now."""

    stored_bytes: int
    today: int
    next_at: int | None


def usage(tx: Session, owner_id: int, quota: Quota) -> Usage:
    """What the owner has taken now. An upload that was answered with the version that was there is none."""
    stored = select(func.coalesce(func.sum(Submission.size), 0))
    kept = stored.where(Submission.owner_id == owner_id, Submission.digest.is_not(None))
    since = now_ms(tx) - DAY_MS
    received = (
        select(SubmissionStep.at)
        .join(Submission, Submission.version_id == SubmissionStep.version_id)
        .where(Submission.owner_id == owner_id, SubmissionStep.state == "received", SubmissionStep.at > since)
        .order_by(SubmissionStep.at)
    )
    times = tx.execute(received).scalars().all()
    next_at = times[-quota.daily] + DAY_MS if len(times) >= quota.daily else None
    return Usage(int(tx.execute(kept).scalar_one()), len(times), next_at)


def check_quota(tx: Session, owner_id: int, size: int, quota: Quota) -> None:
    """Full, with what is left and when there is more, if an archive of ``size`` bytes is beyond it.

    Whoever counts on it holds the owner's row (``bounds.lock_owner``).
    """
    have = usage(tx, owner_id, quota)
    left = quota.stored_bytes - have.stored_bytes
    if have.next_at is not None:
        wait = max(1, -(-(have.next_at - now_ms(tx)) // 60_000))
        raise Full(
            f"{have.today} uploads in the last 24 hours, and {quota.daily} are allowed: the next one is taken "
            f"in {wait} minutes; {max(0, left)} of {quota.stored_bytes} bytes are left to them"
        )
    if size > left:
        raise Full(
            f"this bundle has {size} bytes, and {max(0, left)} of {quota.stored_bytes} are left to its owner: "
            f"delete a bot or make the bundle smaller; {quota.daily - have.today} uploads are left today"
        )
