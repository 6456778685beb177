"""Uploaded bundles by their digests, and the reports of the seats that their bots sat at."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete as sql_delete
from sqlalchemy import select
from sqlalchemy.orm import Session

from .bundle_schema import Bundle, SeatReport
from .database import now_ms
from .errors import found
from .inserting import insert, insert_new

BUNDLE = "bundle:"
"""What the program of an uploaded version begins with; its bundle's digest follows."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """How an uploaded bot did at one seat in one attempt.

    ``level``: of its sandbox. ``cause``: how it ended before its match did, None if it did not; ``why``
    says it in words; ``code`` or ``signal`` is set if it ended by itself. ``stderr``: its log, capped
    and escaped by whoever ran it. ``times``: (decision, microseconds) for each answer.
    """

    table_id: str
    attempt: int
    seat: int
    level: str
    cause: str | None
    why: str
    code: int | None
    signal: int | None
    stderr: str
    times: Sequence[tuple[int, int]]


def address_of(data: bytes) -> str:
    """The digest under which an archive is kept."""
    return hashlib.sha256(data).hexdigest()


def store(tx: Session, data: bytes) -> str:
    """Keeps an archive; its digest. The same bytes are kept once."""
    digest = address_of(data)
    insert_new(tx, Bundle, digest=digest, data=data, stored_at=now_ms(tx))
    return digest


def data(tx: Session, digest: str) -> bytes:
    """A stored archive. NotFound if there is none."""
    row = tx.execute(select(Bundle.data).where(Bundle.digest == digest)).scalar_one_or_none()
    return found(row, f"there is no bundle {digest[:12]}…")


def delete(tx: Session, digests: Sequence[str], kept: Any) -> None:
    """Takes archives away, but for those that ``kept``, a select of digests, gives."""
    tx.execute(sql_delete(Bundle).where(Bundle.digest.in_(digests), Bundle.digest.not_in(kept)))


def program_of(digest: str) -> str:
    """The program of a version whose bot is that bundle's."""
    return BUNDLE + digest


def digest_of(program: str) -> str | None:
    """The bundle of a version's program; None if it is a house bot's."""
    return program.removeprefix(BUNDLE) if program.startswith(BUNDLE) else None


def report(tx: Session, rows: Sequence[ReportRow]) -> None:
    """Writes reports down; one that is there for the same seat and attempt is replaced."""
    for row in rows:
        values = {
            "level": row.level,
            "cause": row.cause,
            "why": row.why,
            "code": row.code,
            "signal": row.signal,
            "stderr": row.stderr,
            "times": [list(one) for one in row.times],
            "at": now_ms(tx),
        }
        key = {"table_id": row.table_id, "attempt": row.attempt, "seat": row.seat}
        statement = insert(tx, SeatReport).values(**key, **values)
        tx.execute(statement.on_conflict_do_update(index_elements=list(key), set_=values))


def reports(tx: Session, table_id: str) -> list[ReportRow]:
    """All reports of a table, by attempt and seat."""
    rows = select(SeatReport).where(SeatReport.table_id == table_id)
    ordered = rows.order_by(SeatReport.attempt, SeatReport.seat)
    return [row_of(row) for row in tx.execute(ordered).scalars()]


def row_of(row: SeatReport) -> ReportRow:
    """A stored report as callers see it."""
    times = [(decision, us) for decision, us in row.times]
    return ReportRow(
        row.table_id, row.attempt, row.seat, row.level, row.cause, row.why, row.code, row.signal,
        row.stderr, times,
    )  # fmt: skip
