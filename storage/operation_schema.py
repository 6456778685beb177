"""The operator's tables: what the invariants checker found last, and who did what by hand."""

from typing import Any

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Id


class Finding(Base):
    """How one promise of the data stood when it was last looked at; see ``storage.invariants``."""

    __tablename__ = "finding"
    promise: Mapped[str] = mapped_column(String(40), primary_key=True)
    broken: Mapped[int]  # how many rows break it
    examples: Mapped[list[Any]]  # some of their names
    looked_at: Mapped[int]


class OperatorAction(Base):
    """Something that an operator did by hand; append-only."""

    __tablename__ = "operator_action"
    __table_args__ = (Index("ix_operator_action_at", "at", "id"),)
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    at: Mapped[int]
    actor: Mapped[str] = mapped_column(String(120))  # the account and machine, or the token's owner
    action: Mapped[str] = mapped_column(String(60))  # token revoke, ladder pause
    subject: Mapped[str] = mapped_column(String(200))  # what it was done to
    detail: Mapped[dict[str, Any]]
