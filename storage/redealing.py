"""A set that must be dealt anew: somebody who keeps what it sees has seen part of its deal.

A table that is played again keeps the deal of its set, for the others are played on it. Bots
of ours begin with an empty memory; a person and a bot on its author's machine do not. So once
one of these has sat down to any table of the set, a table that has to be played afresh spoils
the whole set: it is void, and planned again on a deal that nobody has seen.
"""

import secrets
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from .endings import follow_rounds, mark_void
from .new_tables import NewTable, new_ids
from .rows import PLANNED, RUNNING
from .schema import GameSet, GameTable, Player, SetTable, TableSeat
from .set_endings import OPEN, end_set_as_void
from .sets import NewSet, SetSeating, plan_sets

MAX_DEALS = 3
"""Deals of a set before it is void for good, as a table is after as many attempts."""

ANEW = "a table had to be played again on a deal that somebody had seen, so the set was dealt anew"
OFTEN_ENOUGH = "on every deal that a set may have a table had to be played again"
KEEPS_NOTHING = ("house", "uploaded")
"""Kinds of players that begin every table with an empty memory, on our machines."""


def set_to_deal_anew(tx: Session, table: GameTable) -> GameSet | None:
    """The open set of a table that must be played afresh, under lock, if its deal has been seen.

    ``table`` and all tables of its set are locked by the caller.
    """
    of_table = select(SetTable.set_id).where(SetTable.table_id == table.id).scalar_subquery()
    locked = select(GameSet).where(GameSet.id == of_table, GameSet.state == OPEN).with_for_update()
    row = tx.execute(locked.execution_options(populate_existing=True)).scalar_one_or_none()
    return row if row is not None and _was_seen(tx, row.id) else None


def deal_anew(tx: Session, row: GameSet, now: int) -> NewSet | None:
    """Ends a locked set as void with all its open tables, and plans it on a fresh deal.

    None if it has been dealt as often as it may be.
    """
    tables = _tables(tx, row.id)
    again = row.deal < MAX_DEALS
    reason = ANEW if again else OFTEN_ENOUGH
    for table, _ in tables:
        if table.state in (PLANNED, RUNNING):
            table.fence += 1
            mark_void(table, reason, now)
    end_set_as_void(row, reason, now)
    tx.flush()
    fresh = _afresh(tx, row, tables, now) if again else None
    if fresh is not None:
        plan_sets(tx, [fresh])
    follow_rounds(tx, [row.round_id])
    return fresh


def _was_seen(tx: Session, set_id: str) -> bool:
    begun = (SetTable.set_id == set_id, GameTable.attempt > 0, Player.kind.not_in(KEEPS_NOTHING))
    statement = (
        select(GameTable.id)
        .join(SetTable, SetTable.table_id == GameTable.id)
        .join(TableSeat, TableSeat.table_id == GameTable.id)
        .join(Player, Player.id == TableSeat.player_id)
    )
    return tx.execute(statement.where(*begun).limit(1)).first() is not None


def _tables(tx: Session, set_id: str) -> Sequence[tuple[GameTable, SetTable]]:
    statement = select(GameTable, SetTable).join(SetTable, SetTable.table_id == GameTable.id)
    rows = tx.execute(statement.where(SetTable.set_id == set_id).order_by(SetTable.number))
    return [(row[0], row[1]) for row in rows]


def _afresh(tx: Session, row: GameSet, tables: Sequence[tuple[GameTable, SetTable]], now: int) -> NewSet:
    set_id, *ids = new_ids(now, 1 + len(tables))
    seed = secrets.token_bytes(32)
    dealt = [_replanned(tx, table, id, seed, mine) for id, (table, mine) in zip(ids, tables, strict=True)]
    return NewSet(set_id, row.ladder_id, row.round_id, tuple(dealt), row.deal + 1, row.id)


def _replanned(tx: Session, table: GameTable, id: str, seed: bytes, mine: SetTable) -> SetSeating:
    seats = select(TableSeat.player_id, TableSeat.version_id).where(TableSeat.table_id == table.id)
    planned = NewTable(
        id=id,
        ladder_id=table.ladder_id,
        round_id=table.round_id,
        game=table.game,
        variant=table.variant,
        config=dict(table.config),
        rated=table.rated,
        clock=dict(table.clock),
        seed=seed,
        not_before=0,
        seats=tuple((row[0], row[1]) for row in tx.execute(seats.order_by(TableSeat.seat))),
        together=mine.entrant_id is not None,
    )
    if mine.entrant_id is None or mine.version_id is None:
        return SetSeating(planned)
    return SetSeating(planned, (mine.entrant_id, mine.version_id))
