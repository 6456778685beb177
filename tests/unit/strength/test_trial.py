"""The sequential test: how often it errs, that it ends, and its figures by hand."""

from math import log
from random import Random

import pytest

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
