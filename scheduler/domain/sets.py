"""Sets of the continuous ladder: who plays the same deal next, each at a table of its own.

Whoever is in a set is chosen as for a table of :mod:`scheduler.domain.matchmaking`: the fewest
games first, then the longest wait, then near skill; never two of one owner, who could tell
each other of the deal. A set has the wanted size, or as many as there are here: it rather waits
for those who are still playing than be small, but keeps nobody longer than ``longest_wait_ms``.

Pure: the seed is an argument, and the same call gives the same sets.
"""

from collections.abc import Sequence

from .matchmaking import Entrant, Rules, plan, room

LEAST = 2


def plan_sets(
    entrants: Sequence[Entrant], size: int, longest_wait_ms: int, sets: int, seed: int
) -> list[tuple[int, ...]]:
    """At most so many sets, each its players in the order of their tables, the most urgent set first."""
    free = [entrant for entrant in entrants if entrant.places > 0]
    here = [entrant for entrant in entrants if entrant.places > 0 or entrant.waited_ms == 0]
    planned = _of_size(min(size, room(here)), entrants, longest_wait_ms, sets, seed)
    if planned or all(entrant.waited_ms < longest_wait_ms for entrant in free):
        return planned
    return _of_size(min(size, room(free)), entrants, longest_wait_ms, min(sets, 1), seed)


def lineup(members: Sequence[tuple[int, int]], seats: int) -> tuple[tuple[int, int], ...]:
    """Who takes which seat of an entrant's table: its members in turn; a bot alone takes them all."""
    return tuple(members[seat % len(members)] for seat in range(seats))


def _of_size(
    size: int, entrants: Sequence[Entrant], longest_wait_ms: int, sets: int, seed: int
) -> list[tuple[int, ...]]:
    if size < LEAST:
        return []
    return plan(entrants, Rules(size, size, longest_wait_ms=longest_wait_ms), sets, seed)
