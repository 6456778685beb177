"""What the invariants checker found last, kept for the metrics and the operator."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from .database import now_ms
from .inserting import table_of
from .invariants import Broken
from .schema import Finding


@dataclass(frozen=True, slots=True)
class FindingRow:
    """``looked_at``: ms since 1970; ``age_ms`` since then, by the database's clock."""

    promise: str
    broken: int
    examples: tuple[str, ...]
    looked_at: int
    age_ms: int


def keep(tx: Session, found: Iterable[Broken]) -> None:
    """Writes what was found in place of what had been found before."""
    now = now_ms(tx)
    rows = [
        {"promise": one.promise, "broken": one.count, "examples": list(one.examples), "looked_at": now}
        for one in found
    ]
    tx.execute(delete(Finding))
    tx.execute(table_of(Finding).insert(), rows)


def latest(tx: Session) -> list[FindingRow]:
    """What was found last, by promise; empty before the first look."""
    now = now_ms(tx)
    rows = tx.execute(select(Finding).order_by(Finding.promise)).scalars()
    return [
        FindingRow(row.promise, row.broken, tuple(row.examples), row.looked_at, now - row.looked_at)
        for row in rows
    ]
