"""The promises about sets; ``invariants`` asks them with the others."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import and_, exists, not_, or_, select
from sqlalchemy.orm import Session

from .ledger import RESULT
from .rows import DONE, PLANNED, RUNNING
from .schema import GameSet, GameTable, LedgerEntry, SetTable
from .set_endings import OPEN, entry_of, rankings

PAGE = 1000

PROMISES: dict[str, str] = {
    "set_goes_on": "a set that is open, and no other, has a table to play",
    "set_shares_a_deal": "the tables of a set have one seed",
    "set_has_entry": "a set that is done stands in its ladder's ledger, if it is one of entrants; no other does",
    "entry_fits_set": "a ledger holds the entrants, scores and placements of the set's results",
}


def plays_together(table_id: Any) -> Any:
    """Are all seats of the table one entrant's, so that its set is rated and not it alone?"""
    return exists().where(SetTable.table_id == table_id, SetTable.entrant_id.is_not(None))


def stuck_sets() -> Any:
    open_states = (PLANNED, RUNNING)
    playing = exists().where(
        SetTable.set_id == GameSet.id, GameTable.id == SetTable.table_id, GameTable.state.in_(open_states)
    )
    stuck = or_(and_(GameSet.state == OPEN, not_(playing)), and_(GameSet.state != OPEN, playing))
    return _sets(stuck)


def split_deals() -> Any:
    one, other = GameTable.__table__.alias("one"), GameTable.__table__.alias("other")
    mine, its = SetTable.__table__.alias("mine"), SetTable.__table__.alias("its")
    differing = exists().where(
        mine.c.set_id == GameSet.id,
        its.c.set_id == GameSet.id,
        one.c.id == mine.c.table_id,
        other.c.id == its.c.table_id,
        one.c.seed != other.c.seed,
    )
    return _sets(differing)


def misentered_sets() -> Any:
    has_entrants = exists().where(SetTable.set_id == GameSet.id, SetTable.entrant_id.is_not(None))
    entered = exists().where(
        LedgerEntry.ladder_id == GameSet.ladder_id,
        LedgerEntry.place == GameSet.place,
        LedgerEntry.kind == RESULT,
    )
    due = and_(GameSet.state == DONE, has_entrants)
    return _sets(or_(and_(due, not_(entered)), and_(not_(due), GameSet.place.is_not(None))))


def false_set_entries(tx: Session) -> Iterator[str]:
    """The sets whose entry is not what their results rank to."""
    on = and_(LedgerEntry.ladder_id == GameSet.ladder_id, LedgerEntry.place == GameSet.place)
    entered = select(GameSet.id, LedgerEntry.content, LedgerEntry.table_id).join(LedgerEntry, on)
    last = ""
    while rows := tx.execute(entered.where(GameSet.id > last).order_by(GameSet.id).limit(PAGE)).all():
        last = rows[-1][0]
        ranked = rankings(tx, [row[0] for row in rows])
        for set_id, content, table_id in rows:
            expected = entry_of(set_id, ranked[set_id]) if ranked[set_id] else None
            if expected is None or (content, table_id) != (expected.content, expected.table_id):
                yield set_id


def _sets(where: Any) -> Any:
    return select(GameSet.id).where(where).order_by(GameSet.id)
