"""Strong beats greedy, greedy beats random: with fixed seeds, so that only a change of play can turn a result."""

import math

import pytest

from mamenoki import house
from mamenoki.house.entry import Entry
from mamenoki.house.seimi.roster import ROSTER
from mamenoki.sdk import BadSettings
from mamenoki.sdk.local import Table, match_seed, play_match


def wins(one: str, others: str, seats: int, matches: int) -> int:
    """How many matches ``one`` wins against a table of ``others``, each seat equally often."""
    return sum(win(one, others, seats, index) for index in range(matches))


def win(one: str, others: str, seats: int, index: int) -> bool:
    place = index % seats
    programs = [one if seat == place else others for seat in range(seats)]
    bots = [house.make("seimi", program, {}) for program in programs]
    played = play_match(Table(f"m{index}", "seimi", programs, match_seed(seats, index)), bots)
    assert played.faults == []
    return played.outcome.ranks[place] == 0


def clearly(won: int, seats: int, matches: int, deviations: float) -> bool:
    """Whether equal players would win so many only by a luck of so many standard deviations."""
    even = matches / seats
    return won > even + deviations * math.sqrt(even * (1 - 1 / seats))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_greedy_beats_random(seats: int) -> None:
    assert clearly(wins("greedy", "random", seats, 15), seats, 15, 3)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_strong_beats_greedy_in_few_matches(seats: int) -> None:
    assert clearly(wins("strong", "greedy", seats, 30), seats, 30, 1.5)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_strong_beats_greedy(seats: int) -> None:
    assert clearly(wins("strong", "greedy", seats, 400), seats, 400, 4)


@pytest.mark.parametrize("entry", ROSTER, ids=lambda entry: entry.name)
def test_every_entry_plays_a_match(entry: Entry) -> None:
    bots = [house.make("seimi", entry.program, entry.settings) for _ in range(4)]
    assert play_match(Table("m", "seimi", ["p"] * 4, match_seed(4, 1)), bots).faults == []


@pytest.mark.parametrize(
    ("program", "settings"),
    [
        ("greedy", {"most": 0}),
        ("greedy", {"swaps": 1}),
        ("strong", {"patience": 111}),
        ("strong", {"watchful": "no"}),
    ],
)
def test_settings_refused(program: str, settings: dict[str, object]) -> None:
    with pytest.raises(BadSettings, match="it must be"):
        house.make("seimi", program, settings)
