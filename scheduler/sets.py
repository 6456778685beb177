"""Use cases of sets: how a ladder that is played together makes them, and planning them."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine_service.core.game import ConfigError, Variant, check_seats
from scheduler.domain.sets import lineup
from scheduler.tables import CLOCK, new_table
from storage import sets, teams
from storage.database import Transaction, now_ms
from storage.ladders import LadderRow
from storage.new_tables import new_ids
from storage.sets import NewSet, Rule, SetSeating

SIZE = 4
"""Entrants of a set where the ladder says nothing else,"""

SEATS = 3
"""and seats of each of its tables."""


def check_rule(variant: Variant, size: int | None, seats: int | None) -> Rule | None:
    """How a ladder of that variant makes its sets, what is not given by default; None: it makes none.

    ConfigError if the variant is not played together, and yet one of them is given, or for
    seats that it has not.
    """
    if not variant.cooperative:
        if size is not None or seats is not None:
            raise ConfigError(
                f"in {variant.name} one plays against the others at one's table: only where a game is played "
                "together has a ladder sets of a size and a number of seats"
            )
        return None
    seats = max(variant.min_seats, min(SEATS, variant.max_seats)) if seats is None else seats
    check_seats(variant, seats)
    return Rule(SIZE if size is None else size, seats)


def check_size(size: int) -> None:
    """ConfigError for a size that no set has."""
    if not 2 <= size <= sets.MOST:
        raise ConfigError(f"a set has 2 to {sets.MOST} entrants, not {size}")


def plan_together(
    tx: Transaction,
    ladder: LadderRow,
    seats: int,
    groups: Iterable[Sequence[tuple[int, int]]],
    *,
    round_id: int | None = None,
    clock: Mapping[str, Any] = CLOCK,
) -> list[str]:
    """Plans a set for each group of entrants, each at a table of ``seats`` seats; the tables' ids.

    A group is (player id, version id); a team's bots take its seats in turn. All tables of a set
    share a seed that only the database knows.
    """
    wanted = [tuple(group) for group in groups]
    lineups = teams.lineups(tx, [version for group in wanted for _, version in group])
    new = [_new_set(tx, ladder, seats, group, lineups, round_id, clock) for group in wanted]
    sets.plan_sets(tx, new)
    return [seating.table.id for one in new for seating in one.tables]


def _new_set(
    tx: Transaction,
    ladder: LadderRow,
    seats: int,
    entrants: Sequence[tuple[int, int]],
    lineups: Mapping[int, Sequence[tuple[int, int]]],
    round_id: int | None,
    clock: Mapping[str, Any],
) -> NewSet:
    set_id, *ids = new_ids(now_ms(tx), 1 + len(entrants))
    seed = secrets.token_bytes(32)
    dealt = []
    for id, entrant in zip(ids, entrants, strict=True):
        bots = lineup(lineups.get(entrant[1], [entrant]), seats)
        table = new_table(ladder, id, bots, seed=seed, clock=clock, round_id=round_id, together=True)
        dealt.append(SetSeating(table, entrant))
    return NewSet(set_id, ladder.id, round_id, tuple(dealt))
