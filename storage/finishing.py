"""The end of tables: results, ledger entries and follow-up jobs in one transaction, once."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from . import ledger, webhooks
from .database import now_ms
from .endings import end_as_void, follow_events, follow_rounds, mark_void
from .errors import found
from .inserting import table_of
from .rows import DONE, PLANNED, RUNNING, VOID, lock_tables
from .schema import GameTable, PlayerVersion, Result, TableSeat
from .set_endings import ClosedSet, close_sets, enter, together

ALL_FORFEITED = "every seat was forfeited"


@dataclass(frozen=True, slots=True)
class Finished:
    """A played table. ``ranks`` by the rules alone; ``placements`` with forfeited seats last.

    ``forfeits``: seat -> why. ``moves``: decisions answered. ``replay``: the raw lines.
    """

    table_id: str
    fence: int
    end: str
    scores: Sequence[int]
    ranks: Sequence[int]
    placements: Sequence[int]
    forfeits: Mapping[int, str]
    strikes: Sequence[int]
    moves: int
    replay: bytes = field(repr=False)


def finish(tx: Session, finished: Sequence[Finished]) -> list[str]:
    """Writes results, each if its fence is still the table's. One word a table, in order:

    ``done``      written now; a rated table has its place in its ladder's ledger, in this order;
                  of a set whose tables are ranked together the last one takes it for all
    ``void``      ended now without a result: every seat was forfeited
    ``already``   ended before under this same fence: what was told then stands
    ``stale``     overtaken, void or unknown: nothing is written, discard it
    """
    tables = lock_tables(tx, sorted({one.table_id for one in finished}))
    shared = together(tx, list(tables))
    now = now_ms(tx)
    answers, ended = [], []
    for one in finished:
        table = tables.get(one.table_id)
        answer = _answer(table, one, one.table_id in shared)
        if table is not None and answer in {DONE, VOID}:
            _end(table, answer, now)
            ended.append((table, one))
        answers.append(answer)
    tx.flush()
    played = [(table, one) for table, one in ended if table.state == DONE]
    _insert_results(tx, played, now)
    closed = close_sets(tx, [table.id for table, _ in ended], now)
    follow_rounds(tx, [table.round_id for table, _ in ended])
    follow_events(tx, [table.id for table, _ in ended])
    webhooks.note_results(tx, [table.id for table, _ in played])
    _append_entries(tx, [(table, one) for table, one in played if table.id not in shared], closed)
    return answers


def void(tx: Session, table_id: str, reason: str) -> bool:
    """Ends a table without a result, whoever plays it. False if it had ended. NotFound if there is none."""
    table = found(lock_tables(tx, [table_id]).get(table_id), f"there is no table {table_id!r}")
    if table.state in {DONE, VOID}:
        return False
    end_as_void(tx, table, reason, now_ms(tx))
    return True


def void_unplayed(tx: Session, table_id: str, reason: str) -> bool:
    """Ends a table that nobody plays now, without a result. False if it is played, or has ended."""
    table = found(lock_tables(tx, [table_id]).get(table_id), f"there is no table {table_id!r}")
    if table.state != PLANNED:
        return False
    end_as_void(tx, table, reason, now_ms(tx))
    return True


def _answer(table: GameTable | None, one: Finished, shared: bool) -> str:
    """``shared``: all seats are one entrant's, who has lost by forfeiting them, to those of other tables."""
    if table is None or table.fence != one.fence:
        return "stale"
    if table.state == RUNNING:
        return VOID if len(one.forfeits) == table.seats and not shared else DONE
    by_finish = table.state == DONE or table.void_reason == ALL_FORFEITED
    return "already" if by_finish else "stale"


def _end(table: GameTable, answer: str, now: int) -> None:
    if answer == VOID:
        mark_void(table, ALL_FORFEITED, now)
        return
    table.state = DONE
    table.ended_at = now
    table.lease_owner = None
    table.lease_until = None


def _insert_results(tx: Session, played: Sequence[tuple[GameTable, Finished]], now: int) -> None:
    if played:
        tx.execute(table_of(Result).insert(), [_result(table, one, now) for table, one in played])


def _result(table: GameTable, one: Finished, now: int) -> dict[str, Any]:
    return {
        "table_id": table.id,
        "attempt": table.attempt,
        "end": one.end,
        "scores": list(one.scores),
        "ranks": list(one.ranks),
        "placements": list(one.placements),
        "forfeits": {str(seat): why for seat, why in sorted(one.forfeits.items())},
        "strikes": list(one.strikes),
        "moves": one.moves,
        "replay": zlib.compress(one.replay),
        "finished_at": now,
    }


def _append_entries(
    tx: Session, played: Sequence[tuple[GameTable, Finished]], closed: Sequence[ClosedSet]
) -> None:
    by_ladder: dict[int, list[tuple[GameTable, Finished]]] = {}
    for table, one in played:
        if table.rated and table.ladder_id is not None:
            by_ladder.setdefault(table.ladder_id, []).append((table, one))
    seats = _seats(tx, [table.id for rated in by_ladder.values() for table, _ in rated])
    if closed and by_ladder:  # two rounds over the ladders must not take their locks in two orders
        ledger.lock(tx, [*by_ladder, *(one.row.ladder_id for one in closed)])
    for ladder_id in sorted(by_ladder):
        entries = [_entry(table, one, seats[table.id]) for table, one in by_ladder[ladder_id]]
        ledger.append(tx, ladder_id, entries)
    enter(tx, closed)


def _entry(table: GameTable, one: Finished, seats: Sequence[tuple[int, int]]) -> ledger.NewEntry:
    placed = [
        {"player_id": player, "version": version, "placement": placement}
        for (player, version), placement in zip(seats, one.placements, strict=True)
    ]
    return ledger.NewEntry(ledger.RESULT, {"table": table.id, "seats": placed}, table.id)


def _seats(tx: Session, ids: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """(player id, version number) of each table's seats, in seat order."""
    statement = (
        select(TableSeat.table_id, TableSeat.player_id, PlayerVersion.number)
        .join(PlayerVersion, PlayerVersion.id == TableSeat.version_id)
        .where(TableSeat.table_id.in_(ids))
        .order_by(TableSeat.table_id, TableSeat.seat)
    )
    seats: dict[str, list[tuple[int, int]]] = {id: [] for id in ids}
    for table_id, player, version in tx.execute(statement):
        seats[table_id].append((player, version))
    return seats
