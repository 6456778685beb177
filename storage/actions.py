"""The audit log: what operators did by hand, written in the transaction that does it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from .database import now_ms
from .schema import OperatorAction

ACTOR, SUBJECT = 120, 200


@dataclass(frozen=True, slots=True)
class ActionRow:
    """``at``: ms since 1970. ``actor``: who, as far as the machine knows. ``subject``: what it was done to."""

    id: int
    at: int
    actor: str
    action: str
    subject: str
    detail: dict[str, Any]


def record(tx: Session, actor: str, action: str, subject: str, **detail: Any) -> None:
    """Adds an entry; it stands if and only if the transaction does. Never a secret in ``detail``."""
    tx.add(
        OperatorAction(
            at=now_ms(tx), actor=actor[:ACTOR], action=action, subject=subject[:SUBJECT], detail=detail
        )
    )
    tx.flush()


def recent(tx: Session, limit: int, before: int | None = None) -> list[ActionRow]:
    """The latest entries, newest first; ``before``: only those with a lower id."""
    statement = select(OperatorAction).order_by(OperatorAction.id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(OperatorAction.id < before)
    rows = tx.execute(statement).scalars()
    return [ActionRow(row.id, row.at, row.actor, row.action, row.subject, dict(row.detail)) for row in rows]
