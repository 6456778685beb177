"""Strong beats greedy, greedy beats random: with fixed seeds, so that only a change of play can turn a result."""

import math

import pytest

from mamenoki import house
from mamenoki.sdk.local import Played, Table, match_seed, play_match


def play(variant: str, programs: list[str], index: int) -> Played:
    bots = [house.make("morumori", program, {}) for program in programs]
    seed = match_seed(len(programs), index)
    played = play_match(Table(f"m{index}", f"morumori/{variant}", programs, seed), bots)
    assert played.faults == []
    return played


def wins(one: str, others: str, seats: int, matches: int) -> int:
    """How many matches ``one`` wins against a table of ``others``, each seat equally often."""
    return sum(win(one, others, seats, index) for index in range(matches))


def win(one: str, others: str, seats: int, index: int) -> bool:
    place = index % seats
    programs = [one if seat == place else others for seat in range(seats)]
    return play("versus", programs, index).outcome.ranks[place] == 0


def clearly(won: float, seats: int, matches: int, deviations: float) -> bool:
    """Whether equal players would win so many only by a luck of so many standard deviations."""
    even = matches / seats
    return won > even + deviations * math.sqrt(even * (1 - 1 / seats))


def lead(one: str, other: str, seats: int, matches: int) -> float:
    """The mean lead of a team of ``one`` on the same deals, in its standard errors."""
    leads = [reached(one, seats, index) - reached(other, seats, index) for index in range(matches)]
    mean = sum(leads) / matches
    spread = math.sqrt(sum((lead - mean) ** 2 for lead in leads) / (matches - 1))
    return mean / (spread / math.sqrt(matches))


def reached(program: str, seats: int, index: int) -> int:
    return play("coop", [program] * seats, index).outcome.scores[0]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_greedy_beats_random(seats: int) -> None:
    assert clearly(wins("greedy", "random", seats, 12), seats, 12, 3)


def test_strong_beats_greedy() -> None:
    assert clearly(wins("strong", "greedy", 2, 100), 2, 100, 2)


@pytest.mark.parametrize("seats", [1, 6])
def test_a_greedy_team_gets_farther_than_a_random_one(seats: int) -> None:
    assert lead("greedy", "random", seats, 20) > 3


def test_a_strong_team_gets_farther_than_a_greedy_one() -> None:
    assert lead("strong", "greedy", 3, 80) > 2


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_strong_beats_greedy_in_many_matches(seats: int) -> None:
    assert clearly(wins("strong", "greedy", seats, 500), seats, 500, 3)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_strong_teams_get_farther_on_many_deals(seats: int) -> None:
    assert lead("strong", "greedy", seats, 300) > 3
