"""Chances of places: against closed forms, symmetry and sampling."""

import random
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.prediction import predict
from ratings.trueskill_model import BETA, START, Skill

skills = st.builds(Skill, st.floats(-20, 80), st.floats(0.3, 8.4))


def test_two_players_have_a_closed_form() -> None:
    a, b = Skill(30.0, 2.0), Skill(26.0, 5.0)
    spread = (a.deviation**2 + b.deviation**2 + 2 * BETA**2) ** 0.5
    wins = NormalDist().cdf((a.mean - b.mean) / spread)
    assert predict([a, b])[0] == pytest.approx([wins, 1 - wins], abs=1e-12)


@pytest.mark.parametrize("seats", range(2, 7))
def test_equals_have_equal_chances(seats: int) -> None:
    for row in predict([START] * seats):
        assert row == pytest.approx([1 / seats] * seats, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(skills, min_size=2, max_size=6))
def test_chances_sum_to_one_both_ways(table: list[Skill]) -> None:
    found = predict(table)
    for row in found:
        assert all(0 <= chance <= 1 for chance in row)
        assert sum(row) == pytest.approx(1, abs=1e-12)
    for place in zip(*found, strict=True):
        assert sum(place) == pytest.approx(1, abs=1e-9)


def test_it_is_what_sampling_gives() -> None:
    table = [Skill(28.0, 1.0), Skill(25.0, 4.0), Skill(20.0, 8.0), Skill(31.0, 2.0)]
    dice = random.Random(7)
    runs = 20_000
    counts = [[0] * len(table) for _ in table]
    for _ in range(runs):
        shown = [dice.gauss(dice.gauss(skill.mean, skill.deviation), BETA) for skill in table]
        for place, player in enumerate(sorted(range(len(table)), key=lambda player: -shown[player])):
            counts[player][place] += 1
    for row, wanted in zip(counts, predict(table), strict=True):
        assert [count / runs for count in row] == pytest.approx(wanted, abs=0.015)


def test_the_order_asked_is_the_order_answered() -> None:
    strong, weak = predict([Skill(40.0, 1.0), Skill(10.0, 1.0)])
    assert strong[0] > 0.99
    assert weak[1] > 0.99


def test_it_is_the_same_every_time() -> None:
    table = [Skill(28.0, 1.0), Skill(25.0, 4.0), Skill(20.0, 8.0)]
    assert predict(table) == predict(table)


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_a_table_has_two_to_six(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 6"):
        predict([START] * seats)
