"""What the scheduler must know about a ladder's players before it plans tables for them."""

from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import Subquery, and_, exists, func, select
from sqlalchemy.orm import Session

from .rows import DONE, PLANNED, RUNNING, VOID
from .schema import GameTable, Player, TableSeat


@dataclass(slots=True)
class Record:
    """A player's tables on a ladder, void ones left out.

    ``games``: with a result. ``open``: planned or running. ``open_remote``: those of them at
    which a remote player sits, which may last as long as that one likes. ``last_at``: when its latest
    table was planned, ms since 1970; None: never. ``seats``, ``sizes``: how often it
    sat at each seat, and at a table of each size, open tables included.
    """

    games: int = 0
    open: int = 0
    open_remote: int = 0
    last_at: int | None = None
    seats: Counter[int] = field(default_factory=Counter)
    sizes: Counter[int] = field(default_factory=Counter)


OPEN = (PLANNED, RUNNING)
REMEMBERED = 5000
"""How many of a ladder's latest tables make a record: the cost of planning must not grow with the past."""


def records(tx: Session, ladder_id: int, last: int = REMEMBERED) -> dict[int, Record]:
    """The record, over the ladder's latest ``last`` tables, of every player that sat at one; by player id."""
    latest = _latest(ladder_id, last)
    columns = (TableSeat.player_id, TableSeat.seat, latest.c.seats, latest.c.state, latest.c.waits)
    statement = (
        select(*columns, func.count().label("tables"), func.max(latest.c.planned_at).label("last_at"))
        .join(latest, latest.c.id == TableSeat.table_id)
        .group_by(*columns)
    )
    found: dict[int, Record] = {}
    for player, seat, size, state, waits, tables, last_at in tx.execute(statement):
        record = found.setdefault(player, Record())
        record.seats[seat] += tables
        record.sizes[size] += tables
        record.games += tables if state == DONE else 0
        record.open += tables if state in OPEN else 0
        record.open_remote += tables if waits else 0
        record.last_at = max(last_at, record.last_at or 0)
    return found


def meetings(tx: Session, ladder_id: int, last: int, since: int = 0) -> list[tuple[int, ...]]:
    """Who sat together at the ladder's latest ``last`` tables, newest first: player ids, seat 0 first.

    ``since``: only tables planned later than that, ms since 1970.
    """
    latest = _latest(ladder_id, last, since)
    seats = select(latest.c.id, TableSeat.player_id).join(TableSeat, TableSeat.table_id == latest.c.id)
    tables: dict[str, list[int]] = {}
    for table_id, player in tx.execute(
        seats.order_by(latest.c.planned_at.desc(), latest.c.id.desc(), TableSeat.seat)
    ):
        tables.setdefault(table_id, []).append(player)
    return [tuple(players) for players in tables.values()]


def _latest(ladder_id: int, last: int, since: int = 0) -> Subquery:
    remote = (TableSeat.table_id == GameTable.id, TableSeat.player_id == Player.id, Player.kind == "remote")
    waits = and_(GameTable.state.in_(OPEN), exists().where(*remote))
    columns = (GameTable.id, GameTable.seats, GameTable.state, GameTable.planned_at, waits.label("waits"))
    where = (GameTable.ladder_id == ladder_id, GameTable.state != VOID, GameTable.planned_at > since)
    newest = (GameTable.planned_at.desc(), GameTable.id.desc())
    return select(*columns).where(*where).order_by(*newest).limit(last).subquery()
