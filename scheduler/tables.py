"""Planning tables: their secret seeds, their clocks."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from storage import tables
from storage.database import Transaction, now_ms
from storage.ladders import LadderRow
from storage.new_tables import NewTable, new_ids

CLOCK: Mapping[str, int | None] = {
    "first_ms": 10_000,
    "move_ms": 2_000,
    "bank_ms": 30_000,
    "grace_ms": 30_000,
}
"""The limits of a remote bot's seat where nothing else was agreed; house seats have none."""


def new_table(
    ladder: LadderRow,
    id: str,
    seats: Iterable[tuple[int, int]],
    *,
    rated: bool = True,
    seed: bytes | None = None,
    clock: Mapping[str, Any] = CLOCK,
    round_id: int | None = None,
    not_before: int = 0,
    together: bool = False,
) -> NewTable:
    """A table of a ladder's game, to be planned. ``seats``: (player id, version id), seat 0 first.

    An unrated one is not the ladder's. Without a ``seed`` it gets one that only the database will know.
    """
    return NewTable(
        id=id,
        ladder_id=ladder.id if rated else None,
        round_id=round_id,
        game=ladder.game,
        variant=ladder.variant,
        config=ladder.config,
        rated=rated,
        clock=dict(clock),
        seed=secrets.token_bytes(32) if seed is None else seed,
        not_before=not_before,
        seats=tuple(seats),
        together=together,
    )


def plan_tables(
    tx: Transaction,
    ladder: LadderRow,
    seatings: Iterable[Sequence[tuple[int, int]]],
    *,
    round_id: int | None = None,
    clock: Mapping[str, Any] = CLOCK,
    not_before: int = 0,
) -> list[str]:
    """Plans rated tables of a ladder's game, one for each seating; the ids, in order.

    A seating is (player id, version id), seat 0 first. Each table's commitment stands on it from here on.
    """
    wanted = [tuple(seating) for seating in seatings]
    planned = [
        new_table(ladder, id, seating, round_id=round_id, clock=clock, not_before=not_before)
        for id, seating in zip(new_ids(now_ms(tx), len(wanted)), wanted, strict=True)
    ]
    tables.plan(tx, planned)
    return [table.id for table in planned]
