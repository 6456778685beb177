"""The figures of fairness, on fields small enough to count by hand, and the bounds that matchmaking keeps."""

from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.fairness import BOUNDS, assess
from scheduler.domain.matchmaking import Rules
from tests.unit.scheduler.test_matchmaking import Season, field_of


def test_nobody_and_nothing_is_even() -> None:
    for figures in (assess([], []), assess([1, 2], [])):
        assert (figures.games_spread, figures.seat_spread, figures.repeats) == (0, 0, 0)
        assert figures.exceeded() == []


def test_games_are_those_of_the_field() -> None:
    figures = assess([1, 2, 3], [(1, 2), (2, 1), (1, 9)])
    assert (figures.players, figures.tables) == (3, 3)
    assert figures.games_spread == 3  # player 1 sat three times, player 3 not once
    assert figures.exceeded() == []


def test_seats_are_compared_at_tables_of_one_size() -> None:
    """Seat 0 of two and seat 2 of three are both taken by 1 alone, and neither twice more than elsewhere."""
    assert assess([1], [(1, 2), (3, 2, 1)]).seat_spread == 1
    assert assess([1], [(1, 2)] * 5 + [(2, 1)]).seat_spread == 4
    assert assess([1], [(1, 2)] * 5).exceeded() == ["seat_spread"]


def test_a_bound_is_twice_as_wide_where_the_past_was_cut_off() -> None:
    tables = [(1, 2)] * 8
    assert assess([1], tables).exceeded() == ["seat_spread"]
    assert assess([1], tables, cut=True).exceeded() == []
    assert assess([1], tables, cut=True).bound("repeats") is None


def test_a_repeat_is_a_meeting_again_at_the_very_next_table() -> None:
    assert assess([1, 2, 3], [(1, 2), (1, 3), (1, 2)]).repeats == Fraction(1, 3)  # 2 met 1 twice running
    assert assess([1, 2, 3], [(1, 2, 3), (3, 2, 1)]).repeats == 1
    assert assess([1, 2, 3, 4], [(1, 2), (3, 4), (1, 3), (2, 4)]).repeats == 0


def test_sizes_say_nothing_before_there_are_enough_tables() -> None:
    few = [(1, 2)] * 10 + [(1, 3, 4)] * 9
    assert assess([1, 2, 3], few).size_spread == 0
    enough = [(1, 2)] * 20 + [(3, 4, 5)] * 20
    assert assess([1, 3], enough).size_spread == 1
    assert "size_spread" in assess([1, 3], enough).exceeded()


@settings(max_examples=15, deadline=None)
@given(count=st.integers(8, 60), least=st.integers(2, 3), seed=st.integers(0, 2**32))
def test_matchmaking_keeps_the_bounds(count: int, least: int, seed: int) -> None:
    random = Random(seed)
    season = Season(field_of(count, None, random), Rules(least, 5), count, 1, random).play(60)
    tables = [table for planned in season.history for table in planned]
    figures = assess(season.entrants, tables)
    assert figures.exceeded() == [], figures
    assert figures.games_spread == season.spread
    assert set(BOUNDS) == {"games_spread", "seat_spread", "size_spread"}
