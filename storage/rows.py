"""Rows of tables and seats, as callers see them, and how they are read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from .identity import full_name
from .schema import GameTable, Ladder, Owner, Player, PlayerVersion, SetTable, TableSeat

PLANNED, RUNNING, DONE, VOID = "planned", "running", "done", "void"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits there, with the exact version. ``full_name`` is ``owner/bot@3``."""

    seat: int
    player_id: int
    version_id: int
    full_name: str
    kind: str
    program: str
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EntrantSeat:
    """The player whose seats a table's all are, with its version. ``full_name`` is ``owner/bot@3``."""

    player_id: int
    full_name: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table. ``seed`` is None for whoever may not know it: all but its claimer, until it has ended.

    ``clock`` has first_ms, move_ms, bank_ms, grace_ms; null: unlimited. ``ladder``: its ladder's name.
    ``set_id``: the set whose deal it shares; what is open on it would tell those at the set's other tables.
    ``entrant_id``: the player whose seats they all are; None: each seat plays for itself.
    """

    id: str
    ladder_id: int | None
    ladder: str | None
    round_id: int | None
    game: str
    variant: str
    config: dict[str, Any]
    seats: tuple[SeatRow, ...]
    rated: bool
    clock: dict[str, Any]
    state: str
    attempt: int
    fence: int
    lease_owner: str | None
    lease_until: int | None
    seed: bytes | None = field(repr=False)
    commitment: str
    not_before: int
    planned_at: int
    claimed_at: int | None
    ended_at: int | None
    void_reason: str | None
    set_id: str | None
    entrant_id: int | None


def lock_tables(tx: Session, ids: Sequence[str]) -> dict[str, GameTable]:
    """The tables' rows under lock, taken in the order of ids, so that nobody waits in a circle.

    Locks are taken in one order everywhere: tables, then sets, then league rounds, then ladders, then jobs.
    Who advances an event holds its row before any of them, and nobody else takes that.
    """
    statement = select(GameTable).where(GameTable.id.in_(ids)).order_by(GameTable.id)
    fresh = statement.with_for_update().execution_options(populate_existing=True)
    return {table.id: table for table in tx.execute(fresh).scalars()}


def lock_whole_set(tx: Session, table_id: str) -> dict[str, GameTable]:
    """The table's row under lock, with those of all tables on its deal if it is of a set."""
    mine = select(SetTable.set_id).where(SetTable.table_id == table_id)
    ids = tx.execute(select(SetTable.table_id).where(SetTable.set_id.in_(mine))).scalars().all()
    return lock_tables(tx, ids or [table_id])


def lock_ids(tx: Session, ids: Sequence[str]) -> None:
    """Only the locks of :func:`lock_tables`, for a caller that needs no columns."""
    tx.execute(
        select(GameTable.id).where(GameTable.id.in_(ids)).order_by(GameTable.id).with_for_update()
    ).all()


def seats_of(tx: Session, ids: Sequence[str]) -> dict[str, tuple[SeatRow, ...]]:
    """The seats of each of those tables, in seat order."""
    seats: dict[str, list[SeatRow]] = {id: [] for id in ids}
    for row in tx.execute(_select_seats().where(TableSeat.table_id.in_(ids)).order_by(TableSeat.seat)):
        name = full_name(row.owner, row.name, row.kind, row.number)
        seat = SeatRow(
            row.seat, row.player_id, row.version_id, name, row.kind, row.program, dict(row.settings)
        )
        seats[row.table_id].append(seat)
    return {id: tuple(rows) for id, rows in seats.items()}


def entrants_of(tx: Session, ids: Sequence[str]) -> dict[str, EntrantSeat]:
    """Those of the tables that are one entrant's, with it."""
    columns = (
        SetTable.table_id,
        Player.id,
        Owner.name,
        Player.name,
        Player.kind,
        PlayerVersion.number,
    )
    statement = (
        select(*columns)
        .join(Player, Player.id == SetTable.entrant_id)
        .join(Owner, Owner.id == Player.owner_id)
        .join(PlayerVersion, PlayerVersion.id == SetTable.version_id)
        .where(SetTable.table_id.in_(ids))
    )
    return {row[0]: EntrantSeat(row[1], full_name(*row[2:])) for row in tx.execute(statement)}


def table_row(tx: Session, table: GameTable, seed: bytes | None) -> TableRow:
    """The row of a table, with that seed shown."""
    ladder, set_id, entrant_id = _belongings(tx, table)
    return TableRow(
        id=table.id,
        ladder_id=table.ladder_id,
        ladder=ladder,
        round_id=table.round_id,
        game=table.game,
        variant=table.variant,
        config=dict(table.config),
        seats=seats_of(tx, [table.id])[table.id],
        rated=table.rated,
        clock=dict(table.clock),
        state=table.state,
        attempt=table.attempt,
        fence=table.fence,
        lease_owner=table.lease_owner,
        lease_until=table.lease_until,
        seed=seed,
        commitment=table.commitment,
        not_before=table.not_before,
        planned_at=table.planned_at,
        claimed_at=table.claimed_at,
        ended_at=table.ended_at,
        void_reason=table.void_reason,
        set_id=set_id,
        entrant_id=entrant_id,
    )


def _belongings(tx: Session, table: GameTable) -> tuple[str | None, str | None, int | None]:
    """The table's ladder by name, its set, and whose seats they all are."""
    if table.ladder_id is None:  # then it is of no set either
        return None, None, None
    of_set = select(Ladder.name, SetTable.set_id, SetTable.entrant_id)
    joined = of_set.outerjoin(SetTable, SetTable.table_id == table.id).where(Ladder.id == table.ladder_id)
    ladder, set_id, entrant_id = tx.execute(joined).one()
    return ladder, set_id, entrant_id


def deal_is_open(tx: Session, commitment: str) -> bool:
    """Has every table on this deal ended, so that its seed and replays may be read?"""
    where = (GameTable.commitment == commitment, GameTable.state.in_((PLANNED, RUNNING)))
    return tx.execute(select(GameTable.id).where(*where).limit(1)).first() is None


def _select_seats() -> Any:
    columns = (
        TableSeat.table_id,
        TableSeat.seat,
        TableSeat.player_id,
        TableSeat.version_id,
        Owner.name.label("owner"),
        Player.name,
        Player.kind,
        PlayerVersion.number,
        PlayerVersion.program,
        PlayerVersion.settings,
    )
    return (
        select(*columns)
        .join(Player, Player.id == TableSeat.player_id)
        .join(Owner, Owner.id == Player.owner_id)
        .join(PlayerVersion, PlayerVersion.id == TableSeat.version_id)
    )
