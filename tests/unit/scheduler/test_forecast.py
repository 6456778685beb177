"""Forecasts of rounds and seasons, by hand and against workers that take the tables one after another."""

import heapq
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.cron import following, next_window
from scheduler.domain.forecast import (
    READ,
    Pace,
    forecast_round,
    forecast_season,
    pace_of,
    tables_of_round,
)
from scheduler.domain.rounds import Past, RoundError, Wish, plan_round

DAY = 86_400_000


def work_off(durations: Sequence[int], workers: int, at: int = 0) -> list[tuple[int, int]]:
    """Each table's beginning and end, where whichever worker is free takes the next one."""
    free = [at] * workers
    spans = []
    for duration in durations:
        began = heapq.heappop(free)
        heapq.heappush(free, began + duration)
        spans.append((began, began + duration))
    return spans


def test_a_pace_by_hand() -> None:
    assert pace_of([]) is None
    assert pace_of([(0, 10), (5, 20), (100, 110)]) == Pace(3, 35 / 3, 10.0)  # 30 ms in play, one pause
    assert pace_of([(0, 100), (10, 20)]) == Pace(2, 55.0, 50.0)  # one inside the other
    assert pace_of([(7, 7)]) == Pace(1, 0.0, 0.0)


def test_a_pace_does_not_depend_on_the_order() -> None:
    spans = work_off([30, 10, 20, 50, 10], 2)
    assert pace_of(spans) == pace_of(spans[::-1])


@given(players=st.integers(4, 40), each=st.integers(1, 3), seed=st.integers(0, 99))
def test_a_round_has_as_many_tables_as_are_planned(players: int, each: int, seed: int) -> None:
    wish = Wish(each, 4, 2, 5)
    planned = plan_round(range(players), wish, Past(), seed)
    assert tables_of_round([range(players)], wish, apart=False) == len(planned)
    assert tables_of_round([range(players)], wish, apart=True) == sum(map(len, planned))


def test_a_field_that_cannot_play_is_said() -> None:
    with pytest.raises(RoundError, match="needs 2 players and there are 1"):
        tables_of_round([[1, 2], [3]], Wish(1, 2, 2, 4), apart=False)


@given(
    workers=st.integers(1, 8),
    tables=st.integers(1, 300),
    ahead=st.integers(0, 50),
    kind=st.sampled_from(["even", "varied", "heavy"]),
    seed=st.integers(0, 2**32),
)
def test_the_end_of_a_round_is_off_by_no_more_than_is_said(
    workers: int, tables: int, ahead: int, kind: str, seed: int
) -> None:
    dice = Random(seed)
    draw = {
        "even": lambda: 100,
        "varied": lambda: dice.randint(20, 500),
        "heavy": lambda: int(dice.paretovariate(2) * 50),
    }
    durations = [draw[kind]() for _ in range(400 + ahead + tables)]
    past, present = durations[:400], durations[400:]
    pace = pace_of(work_off(past, workers))
    assert pace is not None
    told = forecast_round(tables, ahead * pace.step_ms, 1_000_000, pace)
    ended = max(end for _, end in work_off(present, workers, 1_000_000))
    drift = abs(sum(present) / workers - len(present) * pace.step_ms)
    assert abs(told.ends_at - ended) <= max(durations) + drift + 1
    assert (told.tables, told.begins_at) == (tables, 1_000_000)
    assert told.work_ms == round(tables * pace.step_ms)


def test_a_forecast_is_near_where_tables_are_many() -> None:
    """Not only within its bound: within a twentieth of what it really took."""
    dice = Random(5)
    pace = pace_of(work_off([dice.randint(20, 500) for _ in range(1000)], 4))
    assert pace is not None
    took = max(end for _, end in work_off([dice.randint(20, 500) for _ in range(1000)], 4))
    assert abs(forecast_round(1000, 0, 0, pace).ends_at - took) < took / 20


def test_a_season_follows_its_schedule() -> None:
    schedule = ("0 18 * * *", "Europe/Berlin")
    begins = next_window(*schedule, 0)
    quick = forecast_season(3, 10, 0, following(*schedule, begins), begins, Pace(5, 1000.0, 100.0))
    assert (quick.tables, quick.work_ms, quick.begins_at) == (30, 3000, begins)
    assert quick.ends_at == begins + 2 * DAY + 2000


def test_a_round_that_lasts_beyond_the_next_window_is_followed_at_once() -> None:
    days = [DAY * number for number in range(2, 30)]
    pace = Pace(5, 0.0, DAY / 8)  # ten eighths of a day each
    assert forecast_season(2, 10, 0, days, DAY, pace).ends_at == DAY + 20 * DAY // 8
    assert forecast_season(5, 10, 0, days, DAY, pace).ends_at == DAY + 50 * DAY // 8


def test_a_schedule_much_faster_than_its_rounds_is_not_read_for_ever() -> None:
    read = iter(range(10**12))
    told = forecast_season(1_000, 1, 0, read, 0, Pace(1, 0.0, 1_000.0))
    assert told.ends_at == 1_000_000
    assert next(read) == READ


def test_a_season_that_nearly_fills_its_schedule() -> None:
    """Each ends before the next begins, but for what waits ahead."""
    told = forecast_season(4, 9, 0.5 * DAY, [2 * DAY, 3 * DAY, 4 * DAY, 5 * DAY], DAY, Pace(1, 0.0, DAY / 18))
    assert told.ends_at == 5 * DAY
