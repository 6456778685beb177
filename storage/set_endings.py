"""The end of a set: the table that ends last writes the one entry for all of them.

The set's row is locked after the tables' own: of two transactions that each end one of the
last two tables, the second sees the first one's end, and it alone closes the set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from . import ledger
from .rows import DONE, PLANNED, RUNNING, VOID
from .schema import GameSet, GameTable, PlayerVersion, Result, SetTable
from .set_ranks import Ranked, Scored, rank

OPEN = "open"
TOO_FEW = "fewer than two of its tables came to a result"
NOBODY_PLAYED = "every entrant forfeited"


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """A set whose last table has ended in this transaction, with what is to stand in the ledger."""

    row: GameSet
    entry: ledger.NewEntry


def together(tx: Session, ids: Sequence[str]) -> dict[str, int]:
    """Those of the tables whose seats are all one entrant's: table id to its player id."""
    statement = select(SetTable.table_id, SetTable.entrant_id).where(SetTable.table_id.in_(ids))
    return {table_id: entrant for table_id, entrant in tx.execute(statement) if entrant is not None}


def close_sets(tx: Session, table_ids: Sequence[str], now: int) -> list[ClosedSet]:
    """Closes the sets of these ended tables that have no table left to end; those that are to be entered.

    Takes the sets' locks. Call :func:`enter` with the answer once the rounds are locked.
    """
    of_tables = select(SetTable.set_id).distinct().where(SetTable.table_id.in_(table_ids))
    ids = tx.execute(of_tables).scalars().all()
    if not ids:
        return []
    locked = select(GameSet).where(GameSet.id.in_(ids)).order_by(GameSet.id).with_for_update()
    rows = tx.execute(locked.execution_options(populate_existing=True)).scalars().all()
    closed = [_close(tx, row, now) for row in rows if row.state == OPEN and not _is_played(tx, row.id)]
    tx.flush()
    return [one for one in closed if one is not None]


def enter(tx: Session, closed: Iterable[ClosedSet]) -> None:
    """Writes the entries of closed sets, ladder by ladder."""
    by_ladder: dict[int, list[ClosedSet]] = {}
    for one in closed:
        by_ladder.setdefault(one.row.ladder_id, []).append(one)
    for ladder_id in sorted(by_ladder):
        first = ledger.append(tx, ladder_id, [one.entry for one in by_ladder[ladder_id]])
        for place, one in enumerate(by_ladder[ladder_id], start=first):
            one.row.place = place
    tx.flush()


def end_set_as_void(row: GameSet, reason: str, now: int) -> None:
    """Ends a locked set without an entry."""
    row.state, row.void_reason, row.ended_at = VOID, reason, now


def ranking(tx: Session, set_id: str) -> list[Ranked]:
    """The set's entrants that have a result, the best first; empty unless its tables are ranked together."""
    return rankings(tx, [set_id])[set_id]


def rankings(tx: Session, set_ids: Sequence[str]) -> dict[str, list[Ranked]]:
    """As :func:`ranking`, of each of those sets."""
    tables: dict[str, list[Scored]] = {set_id: [] for set_id in set_ids}
    statement = select_scored().add_columns(SetTable.set_id).where(SetTable.set_id.in_(set_ids))
    for row in tx.execute(statement):
        tables[row.set_id].append(scored(row))
    return {set_id: rank(one) for set_id, one in tables.items()}


def _is_played(tx: Session, set_id: str) -> bool:
    on_set = select(GameTable.id).join(SetTable, SetTable.table_id == GameTable.id)
    where = (SetTable.set_id == set_id, GameTable.state.in_((PLANNED, RUNNING)))
    return tx.execute(on_set.where(*where).limit(1)).first() is not None


def _close(tx: Session, row: GameSet, now: int) -> ClosedSet | None:
    ranked = ranking(tx, row.id)
    if not ranked and _plays_each_for_itself(tx, row.id):
        row.state, row.ended_at = DONE, now
        return None
    if len(ranked) < 2:
        end_set_as_void(row, TOO_FEW, now)
        return None
    if all(one.forfeited for one in ranked):
        end_set_as_void(row, NOBODY_PLAYED, now)
        return None
    row.state, row.ended_at = DONE, now
    return ClosedSet(row, entry_of(row.id, ranked))


def entry_of(set_id: str, ranked: Sequence[Ranked]) -> ledger.NewEntry:
    """What stands in the ledger of a set: it goes by the name of the table that ended last."""
    last = max(ranked, key=lambda one: (one.ended_at, one.table_id)).table_id
    seats = [
        {
            "player_id": one.entrant_id,
            "version": one.version,
            "placement": one.placement,
            "score": one.score,
            "table": one.table_id,
        }
        for one in ranked
    ]
    return ledger.NewEntry(ledger.RESULT, {"set": set_id, "table": last, "seats": seats}, last)


def _plays_each_for_itself(tx: Session, set_id: str) -> bool:
    where = (SetTable.set_id == set_id, SetTable.entrant_id.is_not(None))
    return tx.execute(select(SetTable.table_id).where(*where).limit(1)).first() is None


def select_scored() -> Any:
    """A select of what :func:`scored` takes: the finished tables of entrants, whatever their sets."""
    columns = (
        SetTable.table_id,
        SetTable.number,
        SetTable.entrant_id,
        PlayerVersion.number.label("version"),
        Result.scores,
        Result.forfeits,
        GameTable.ended_at,
    )
    return (
        select(*columns)
        .join(GameTable, GameTable.id == SetTable.table_id)
        .join(Result, Result.table_id == SetTable.table_id)
        .join(PlayerVersion, PlayerVersion.id == SetTable.version_id)
        .where(SetTable.entrant_id.is_not(None), GameTable.state == DONE)
    )


def scored(row: Any) -> Scored:
    """A row of :func:`select_scored`."""
    return Scored(
        row.table_id, row.number, row.entrant_id, row.version, row.scores[0], bool(row.forfeits), row.ended_at
    )
