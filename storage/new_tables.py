"""Planning tables: their names and their rows."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from .database import now_ms
from .errors import Invalid
from .inserting import table_of
from .rows import PLANNED
from .schema import GameTable, TableSeat

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's 32: none is taken for another


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to plan. ``seats``: (player id, version id), seat 0 first.

    ``seed``: 32 secret bytes; its SHA-256 becomes the table's commitment.
    ``not_before``: ms since 1970; 0: at once. ``id``: at most 26 characters, chosen by the caller.
    ``together``: all seats are one entrant's, so that a player may hold several.
    """

    id: str
    ladder_id: int | None
    round_id: int | None
    game: str
    variant: str
    config: dict[str, Any]
    rated: bool
    clock: dict[str, Any]
    seed: bytes = field(repr=False)
    not_before: int
    seats: tuple[tuple[int, int], ...]
    together: bool = False


def new_ids(now: int, count: int) -> list[str]:
    """Names for tables: 26 letters each that sort by time (48 bits of ms since 1970, then a number that
    begins at random), and in this order among themselves."""
    first = now << 80 | secrets.randbits(79)
    return [_letters(first + more) for more in range(count)]


def plan(tx: Session, tables: Sequence[NewTable]) -> None:
    """Inserts planned tables. Conflict if one of the ids is taken: then none is planned.

    Invalid if a player sits twice at a rated table, or a seed is not 32 bytes.
    """
    if not tables:
        return
    for table in tables:
        _check(table)
    now = now_ms(tx)
    tx.execute(table_of(GameTable).insert(), [_planned(table, now) for table in tables])
    tx.execute(table_of(TableSeat).insert(), [seat for table in tables for seat in _seats(table)])


def _check(table: NewTable) -> None:
    players = [player for player, _ in table.seats]
    if table.rated and not table.together and len(set(players)) < len(players):
        raise Invalid(f"table {table.id}: a player may sit at a rated table once, not as {players}")
    if len(table.seed) != 32:
        raise Invalid(f"table {table.id}: a seed is 32 bytes, not {len(table.seed)}")


def _planned(table: NewTable, now: int) -> dict[str, Any]:
    return {
        "id": table.id,
        "ladder_id": table.ladder_id,
        "round_id": table.round_id,
        "game": table.game,
        "variant": table.variant,
        "config": table.config,
        "seats": len(table.seats),
        "rated": table.rated,
        "clock": table.clock,
        "state": PLANNED,
        "attempt": 0,
        "fence": 0,
        "seed": table.seed,
        "commitment": hashlib.sha256(table.seed).hexdigest(),
        "not_before": table.not_before,
        "planned_at": now,
    }


def _seats(table: NewTable) -> list[dict[str, Any]]:
    return [
        {"table_id": table.id, "seat": seat, "player_id": player, "version_id": version}
        for seat, (player, version) in enumerate(table.seats)
    ]


def _letters(number: int) -> str:
    return "".join(LETTERS[number >> shift & 31] for shift in range(125, -1, -5))
