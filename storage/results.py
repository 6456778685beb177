"""Finished tables: the list of the latest, and one with its replay."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from .errors import found
from .rows import DONE, EntrantSeat, SeatRow, deal_is_open, entrants_of, seats_of
from .schema import GameTable, Ladder, Result, SetTable, TableSeat


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """A finished table. Lists are parallel to the seats; ``players`` are full names, ``owner/bot@3``.

    ``ended_at``: ms since 1970. ``forfeits``: seat -> why.
    ``entrant``: whose seats they all are, where each table of a set is an entrant's own.
    """

    table_id: str
    ladder: str | None
    game: str
    variant: str
    players: tuple[str, ...]
    player_ids: tuple[int, ...]
    placements: tuple[int, ...]
    scores: tuple[int, ...]
    end: str
    ended_at: int
    moves: int
    forfeits: dict[int, str]
    entrant: EntrantSeat | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result with all that is known of it. ``replay`` is raw lines.

    ``replay`` and ``seed`` are None while another table on the same deal has not ended.
    """

    played: PlayedRow
    attempt: int
    ranks: tuple[int, ...]
    strikes: tuple[int, ...]
    config: dict[str, Any]
    commitment: str
    round_id: int | None
    rated: bool
    seed: bytes | None = field(repr=False)
    replay: bytes | None = field(repr=False)


def recent(
    tx: Session,
    ladder_id: int | None,
    before: str | None,
    limit: int,
    *,
    player_id: int | None = None,
    round_id: int | None = None,
) -> list[PlayedRow]:
    """Finished tables, newest first: of a ladder, a player, a league round, or all.

    ``before``: the id of the last table of the page before. NotFound if it is none.
    """
    statement = _select_played().order_by(GameTable.ended_at.desc(), GameTable.id.desc()).limit(limit)
    if ladder_id is not None:
        statement = statement.where(GameTable.ladder_id == ladder_id)
    if round_id is not None:
        statement = statement.where(GameTable.round_id == round_id)
    if player_id is not None:
        statement = statement.where(GameTable.id.in_(_tables_of(player_id)))
    if before is not None:
        statement = statement.where(_earlier_than(tx, before))
    return _played(tx, tx.execute(statement).all())


def of_tables(tx: Session, ids: Sequence[str]) -> list[PlayedRow]:
    """The finished ones of those tables, by id."""
    return _played(tx, tx.execute(_select_played().where(GameTable.id.in_(ids)).order_by(GameTable.id)).all())


def sittings(tx: Session, ladder_id: int, player_id: int, last: int) -> list[tuple[int, tuple[int, ...]]]:
    """Where a player sat at its latest ``last`` finished tables of a ladder, newest first: its seat, and
    everybody's placement. Tables whose seats are all one entrant's are left out."""
    statement = (
        select(TableSeat.seat, Result.placements)
        .join(GameTable, GameTable.id == TableSeat.table_id)
        .join(Result, Result.table_id == GameTable.id)
        .where(
            TableSeat.player_id == player_id,
            GameTable.ladder_id == ladder_id,
            GameTable.state == DONE,
            GameTable.id.not_in(select(SetTable.table_id).where(SetTable.entrant_id.is_not(None))),
        )
        .order_by(GameTable.ended_at.desc(), GameTable.id.desc())
        .limit(last)
    )
    return [(seat, tuple(placements)) for seat, placements in tx.execute(statement)]


def get(tx: Session, table_id: str) -> ResultRow:
    """The result of a table. NotFound if it has none (yet)."""
    row = found(
        tx.execute(_select_full().where(GameTable.id == table_id)).first(),
        f"table {table_id!r} has no result",
    )
    is_open = deal_is_open(tx, row.commitment)
    return ResultRow(
        played=_played(tx, [row])[0],
        attempt=row.attempt,
        ranks=tuple(row.ranks),
        strikes=tuple(row.strikes),
        config=dict(row.config),
        commitment=row.commitment,
        round_id=row.round_id,
        rated=row.rated,
        seed=row.seed if is_open else None,
        replay=zlib.decompress(row.replay) if is_open else None,
    )


def _played(tx: Session, rows: Sequence[Any]) -> list[PlayedRow]:
    ids = [row.id for row in rows]
    seats, entrants = seats_of(tx, ids), entrants_of(tx, ids)
    return [_played_row(row, seats[row.id], entrants.get(row.id)) for row in rows]


def _played_row(row: Any, seats: Sequence[SeatRow], entrant: EntrantSeat | None) -> PlayedRow:
    return PlayedRow(
        table_id=row.id,
        ladder=row.ladder,
        game=row.game,
        variant=row.variant,
        players=tuple(seat.full_name for seat in seats),
        player_ids=tuple(seat.player_id for seat in seats),
        placements=tuple(row.placements),
        scores=tuple(row.scores),
        end=row.end,
        ended_at=row.ended_at,
        moves=row.moves,
        forfeits={int(seat): why for seat, why in row.forfeits.items()},
        entrant=entrant,
    )


def _earlier_than(tx: Session, table_id: str) -> Any:
    ended_at = found(
        tx.execute(select(GameTable.ended_at).where(GameTable.id == table_id)).scalar(),
        f"there is no finished table {table_id!r} to go on from",
    )
    same_time = and_(GameTable.ended_at == ended_at, GameTable.id < table_id)
    return or_(GameTable.ended_at < ended_at, same_time)


def _tables_of(player_id: int) -> Any:
    """Those at which it had a seat, and those that its team played for it."""
    sat = select(TableSeat.table_id).where(TableSeat.player_id == player_id)
    return sat.union(select(SetTable.table_id).where(SetTable.entrant_id == player_id))


_SHORT = (
    GameTable.id,
    Ladder.name.label("ladder"),
    GameTable.game,
    GameTable.variant,
    GameTable.ended_at,
    Result.placements,
    Result.scores,
    Result.end,
    Result.moves,
    Result.forfeits,
)
_FULL = (
    Result.attempt,
    Result.ranks,
    Result.strikes,
    Result.replay,
    GameTable.config,
    GameTable.commitment,
    GameTable.round_id,
    GameTable.rated,
    GameTable.seed,
)


def _select_played() -> Any:
    return _joined(select(*_SHORT))


def _select_full() -> Any:
    return _joined(select(*_SHORT, *_FULL))


def _joined(statement: Any) -> Any:
    return (
        statement.select_from(GameTable)
        .join(Result, Result.table_id == GameTable.id)
        .outerjoin(Ladder, Ladder.id == GameTable.ladder_id)
        .where(GameTable.state == DONE)
    )
