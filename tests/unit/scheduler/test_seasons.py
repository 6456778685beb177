"""Divisions: who goes up and down, by hand and over many fields."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.seasons import DOWN, STAYS, STEPS, UP, Finish, divide, move_all


def names(divisions: Sequence[Sequence[int]]) -> list[list[int]]:
    return [sorted(division) for division in divisions]


def test_a_first_season_is_divided_by_rating() -> None:
    skills = {1: 10.0, 2: 30.0, 3: 20.0, 4: 25.0}
    assert divide([], skills, skills, size=2, least=2) == [[2, 4], [3, 1]]
    assert divide([], [*skills, 5], skills, size=2, least=2) == [[2, 4, 3], [1, 5]]
    assert divide([], skills, skills, size=0, least=2) == [[2, 4, 3, 1]]
    assert divide([], [7], {}, size=4, least=2) == [[7]]
    assert divide([], [], {}, size=4, least=2) == [[]]


def test_the_best_go_up_and_the_worst_go_down() -> None:
    finishes = move_all([[1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16]], movers=2)
    assert [one.player for one in finishes if one.move == UP] == [11, 12]
    assert [one.player for one in finishes if one.move == DOWN] == [5, 6]
    again = divide(finishes, [one.player for one in finishes], {}, size=6, least=2)
    assert again == [[1, 2, 3, 4, 11, 12], [5, 6, 13, 14, 15, 16]]


def test_at_most_a_third_of_the_smaller_division_moves() -> None:
    finishes = move_all([[1, 2, 3, 4, 5, 6], [11, 12, 13]], movers=3)
    assert [one.player for one in finishes if one.move != STAYS] == [6, 11]
    assert all(one.move == STAYS for one in move_all([[1, 2], [11, 12]], movers=3))
    assert all(one.move == STAYS for one in move_all([[1, 2, 3]], movers=3))


def test_whoever_left_neither_goes_up_nor_down_and_makes_room() -> None:
    finishes = move_all([[1, 2, 3], [11, 12, 13]], movers=1, gone={3, 11})
    assert [(one.player, one.move) for one in finishes if one.move != STAYS] == [(2, DOWN), (12, UP)]
    assert names(divide(finishes, [1, 2, 12, 13], {}, size=2, least=2)) == [[1, 12], [2, 13]]


def test_newcomers_come_in_at_the_bottom() -> None:
    finishes = move_all([[1, 2, 3], [11, 12, 13]], movers=0)
    skills = {90: 50.0, 91: 60.0}
    divided = divide(finishes, [1, 2, 3, 11, 12, 13, 90, 91], skills, size=4, least=2)
    assert divided == [[1, 2, 3, 11], [12, 13, 91, 90]]


@pytest.mark.parametrize("verb", STEPS)
def test_no_step_leads_back_to_where_it_may_be_taken(verb: str) -> None:
    sources, target = STEPS[verb]
    assert target not in sources


@settings(max_examples=200)
@given(
    count=st.integers(0, 120),
    size=st.integers(0, 20),
    least=st.integers(2, 4),
    movers=st.integers(0, 5),
    seasons=st.integers(1, 5),
    seed=st.integers(0, 2**32),
)
def test_everybody_is_in_one_division(
    count: int, size: int, least: int, movers: int, seasons: int, seed: int
) -> None:
    """Over seasons with comings and goings: nobody is lost or doubled, sizes differ by one at most,
    no division is too small where the field is not, as many come down as go up."""
    dice = Random(seed)
    field, fresh, last = list(range(count)), count, list[Finish]()
    for _ in range(seasons):
        divisions = divide(last, field, {}, size, least)
        assert sorted(player for division in divisions for player in division) == sorted(field)
        sizes = [len(division) for division in divisions]
        assert max(sizes) - min(sizes) <= 1
        assert len(field) < least or min(sizes) >= least
        gone = {player for player in field if dice.random() < 0.1}
        last = move_all([dice.sample(division, len(division)) for division in divisions], movers, gone)
        for at in range(1, len(divisions)):
            up = [one for one in last if one.division == at + 1 and one.move == UP]
            down = [one for one in last if one.division == at and one.move == DOWN]
            assert len(up) <= movers
            assert len(down) <= movers
            assert gone or len(up) == len(down)
        field = [player for player in field if player not in gone] + [fresh, fresh + 1]
        fresh += 2
