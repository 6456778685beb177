"""When somebody on a continuous ladder plays next: its place in the queue, and about how long that takes.

**In the ladder's queue.** :mod:`scheduler.domain.matchmaking` builds each table around the most
urgent entrant with a free place. ``place`` counts those that come first, and those that are equally
urgent, since lots decide between them. Each table seats its anchor and others, so that about
``1 + (place - 1) / seats`` tables bring the turn, ``seats`` being the middle of the table sizes; and
it takes no more than ``most``: one for oneself, and for each of the others as many as it can be the
anchor of before it is less urgent.

**In the dispatcher's queue.** A table that is planned waits for those planned before it and for those in
play, each of which takes ``step_ms`` (see :mod:`scheduler.domain.forecast`). One with a remote player waits for
no worker.

**Together**: ``plan_ms / 2 + (queued + about) * step_ms``, the first for the planner's next window; where the
table waits for no worker, only as many tables count as there is no room to plan.

Pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .forecast import Pace
from .matchmaking import Entrant, Rules, room


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a ladder's queue, from 1. The turn comes with table number ``about``, and ``most`` at the latest."""

    place: int
    about: float
    most: int


@dataclass(frozen=True, slots=True)
class Service:
    """How planned tables are served. ``queued``: tables for workers that are planned or in play; ``room``: tables
    that may be planned now; ``plan_ms``: a window of the planner."""

    queued: int
    room: int
    plan_ms: int


def place_of(entrants: Iterable[Entrant], rules: Rules, player: int) -> Place | None:
    """Where a player stands among the entrants of a ladder; None if it has no free place now, or too few
    who have one may sit with it."""
    free = {entrant.player: entrant for entrant in entrants if entrant.places > 0}
    mine = free.pop(player, None)
    if mine is None:
        return None
    company = [other for other in free.values() if other.owners.isdisjoint(mine.owners)]
    if 1 + room(company) < rules.least:
        return None
    times = [_times_before(other, mine, rules) for other in free.values()]
    place = 1 + sum(count > 0 for count in times)
    seats = min(rules.least + rules.most, 2 * (1 + room(company))) / 2
    return Place(place, 1 + (place - 1) / seats, 1 + sum(times))


def waits(place: Place, service: Service, pace: Pace, *, tables_each: int = 1, by_worker: bool) -> int:
    """About how many milliseconds until the table begins. ``tables_each``: of a set, which is planned as a whole."""
    tables = place.about * tables_each
    queued = service.queued + tables if by_worker else max(0.0, tables - service.room)
    return round(service.plan_ms / 2 + queued * pace.step_ms)


def _times_before(other: Entrant, mine: Entrant, rules: Rules) -> int:
    """How many tables may be built around another before it is this one's turn.

    After each of them it has a game more and has waited for nothing.
    """
    if _urgency(other, rules) > _urgency(mine, rules):
        return 0
    starved = mine.waited_ms >= max(1, rules.longest_wait_ms)
    ahead = 1 if starved else max(1, mine.games - other.games + (mine.waited_ms == 0))
    return min(ahead, other.places)


def _urgency(entrant: Entrant, rules: Rules) -> tuple[int, int, int]:
    """As matchmaking has it, but for the lots."""
    starved = entrant.waited_ms if entrant.waited_ms >= rules.longest_wait_ms else 0
    return -starved, entrant.games, -entrant.waited_ms
