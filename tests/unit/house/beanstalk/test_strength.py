"""Strong beats greedy, greedy beats random: with fixed seeds, so that only a change of play can turn a result."""

import math

import pytest

from mamenoki import house
from mamenoki.sdk.local import Table, match_seed, play_match


def wins(one: str, others: str, seats: int, matches: int) -> float:
    """How many matches ``one`` wins against a table of ``others``, each seat equally often; ties are shared."""
    return sum(win(one, others, seats, index) for index in range(matches))


def win(one: str, others: str, seats: int, index: int) -> float:
    place = index % seats
    programs = [one if seat == place else others for seat in range(seats)]
    bots = [house.make("beanstalk", program, {}) for program in programs]
    played = play_match(Table(f"m{index}", "beanstalk", programs, match_seed(seats, index)), bots)
    assert played.faults == []
    ranks = played.outcome.ranks
    return 1 / ranks.count(0) if ranks[place] == 0 else 0.0


def clearly(won: float, seats: int, matches: int, deviations: float) -> bool:
    """Whether equal players would win so many only by a luck of so many standard deviations."""
    even = matches / seats
    return won > even + deviations * math.sqrt(even * (1 - 1 / seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random(seats: int) -> None:
    assert clearly(wins("greedy", "random", seats, 120), seats, 120, 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_strong_beats_greedy(seats: int) -> None:
    assert clearly(wins("strong", "greedy", seats, 16), seats, 16, 1.5)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("one", "others"), [("greedy", "random"), ("strong", "greedy")])
def test_each_beats_the_one_before_in_many_matches(one: str, others: str, seats: int) -> None:
    assert clearly(wins(one, others, seats, 400), seats, 400, 4)
