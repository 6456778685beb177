"""Tables at which an uploaded version shows whether it can play, and those at which it did not."""

from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from .finishing import ALL_FORFEITED
from .leases import INFRA
from .rows import DONE, VOID
from .schema import GameTable, Result, TableSeat

CRASH = "crash"
"""Why a seat is forfeited whose bot has ended by its own doing."""


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


def faults_in_a_row(tx: Session, version_id: int, since: int, most: int) -> int:
    """At how many of the version's latest tables, ended since then (ms), it crashed, or which came to
    nothing while our workers played it; counted up to ``most``.

    Tables that are void for another's sake, who did not come or was called off, say nothing of it.
    """
    joined = (
        select(GameTable.state, TableSeat.seat, Result.forfeits)
        .join(TableSeat, TableSeat.table_id == GameTable.id)
        .outerjoin(Result, Result.table_id == GameTable.id)
    )
    told = or_(GameTable.state == DONE, GameTable.void_reason.in_((INFRA, ALL_FORFEITED)))
    where = (TableSeat.version_id == version_id, told, GameTable.ended_at >= since)
    latest = joined.where(*where).order_by(GameTable.ended_at.desc(), GameTable.id.desc()).limit(most)
    count = 0
    for state, seat, forfeits in tx.execute(latest):
        if state != VOID and (forfeits or {}).get(str(seat)) != CRASH:
            break
        count += 1
    return count
