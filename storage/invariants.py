"""The promises that the data keeps at every moment, whatever dies; each is a query for what breaks it.

All of them are asked in one reading transaction, so that a table that ends meanwhile
is seen either before its end or after it, never in between.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Text, and_, cast, exists, func, literal, not_, or_, select
from sqlalchemy.orm import Session

from . import jobs, set_invariants
from .database import now_ms
from .leases import MAX_ATTEMPTS
from .ledger import RESULT
from .rows import DONE, PLANNED, RUNNING, VOID
from .schema import GameTable, Job, Ladder, LeagueRound, LedgerEntry, Result, TableSeat

EXAMPLES = 5
PAGE = 1000
LATE_MS = 600_000
"""A running table whose lease ran out so long ago has been forgotten: the dispatcher sends it within seconds."""


@dataclass(frozen=True, slots=True)
class Broken:
    """How a promise stands: how many rows break it, and the names of at most :data:`EXAMPLES` of them."""

    promise: str
    count: int
    examples: tuple[str, ...]


PROMISES: dict[str, str] = {
    "done_has_result": "every finished table has a result",
    "result_is_done": "every result is of a finished table",
    "end_has_time": "a table that has ended, and no other, has a time of its end",
    "lease_is_held": "a running table, and no other, has a lease",
    "lease_is_fresh": "no lease has run out long ago without the table being played again",
    "seats_are_full": "every table has as many players as seats",
    "attempts_are_few": "no table has had more attempts than it may",
    "result_is_rated": "every result of a rated table stands in its ladder's ledger",
    "entry_has_result": "every result in a ledger is of a finished rated table of that ladder",
    "ledger_has_no_gap": "the places of a ledger are 0, 1, 2 … without a gap",
    "fold_goes_on": "a ladder whose ratings lack entries has a job that folds them",
    "round_goes_on": "a round of a league that is being played has tables to play or a job that ends it",
    "commitment_fits": "the commitment of every table is that of its seed",
    "entry_fits_result": "a ledger holds the players and placements of the table's result",
    **set_invariants.PROMISES,
}
"""Their names, and each in words."""


def broken(tx: Session, late_ms: int = LATE_MS) -> list[Broken]:
    """How every promise stands, in the order of :data:`PROMISES`.

    ``late_ms``: a lease that ran out so long ago counts as forgotten.
    """
    asked = {name: _asked(tx, name, select_of()) for name, select_of in _SELECTS.items()}
    asked["lease_is_fresh"] = _asked(tx, "lease_is_fresh", _stale(now_ms(tx) - late_ms))
    asked["commitment_fits"] = _walked("commitment_fits", _false_commitments(tx))
    asked["entry_fits_result"] = _walked("entry_fits_result", _false_entries(tx))
    asked["entry_fits_set"] = _walked("entry_fits_set", set_invariants.false_set_entries(tx))
    return [asked[name] for name in PROMISES]


def _asked(tx: Session, promise: str, statement: Any) -> Broken:
    count = tx.execute(select(func.count()).select_from(statement.subquery())).scalar_one()
    few = tx.execute(statement.limit(EXAMPLES)).scalars().all() if count else []
    return Broken(promise, count, tuple(str(one) for one in few))


def _walked(promise: str, found: Iterator[str]) -> Broken:
    count = 0
    few: list[str] = []
    for one in found:
        count += 1
        if len(few) < EXAMPLES:
            few.append(one)
    return Broken(promise, count, tuple(few))


def _tables(*where: Any) -> Any:
    return select(GameTable.id).where(*where).order_by(GameTable.id)


def _has_result() -> Any:
    return exists().where(Result.table_id == GameTable.id)


def _unfinished_results() -> Any:
    done = exists().where(GameTable.id == Result.table_id, GameTable.state == DONE)
    return select(Result.table_id).where(not_(done)).order_by(Result.table_id)


def _ended() -> Any:
    return GameTable.state.in_((DONE, VOID))


def _mistimed() -> Any:
    return _tables(
        or_(
            and_(_ended(), GameTable.ended_at.is_(None)),
            and_(not_(_ended()), GameTable.ended_at.is_not(None)),
        )
    )


def _mislet() -> Any:
    held = and_(GameTable.lease_owner.is_not(None), GameTable.lease_until.is_not(None))
    free = and_(GameTable.lease_owner.is_(None), GameTable.lease_until.is_(None))
    return _tables(
        or_(and_(GameTable.state == RUNNING, not_(held)), and_(GameTable.state != RUNNING, not_(free)))
    )


def _stale(before: int) -> Any:
    return _tables(GameTable.state == RUNNING, GameTable.lease_until < before)


def _empty_seats() -> Any:
    seated = select(func.count()).select_from(TableSeat).where(TableSeat.table_id == GameTable.id)
    return _tables(seated.correlate(GameTable).scalar_subquery() != GameTable.seats)


def _unrated() -> Any:
    entered = exists().where(
        LedgerEntry.table_id == GameTable.id,
        LedgerEntry.ladder_id == GameTable.ladder_id,
        LedgerEntry.kind == RESULT,
    )
    rated = (GameTable.state == DONE, GameTable.rated, GameTable.ladder_id.is_not(None))
    return _tables(*rated, not_(entered), not_(set_invariants.plays_together(GameTable.id)))


def _false_origins() -> Any:
    origin = exists().where(
        GameTable.id == LedgerEntry.table_id,
        GameTable.ladder_id == LedgerEntry.ladder_id,
        GameTable.state == DONE,
        GameTable.rated,
    )
    where = (LedgerEntry.kind == RESULT, not_(origin))
    return select(_entry_name()).where(*where).order_by(LedgerEntry.ladder_id, LedgerEntry.place)


def _entry_name() -> Any:
    return cast(LedgerEntry.ladder_id, Text) + literal("/") + cast(LedgerEntry.place, Text)


def _gapped() -> Any:
    figures = select(func.count(), func.min(LedgerEntry.place), func.max(LedgerEntry.place))
    of_ladder = figures.where(LedgerEntry.ladder_id == Ladder.id).correlate(Ladder)
    count, least, most = (
        of_ladder.with_only_columns(column).scalar_subquery() for column in figures.selected_columns
    )
    whole = and_(count == Ladder.next_place, or_(count == 0, and_(least == 0, most == count - 1)))
    return select(Ladder.name).where(not_(whole)).order_by(Ladder.id)


def _unfolded() -> Any:
    job = exists().where(Job.kind == jobs.FOLD, Job.key == cast(Ladder.id, Text))
    behind = and_(Ladder.folded_place < Ladder.next_place, not_(job))
    ahead = Ladder.folded_place > Ladder.next_place
    return select(Ladder.name).where(or_(behind, ahead)).order_by(Ladder.id)


def _stuck_rounds() -> Any:
    job = exists().where(Job.kind == jobs.ROUND, Job.key == cast(LeagueRound.id, Text))
    open_states = (PLANNED, RUNNING)
    playing = exists().where(GameTable.round_id == LeagueRound.id, GameTable.state.in_(open_states))
    where = (LeagueRound.state != DONE, not_(job), not_(playing))
    return select(LeagueRound.id).where(*where).order_by(LeagueRound.id)


_SELECTS: dict[str, Callable[[], Any]] = {
    "done_has_result": lambda: _tables(GameTable.state == DONE, not_(_has_result())),
    "result_is_done": _unfinished_results,
    "end_has_time": _mistimed,
    "lease_is_held": _mislet,
    "seats_are_full": _empty_seats,
    "attempts_are_few": lambda: _tables(GameTable.attempt > MAX_ATTEMPTS),
    "result_is_rated": _unrated,
    "entry_has_result": _false_origins,
    "ledger_has_no_gap": _gapped,
    "fold_goes_on": _unfolded,
    "round_goes_on": _stuck_rounds,
    "set_goes_on": set_invariants.stuck_sets,
    "set_shares_a_deal": set_invariants.split_deals,
    "set_has_entry": set_invariants.misentered_sets,
}


def _false_commitments(tx: Session) -> Iterator[str]:
    columns = (GameTable.id, GameTable.seed, GameTable.commitment)
    for id, seed, commitment in _pages(tx, select(*columns), GameTable.id):
        if hashlib.sha256(seed).hexdigest() != commitment:
            yield id


def _false_entries(tx: Session) -> Iterator[str]:
    columns = (Result.table_id, Result.placements, LedgerEntry.content)
    entered = and_(LedgerEntry.table_id == Result.table_id, LedgerEntry.kind == RESULT)
    alone = not_(set_invariants.plays_together(Result.table_id))
    statement = select(*columns).join(LedgerEntry, entered).where(alone)
    for page in _chunks(_pages(tx, statement, Result.table_id)):
        players = _players(tx, [row[0] for row in page])
        for id, placements, content in page:
            if _said(content) != (players.get(id), placements):
                yield id


def _said(content: dict[str, Any]) -> tuple[list[int], list[int]]:
    seats = content["seats"]
    return [seat["player_id"] for seat in seats], [seat["placement"] for seat in seats]


def _players(tx: Session, ids: Sequence[str]) -> dict[str, list[int]]:
    statement = select(TableSeat.table_id, TableSeat.player_id).where(TableSeat.table_id.in_(ids))
    players: dict[str, list[int]] = {}
    for id, player in tx.execute(statement.order_by(TableSeat.table_id, TableSeat.seat)):
        players.setdefault(id, []).append(player)
    return players


def _pages(tx: Session, statement: Any, key: Any) -> Iterator[Any]:
    """All rows in the order of their first column, which is ``key``, some at a time."""
    last = ""
    while rows := tx.execute(statement.where(key > last).order_by(key).limit(PAGE)).all():
        yield from rows
        last = rows[-1][0]


def _chunks(rows: Iterator[Any]) -> Iterator[list[Any]]:
    page: list[Any] = []
    for row in rows:
        page.append(row)
        if len(page) == PAGE:
            yield page
            page = []
    if page:
        yield page
