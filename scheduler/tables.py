"""Planning tables: their names, their secret seeds, their clocks."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from storage import tables
from storage.database import Transaction, now_ms
from storage.ladders import LadderRow
from storage.tables import NewTable

CLOCK: Mapping[str, int | None] = {
    "first_ms": 10_000,
    "move_ms": 2_000,
    "bank_ms": 30_000,
    "grace_ms": 30_000,
}
"""The limits of a remote bot's seat where nothing else was agreed; house seats have none."""

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's 32: none is taken for another


def new_id(now: int) -> str:
    """A name for a table: 26 letters that sort by time (48 bits of ms since 1970), 80 of them random bits."""
    number = now << 80 | secrets.randbits(80)
    return "".join(LETTERS[number >> shift & 31] for shift in range(125, -1, -5))


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
    now = now_ms(tx)
    planned = [
        NewTable(
            id=new_id(now),
            ladder_id=ladder.id,
            round_id=round_id,
            game=ladder.game,
            variant=ladder.variant,
            config=ladder.config,
            rated=True,
            clock=dict(clock),
            seed=secrets.token_bytes(32),
            not_before=not_before,
            seats=tuple(seating),
        )
        for seating in seatings
    ]
    tables.plan(tx, planned)
    return [table.id for table in planned]
