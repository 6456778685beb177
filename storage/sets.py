"""Sets: tables on one deal, which tells luck from skill.

Where a game is played together, each table of a set is one *entrant's*: a player whose seats
they all are. The entrants of a set are ranked by score, see ``set_endings``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from .database import now_ms
from .errors import Conflict, Invalid
from .inserting import insert_new, table_of
from .new_tables import NewTable, plan
from .schema import GameSet, GameTable, Owner, Player, Result, SetRule, SetTable
from .set_endings import OPEN, ranking

MOST = 6
"""Entrants of a set: as many as a rating is computed over."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a ladder makes its sets: ``size`` entrants, each at a table of ``seats`` seats."""

    size: int
    seats: int


@dataclass(frozen=True, slots=True)
class SetSeating:
    """A table of a set to plan; ``entrant``: (player id, version id) of the one whose seats they all are."""

    table: NewTable
    entrant: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class NewSet:
    """A set to plan: two tables or more, of one ladder, on one seed. ``id``: at most 26 characters."""

    id: str
    ladder_id: int
    round_id: int | None
    tables: tuple[SetSeating, ...]
    deal: int = 1
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class SetTableRow:
    """A table of a set; ``entrant``: ``owner/bot``. ``score`` and ``placement`` are None without a result."""

    table_id: str
    number: int
    state: str
    entrant_id: int | None
    entrant: str | None
    kind: str | None
    score: int | None
    placement: int | None


@dataclass(frozen=True, slots=True)
class SetRow:
    """``state``: open, done or void. ``deal``: how many times it was dealt; ``replaced_by``: what it was
    dealt anew as. ``place``: of its ledger entry. ``tables`` in the order of their numbers."""

    id: str
    ladder_id: int
    round_id: int | None
    state: str
    deal: int
    replaces: str | None
    replaced_by: str | None
    void_reason: str | None
    place: int | None
    tables: tuple[SetTableRow, ...]


def ensure_rule(tx: Session, ladder_id: int, rule: Rule) -> Rule:
    """Says how a ladder makes its sets, once for all. Conflict if it has been said otherwise.

    Invalid for a size that no set has.
    """
    if not 2 <= rule.size <= MOST:
        raise Invalid(f"a set has 2 to {MOST} entrants, not {rule.size}")
    insert_new(tx, SetRule, ladder_id=ladder_id, size=rule.size, seats=rule.seats)
    there = find_rule(tx, ladder_id)
    if there is not None and there != rule:
        raise Conflict(
            f"the ladder plays sets of {there.size} at tables of {there.seats}, not of {rule.size} at tables "
            f"of {rule.seats}; open another under a name of its own"
        )
    return rule


def find_rule(tx: Session, ladder_id: int) -> Rule | None:
    """How a ladder makes its sets; None if what it plays is not played together."""
    row = tx.execute(select(SetRule.size, SetRule.seats).where(SetRule.ladder_id == ladder_id)).first()
    return None if row is None else Rule(*row)


def plan_sets(tx: Session, new: Sequence[NewSet]) -> None:
    """Inserts sets with their planned tables. Invalid if one is no set."""
    for one in new:
        _check(one)
    if not new:
        return
    now = now_ms(tx)
    plan(tx, [seating.table for one in new for seating in one.tables])
    tx.execute(table_of(GameSet).insert(), [_set_values(one, now) for one in new])
    tx.execute(table_of(SetTable).insert(), [values for one in new for values in _table_values(one)])


def set_of(tx: Session, table_id: str) -> SetRow | None:
    """The set of a table; None if it has a deal of its own."""
    found = select(SetTable.set_id).where(SetTable.table_id == table_id)
    set_id = tx.execute(found).scalar_one_or_none()
    return None if set_id is None else find(tx, set_id)


def find(tx: Session, set_id: str) -> SetRow | None:
    """A set with its tables and, as far as they are known, their placements; None if there is none."""
    row = tx.get(GameSet, set_id, populate_existing=True)
    if row is None:
        return None
    later = tx.execute(select(GameSet.id).where(GameSet.replaces == set_id)).scalar()
    return SetRow(
        row.id,
        row.ladder_id,
        row.round_id,
        row.state,
        row.deal,
        row.replaces,
        later,
        row.void_reason,
        row.place,
        tuple(_rows(tx, set_id)),
    )


def _check(one: NewSet) -> None:
    seeds = {seating.table.seed for seating in one.tables}
    if not 2 <= len(one.tables) <= MOST or len(seeds) != 1:
        raise Invalid(f"set {one.id}: 2 to {MOST} tables share one seed, not {len(one.tables)} {len(seeds)}")
    entrants = [seating.entrant[0] for seating in one.tables if seating.entrant is not None]
    if entrants and len(set(entrants)) < len(one.tables):
        raise Invalid(f"set {one.id}: each table is another entrant's, not {entrants}")


def _set_values(one: NewSet, now: int) -> dict[str, Any]:
    return {
        "id": one.id,
        "ladder_id": one.ladder_id,
        "round_id": one.round_id,
        "state": OPEN,
        "deal": one.deal,
        "replaces": one.replaces,
        "planned_at": now,
    }


def _table_values(one: NewSet) -> list[dict[str, Any]]:
    return [
        {
            "table_id": seating.table.id,
            "set_id": one.id,
            "number": number,
            "entrant_id": None if seating.entrant is None else seating.entrant[0],
            "version_id": None if seating.entrant is None else seating.entrant[1],
        }
        for number, seating in enumerate(one.tables)
    ]


def _rows(tx: Session, set_id: str) -> list[SetTableRow]:
    placements = {one.table_id: one.placement for one in ranking(tx, set_id)}
    columns = (
        SetTable.table_id,
        SetTable.number,
        GameTable.state,
        SetTable.entrant_id,
        Owner.name.label("owner"),
        Player.name,
        Player.kind,
        Result.scores,
    )
    statement = (
        select(*columns)
        .join(GameTable, GameTable.id == SetTable.table_id)
        .outerjoin(Result, Result.table_id == SetTable.table_id)
        .outerjoin(Player, Player.id == SetTable.entrant_id)
        .outerjoin(Owner, Owner.id == Player.owner_id)
        .where(SetTable.set_id == set_id)
        .order_by(SetTable.number)
    )
    return [_row(row, placements.get(row.table_id)) for row in tx.execute(statement)]


def _row(row: Any, placement: int | None) -> SetTableRow:
    entrant = None if row.entrant_id is None else f"{row.owner}/{row.name}"
    together = row.entrant_id is not None and row.scores is not None
    score = row.scores[0] if together else None
    return SetTableRow(
        row.table_id, row.number, row.state, row.entrant_id, entrant, row.kind, score, placement
    )
