"""Reports of a bot's seats, for its owner."""

from dataclasses import dataclass

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from .bundles import ReportRow, row_of
from .schema import PlayerVersion, SeatReport, TableSeat


@dataclass(frozen=True, slots=True)
class SeatLogRow:
    """A report with the number of the version that sat there; ``at``: ms since 1970."""

    report: ReportRow
    version: int
    at: int


def of_player(tx: Session, player_id: int, table_id: str | None, limit: int) -> list[SeatLogRow]:
    """The latest reports of seats that the player had, newest first; ``table_id`` None: at any table."""
    same_seat = and_(TableSeat.table_id == SeatReport.table_id, TableSeat.seat == SeatReport.seat)
    statement = (
        select(SeatReport, PlayerVersion.number)
        .join(TableSeat, same_seat)
        .join(PlayerVersion, PlayerVersion.id == TableSeat.version_id)
        .where(TableSeat.player_id == player_id)
        .order_by(
            SeatReport.at.desc(), SeatReport.table_id.desc(), SeatReport.attempt.desc(), SeatReport.seat
        )
        .limit(limit)
    )
    if table_id is not None:
        statement = statement.where(SeatReport.table_id == table_id)
    return [
        SeatLogRow(row_of(row.SeatReport), row.number, row.SeatReport.at) for row in tx.execute(statement)
    ]
