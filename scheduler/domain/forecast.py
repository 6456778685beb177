"""How long it will take: a round or a season before it starts, from how long tables took before.

**What is measured.** Of tables that were played, the times of their beginnings and ends. ``table_ms``
is the mean time of one in play. ``step_ms`` is the time for which anything at all was in play, divided by the
number of tables: all workers together end a table every ``step_ms``, however many of them there
are and however many tables each has on its hands at once. Times at which nothing was played do not count.

**A round** of ``tables`` that finds others waiting, good for ``ahead_ms`` of all workers together: the workers
are busy with it for ``tables * step_ms``, and the last of its tables ends
``ahead_ms + tables * step_ms + table_ms`` after its beginning. Where workers take one table after another,
that is never off by more than the time of the longest table and the difference of the tables' mean
from the measured one, times their number, over the number of workers.

**A season** is its rounds, each at the first window of the schedule after the one before has begun, or at that
one's end if it lasts longer: of the windows that it has missed meanwhile the last one counts. Of a schedule
so much faster than its rounds that READ windows have been read, the rounds left follow one another at once.

Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from .rounds import Wish, table_sizes

READ = 20_000
"""Windows of a schedule that a forecast looks at."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Milliseconds; see the module. ``tables``: how many were measured."""

    tables: int
    table_ms: float
    step_ms: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """``tables`` to be played, over ``work_ms`` of all workers together. ``begins_at``, ``ends_at``: ms since 1970."""

    tables: int
    work_ms: int
    begins_at: int
    ends_at: int


def pace_of(spans: Iterable[tuple[int, int]]) -> Pace | None:
    """The pace of tables that began and ended then (ms). None without any."""
    ordered = sorted(spans)
    if not ordered:
        return None
    busy, until = 0, ordered[0][0]
    for began, ended in ordered:
        busy += max(0, ended - max(began, until))
        until = max(until, ended)
    in_play = sum(ended - began for began, ended in ordered)
    return Pace(len(ordered), in_play / len(ordered), busy / len(ordered))


def tables_of_round(fields: Iterable[Sequence[int]], wish: Wish, *, apart: bool) -> int:
    """How many tables a round of those fields has. ``apart``: what meets in a set, each at a table of its own.

    RoundError if a field is too small to play.
    """
    sizes = [table_sizes(len(players), wish)[1] for players in fields]
    return sum(sum(field) if apart else len(field) for field in sizes)


def forecast_round(tables: int, ahead_ms: float, begins_at: int, pace: Pace) -> Forecast:
    """A round, or anything else that is planned all at once."""
    ends_at = begins_at + round(ahead_ms + tables * pace.step_ms + pace.table_ms)
    return Forecast(tables, round(tables * pace.step_ms), begins_at, ends_at)


def forecast_season(
    rounds: int,
    tables: int,
    ahead_ms: float,
    windows: Iterable[int],
    begins_at: int,
    pace: Pace,
) -> Forecast:
    """So many rounds (1 or more) of so many tables each, the first at ``begins_at``.

    ``windows``: those of the schedule after that, ascending.
    """
    first = last = forecast_round(tables, ahead_ms, begins_at, pace)
    ahead = islice(windows, READ)
    for _ in range(rounds - 1):
        window = next((one for one in ahead if one > last.begins_at), 0)
        last = forecast_round(tables, ahead_ms, max(window, last.ends_at), pace)
    return Forecast(rounds * tables, rounds * first.work_ms, first.begins_at, last.ends_at)
