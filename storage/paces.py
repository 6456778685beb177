"""How long tables took, and what waits for workers now: what forecasts are made from."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, case, exists, func, not_, or_, select
from sqlalchemy.orm import Session

from .rows import DONE, PLANNED, RUNNING
from .schema import GameTable, Player, SetTable, TableSeat

OUTSIDE = ("person", "remote")
"""The kinds of players that no worker plays."""


@dataclass(frozen=True, slots=True)
class Upcoming:
    """A player's next table. ``running``: it is in play. ``ahead``: tables for workers that are in play or were
    planned before it; 0 if it waits for no worker."""

    table_id: str
    running: bool
    ahead: int


def spans(tx: Session, last: int, ladder_id: int | None = None) -> list[tuple[int, int]]:
    """When the latest ``last`` tables with a result were begun and ended, ms since 1970, newest first.

    Of a ladder: all but those at which a person sat. Else of all together, those that workers play alone.
    """
    where = [GameTable.state == DONE, GameTable.claimed_at.is_not(None)]
    if ladder_id is None:
        where.append(not_(_seats_any(OUTSIDE)))
    else:
        where += [GameTable.ladder_id == ladder_id, not_(_seats_any(("person",)))]
    newest = (GameTable.ended_at.desc(), GameTable.id.desc())
    statement = select(GameTable.claimed_at, GameTable.ended_at).where(*where).order_by(*newest).limit(last)
    return [(row.claimed_at, row.ended_at) for row in tx.execute(statement)]


def queued(tx: Session) -> int:
    """Tables for workers that are planned or in play, of all ladders."""
    where = (GameTable.state.in_((PLANNED, RUNNING)), not_(_seats_any(OUTSIDE)))
    return tx.execute(select(func.count()).select_from(GameTable).where(*where)).scalar_one()


def upcoming(tx: Session, ladder_id: int, player_id: int) -> Upcoming | None:
    """The table of a ladder at which a player or team sits now, or the first that is planned for it."""
    order = (case((GameTable.state == RUNNING, 0), else_=1), GameTable.not_before, GameTable.id)
    columns = (GameTable.id, GameTable.state, GameTable.not_before, _seats_any(OUTSIDE).label("outside"))
    where = (GameTable.ladder_id == ladder_id, GameTable.state.in_((PLANNED, RUNNING)), _is_of(player_id))
    row = tx.execute(select(*columns).where(*where).order_by(*order).limit(1)).first()
    if row is None:
        return None
    if row.state == RUNNING or row.outside:
        return Upcoming(row.id, row.state == RUNNING, 0)
    earlier = or_(
        GameTable.not_before < row.not_before,
        and_(GameTable.not_before == row.not_before, GameTable.id < row.id),
    )
    before = or_(GameTable.state == RUNNING, and_(GameTable.state == PLANNED, earlier))
    ahead = select(func.count()).select_from(GameTable).where(before, not_(_seats_any(OUTSIDE)))
    return Upcoming(row.id, False, tx.execute(ahead).scalar_one())


def _is_of(player_id: int) -> Any:
    """Whether a player has a seat at a table, or all of them as the entrant of its set."""
    seat = exists().where(TableSeat.table_id == GameTable.id, TableSeat.player_id == player_id)
    entrant = exists().where(SetTable.table_id == GameTable.id, SetTable.entrant_id == player_id)
    return or_(seat, entrant)


def _seats_any(kinds: tuple[str, ...]) -> Any:
    """Whether somebody of those kinds sits at a table."""
    seat = (TableSeat.table_id == GameTable.id, TableSeat.player_id == Player.id, Player.kind.in_(kinds))
    return exists().where(*seat)
