"""Tables at which an uploaded version shows whether it can play, and those that came to nothing with it."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from .rows import DONE, VOID
from .schema import GameTable, TableSeat


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial table of a version. ``ended_at``: ms since 1970; ``seat``: the version's."""

    table_id: str
    seat: int
    game: str
    variant: str
    state: str
    ended_at: int | None
    void_reason: str | None


def of_version(tx: Session, version_id: int, since: int) -> list[TrialRow]:
    """The version's tables of no ladder that were planned since then (ms), oldest first."""
    columns = (
        GameTable.id, TableSeat.seat, GameTable.game, GameTable.variant, GameTable.state,
        GameTable.ended_at, GameTable.void_reason,
    )  # fmt: skip
    where = (
        TableSeat.version_id == version_id,
        GameTable.ladder_id.is_(None),
        GameTable.planned_at >= since,
    )
    joined = select(*columns).join(TableSeat, TableSeat.table_id == GameTable.id)
    return [TrialRow(*row) for row in tx.execute(joined.where(*where).order_by(GameTable.id))]


def voids_in_a_row(tx: Session, version_id: int, since: int, most: int) -> int:
    """How many of the version's latest tables, ended since then (ms), are void; counted up to ``most``."""
    joined = select(GameTable.state).join(TableSeat, TableSeat.table_id == GameTable.id)
    where = (
        TableSeat.version_id == version_id,
        GameTable.state.in_((DONE, VOID)),
        GameTable.ended_at >= since,
    )
    latest = joined.where(*where).order_by(GameTable.ended_at.desc(), GameTable.id.desc()).limit(most)
    count = 0
    for state in tx.execute(latest).scalars():
        if state != VOID:
            break
        count += 1
    return count
