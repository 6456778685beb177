"""The ledger: per ladder, everything that moves a rating, in one order without gaps.

Places are taken under the ladder row's lock, in the transaction that commits the
entry, so that their order is the order of commits. Entries never change.

What ``content`` holds, by kind:

``result``        ``{"table", "seats": [{"player_id", "version", "placement"}, …]}`` in seat order
``new_version``   ``{"player_id", "version"}``
``season_reset``  ``{"keep_permille"}``: how much of each mean's distance from the start is kept
``correction``    what takes the place of the superseded entry's content; ``{"void": true}``: nothing
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from . import jobs
from .database import now_ms
from .errors import Conflict, Invalid, NotFound, found
from .inserting import table_of
from .schema import Ladder, LedgerEntry

RESULT, NEW_VERSION, SEASON_RESET, CORRECTION = "result", "new_version", "season_reset", "correction"


@dataclass(frozen=True, slots=True)
class NewEntry:
    kind: str
    content: dict[str, Any]
    table_id: str | None = None
    supersedes: int | None = None


@dataclass(frozen=True, slots=True)
class EntryRow:
    """``at``: ms since 1970. ``supersedes``: the place that a correction corrects."""

    place: int
    kind: str
    table_id: str | None
    supersedes: int | None
    content: dict[str, Any]
    at: int


def append(tx: Session, ladder_id: int, entries: Sequence[NewEntry]) -> int:
    """Appends entries in this order and adds the fold job. Returns the first one's place.

    Holds the ladder row's lock until the transaction ends. Conflict if a table has
    an entry already, Invalid or NotFound for a correction that corrects nothing.
    """
    first = _take_places(tx, ladder_id, len(entries))
    for entry in entries:
        _check_supersedes(tx, ladder_id, first, entry)
    now = now_ms(tx)
    tx.execute(
        table_of(LedgerEntry).insert(), [_values(ladder_id, first + i, e, now) for i, e in enumerate(entries)]
    )
    jobs.add(tx, jobs.FOLD, ladder_id)
    return first


def entries(tx: Session, ladder_id: int, from_place: int, limit: int) -> list[EntryRow]:
    """Up to ``limit`` entries from that place on, in order."""
    where = (LedgerEntry.ladder_id == ladder_id, LedgerEntry.place >= from_place)
    rows = tx.execute(_select().where(*where).order_by(LedgerEntry.place).limit(limit))
    return [EntryRow(*row) for row in rows]


def entries_at(tx: Session, ladder_id: int, places: Any) -> list[EntryRow]:
    """The entries at those places: a sequence of them, or a select that gives them."""
    where = (LedgerEntry.ladder_id == ladder_id, LedgerEntry.place.in_(places))
    return [EntryRow(*row) for row in tx.execute(_select().where(*where).order_by(LedgerEntry.place))]


def of_table(tx: Session, ladder_id: int, table_id: str) -> EntryRow | None:
    """The entry that a table's result made; None if it made none."""
    where = (LedgerEntry.ladder_id == ladder_id, LedgerEntry.table_id == table_id, LedgerEntry.kind == RESULT)
    row = tx.execute(_select().where(*where)).first()
    return None if row is None else EntryRow(*row)


def corrections(tx: Session, ladder_id: int, below: int) -> list[EntryRow]:
    """The ladder's corrections with a place below that, in order; usually few."""
    where = (
        LedgerEntry.ladder_id == ladder_id,
        LedgerEntry.supersedes.is_not(None),
        LedgerEntry.place < below,
    )
    return [EntryRow(*row) for row in tx.execute(_select().where(*where).order_by(LedgerEntry.place))]


def progress(tx: Session, ladder_id: int) -> tuple[int, int]:
    """The ladder's folded place and its next place: equal when the ratings hold everything."""
    row = found(
        tx.execute(select(Ladder.folded_place, Ladder.next_place).where(Ladder.id == ladder_id)).first(),
        f"there is no ladder {ladder_id}",
    )
    return row[0], row[1]


def lock(tx: Session, ladder_ids: Sequence[int]) -> None:
    """Takes the ladder rows' locks, always in the same order, so that nobody waits in a circle."""
    if ladder_ids:
        statement = select(Ladder.id).where(Ladder.id.in_(ladder_ids)).order_by(Ladder.id)
        tx.execute(statement.with_for_update()).all()


def _take_places(tx: Session, ladder_id: int, count: int) -> int:
    taken = update(Ladder).where(Ladder.id == ladder_id).values(next_place=Ladder.next_place + count)
    following = found(
        tx.execute(taken.returning(Ladder.next_place)).scalar(), f"there is no ladder {ladder_id}"
    )
    return following - count


def _check_supersedes(tx: Session, ladder_id: int, first: int, entry: NewEntry) -> None:
    if (entry.kind == CORRECTION) != (entry.supersedes is not None):
        raise Invalid("a correction, and nothing else, names the place that it supersedes")
    if entry.supersedes is None:
        return
    where = (LedgerEntry.ladder_id == ladder_id, LedgerEntry.place == entry.supersedes)
    kind = tx.execute(select(LedgerEntry.kind).where(*where)).scalar()
    if kind is None or entry.supersedes >= first:
        raise NotFound(f"ladder {ladder_id} has no earlier entry at place {entry.supersedes} to correct")
    if kind == CORRECTION:
        raise Conflict(
            f"place {entry.supersedes} is a correction itself; correct the place that it supersedes"
        )


def _values(ladder_id: int, place: int, entry: NewEntry, now: int) -> dict[str, Any]:
    return {
        "ladder_id": ladder_id,
        "place": place,
        "kind": entry.kind,
        "table_id": entry.table_id,
        "supersedes": entry.supersedes,
        "content": entry.content,
        "at": now,
    }


def _select() -> Any:
    return select(
        LedgerEntry.place,
        LedgerEntry.kind,
        LedgerEntry.table_id,
        LedgerEntry.supersedes,
        LedgerEntry.content,
        LedgerEntry.at,
    )


def count(tx: Session, ladder_id: int) -> int:
    """How many entries there are; equals the next place, or the ledger has a gap."""
    where = LedgerEntry.ladder_id == ladder_id
    return tx.execute(select(func.count()).select_from(LedgerEntry).where(where)).scalar_one()
