"""Uploaded bundles, and what their bots did at each table."""

from typing import Any

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class Bundle(Base):
    """An uploaded archive under the SHA-256 of its bytes; it never changes."""

    __tablename__ = "bundle"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    data: Mapped[bytes]
    stored_at: Mapped[int]


class SeatReport(Base):
    """How an uploaded bot did at one seat in one attempt: for its owner alone."""

    __tablename__ = "seat_report"
    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    level: Mapped[str] = mapped_column(String(20))  # of the sandbox: namespaces+user
    cause: Mapped[str | None] = mapped_column(String(20))  # how it ended before its match did
    why: Mapped[str] = mapped_column(Text)
    code: Mapped[int | None]
    signal: Mapped[int | None]
    stderr: Mapped[str] = mapped_column(Text)
    times: Mapped[list[Any]]  # [decision, microseconds]
    at: Mapped[int]
