"""Who was better on one deal: entrants ranked by the scores of their tables. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scored:
    """An entrant's table. ``score``: that of any seat, since the rules give all of them the same.

    ``forfeited``: a seat of it was, so that the clock played on alone. ``number``: in the set, from 0.
    """

    table_id: str
    number: int
    entrant_id: int
    version: int
    score: int
    forfeited: bool
    ended_at: int


@dataclass(frozen=True, slots=True)
class Ranked(Scored):
    """``placement``: how many entrants are strictly better; equal scores are a tie."""

    placement: int


def rank(tables: Sequence[Scored]) -> list[Ranked]:
    """The tables best first, equal ones by number. Whoever forfeited a seat shares the last place."""
    keys = [_key(table) for table in tables]
    placed = [
        Ranked(
            one.table_id,
            one.number,
            one.entrant_id,
            one.version,
            one.score,
            one.forfeited,
            one.ended_at,
            sum(other > key for other in keys),
        )
        for one, key in zip(tables, keys, strict=True)
    ]
    return sorted(placed, key=lambda one: (one.placement, one.number))


def _key(table: Scored) -> tuple[bool, int]:
    return not table.forfeited, 0 if table.forfeited else table.score
