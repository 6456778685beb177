"""What was submitted, and what became of it; ``schema`` gives the tables with the others."""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Id


class Submission(Base):
    """An uploaded version: the request it came with, its bundle, and the state of its life.

    ``digest`` null: its bundle has been deleted. ``faults``: in a row.
    """

    __tablename__ = "submission"
    __table_args__ = (
        CheckConstraint(
            "state in ('received', 'checked', 'qualifying', 'active', 'refused', 'benched', 'retired')",
            name="state",
        ),
        Index("ix_submission_state", "state", "changed_at"),
        Index("ix_submission_owner", "owner_id", "submitted_at"),
    )
    version_id: Mapped[int] = mapped_column(ForeignKey("player_version.id"), primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    digest: Mapped[str | None] = mapped_column(ForeignKey("bundle.digest"), index=True)
    size: Mapped[int]  # bytes of the archive
    language: Mapped[str] = mapped_column(String(20))
    games: Mapped[list[Any]]
    state: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str] = mapped_column(Text)
    level: Mapped[str] = mapped_column(String(40))  # of the sandbox that it qualified in
    table_id: Mapped[str | None] = mapped_column(String(26))  # the table that decided its state
    faults: Mapped[int] = mapped_column(default=0)
    submitted_at: Mapped[int]
    changed_at: Mapped[int]


class SubmissionRequest(Base):
    """An upload that was taken, under the id that its sender gave it: sent again, it is answered, not stored."""

    __tablename__ = "submission_request"
    __table_args__ = (UniqueConstraint("owner_id", "request_id"),)
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    request_id: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(64))
    version_id: Mapped[int] = mapped_column(ForeignKey("player_version.id"))
    at: Mapped[int]


class SubmissionStep(Base):
    """One change of a version's state."""

    __tablename__ = "submission_step"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("player_version.id"), index=True)
    state: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[int]
