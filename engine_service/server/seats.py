"""Kinds of seats: who fills them, and how long they may think."""

from collections.abc import Sequence

from engine_service.core.clock import UNLIMITED, Limits
from storage.tables import SeatRow

PERSON = "person"
DEFAULT_CLOCK = {"first_ms": 10_000, "move_ms": 2_000, "bank_ms": 30_000, "grace_ms": 30_000}
BRIDGED = ("house", "uploaded", PERSON)
"""Players whose seats a bridge takes: a worker's, or the web's for people. An empty one is our fault."""


def limits_of(row: SeatRow, clock: dict[str, int | None]) -> Limits:
    """A seat's limits at a table with that clock. House bots have none."""
    if row.kind == "house":
        return UNLIMITED
    values = {**DEFAULT_CLOCK, **clock}
    return Limits(
        values["first_ms"],
        values["move_ms"],
        values["bank_ms"] or 0,
        30_000 if values["grace_ms"] is None else values["grace_ms"],
        may_forfeit=row.kind != PERSON,
    )


def remote_seats(rows: Sequence[SeatRow]) -> list[SeatRow]:
    """The seats that are filled by their player's own stream."""
    return [row for row in rows if row.kind not in BRIDGED]
