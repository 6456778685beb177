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

    A seating is (player id, version id), seat 0 first. Each table gets a seed that only
    the database knows; its commitment stands on the table from here on.
    """
    wanted = [tuple(seating) for seating in seatings]
    planned = [
        NewTable(
            id=id,
            ladder_id=ladder.id,
            round_id=round_id,
            game=ladder.game,
            variant=ladder.variant,
            config=ladder.config,
            rated=True,
            clock=dict(clock),
            seed=secrets.token_bytes(32),
            not_before=not_before,
            seats=seating,
        )
        for id, seating in zip(new_ids(now_ms(tx), len(wanted)), wanted, strict=True)
    ]
    tables.plan(tx, planned)
    return [table.id for table in planned]
