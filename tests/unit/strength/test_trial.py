"""The sequential test: how often it errs, that it ends, and its figures by hand."""

from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mamenoki.strength.trial import LEAST, Claim, Trial

CLAIM = Claim(null=0.25, alternative=0.30, alpha=0.05, beta=0.05)


def run(claim: Claim, share: float, dice: Random, most: int = 20_000) -> bool | None:
    trial = Trial(claim)
    for _ in range(most):
        trial.observe(float(dice.random() < share))
        if trial.verdict is not None:
            return trial.verdict
    return None


def test_figures_by_hand() -> None:
    trial = Trial(Claim(0.5, 0.6))
    for value in (1.0, 0.0, 1.0, 1.0):
        trial.observe(value)
    assert trial.mean == 0.75
    assert trial.variance == pytest.approx(0.25)
    assert trial.error == pytest.approx(0.25)
    assert trial.ratio == 0.0, "too few to say anything"
    for _ in range(9):
        for value in (1.0, 0.0, 1.0, 1.0):
            trial.observe(value)
    variance = (30 - 40 * 0.75**2) / 39
    assert trial.ratio == pytest.approx(40 * 0.1 * (1.5 - 1.1) / (2 * variance))


def test_bounds_are_those_of_the_errors() -> None:
    assert CLAIM.bounds == pytest.approx((log(0.05 / 0.95), log(0.95 / 0.05)))


@pytest.mark.parametrize(("share", "wanted"), [(0.25, False), (0.30, True)])
def test_it_errs_no_more_often_than_it_says(share: float, wanted: bool) -> None:
    dice = Random(11)
    verdicts = [run(CLAIM, share, dice) for _ in range(200)]
    assert None not in verdicts
    wrong = sum(verdict is not wanted for verdict in verdicts)
    assert wrong <= 19  # of 200 with a chance of 5 % each; more are drawn once in 250 times


def test_a_clear_difference_is_known_soon_and_never_before_enough() -> None:
    for value, wanted in ((1.0, True), (0.0, False)):
        trial = Trial(Claim(0.5, 0.6))
        while trial.verdict is None:
            trial.observe(value)
        assert trial.verdict is wanted
        assert trial.count == LEAST


def a_set(seats: int, share: float, luck: float, dice: Random) -> float:
    """The share of wins over one deal from every seat. With ``luck`` one seat's cards win, whoever has it:
    then the share is the even one, and the deal says nothing."""
    if dice.random() < luck:
        return 1 / seats
    true = (share - luck / seats) / (1 - luck)
    return sum(dice.random() < true for _ in range(seats)) / seats


@settings(max_examples=8, deadline=None)
@given(
    seats=st.sampled_from([2, 3, 4, 6]),
    luck=st.sampled_from([0.0, 0.3, 0.6]),
    chances=st.sampled_from([(0.05, 0.05), (0.1, 0.02), (0.02, 0.1)]),
    better=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_over_sets_it_errs_no_more_often_than_it_says(
    seats: int, luck: float, chances: tuple[float, float], better: bool, seed: int
) -> None:
    """At the edges of the claim, where it errs most; bounds that are passed once in ten thousand times."""
    claim = Claim(1 / seats, 1.25 / seats, *chances)
    share, chance = (claim.alternative, claim.beta) if better else (claim.null, claim.alpha)
    dice, tries = Random(seed), 120
    wrong = 0
    for _ in range(tries):
        trial = Trial(claim)
        while trial.verdict is None:
            trial.observe(a_set(seats, share, luck, dice))
        wrong += trial.verdict is not better
    assert wrong <= tries * chance + 4 * (tries * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize(("share", "wanted"), [(0.20, False), (0.40, True)])
def test_beyond_its_edges_it_hardly_errs(share: float, wanted: bool) -> None:
    dice = Random(3)
    verdicts = [run(CLAIM, share, dice) for _ in range(100)]
    assert verdicts.count(wanted) >= 99


def test_it_needs_fewer_observations_than_a_test_that_is_planned() -> None:
    """A fixed plan for these errors needs (1.645 + 1.645)² v / step² observations; this one on average half."""
    dice, planned = Random(5), (2 * 1.645) ** 2 * 0.25 * 0.75 / 0.05**2
    counts = []
    for _ in range(60):
        trial = Trial(CLAIM)
        while trial.verdict is None:
            trial.observe(float(dice.random() < 0.25))
        counts.append(trial.count)
    assert sum(counts) / len(counts) < 0.7 * planned
