"""Published tables, by their sources."""

import pytest

from scheduler.domain.events.draws import berger
from scheduler.domain.events.facts import Ended, Match, fold
from scheduler.domain.events.series import Settled, settle
from scheduler.domain.events.settings import DOUBLE, ROUND_ROBIN, SINGLE, SWISS, Stage
from scheduler.domain.events.tables import table_of
from tests.unit.scheduler.events.playing import SEED, play

BERGER = {  # FIDE Handbook, C.05 annex 1: the Berger tables
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
}

SENSEIS = [  # Sensei's Library, "Sonneborn-Berger": A to D (0 to 3), two rounds of all against all
    (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3),
    (1, 0), (0, 2), (3, 0), (2, 1), (1, 3), (2, 3),
]  # fmt: skip
SENSEIS_SCORES = {0: (4, 11), 1: (4, 9), 2: (3, 6), 3: (1, 4)}

DOUBLES = [  # entrants, matches of each round, upper and lower: the usual eight- and sixteen-player brackets
    (4, {"W1": 2, "W2": 1, "L1": 1, "L2": 1, "F1": 1}),
    (8, {"W1": 4, "W2": 2, "W3": 1, "L1": 2, "L2": 2, "L3": 1, "L4": 1, "F1": 1}),
    (16, {"W1": 8, "W2": 4, "W3": 2, "W4": 1, "L1": 4, "L2": 4, "L3": 2, "L4": 2, "L5": 1, "L6": 1, "F1": 1}),
]


@pytest.mark.parametrize("players", BERGER)
def test_berger_tables(players: int) -> None:
    rounds = [" ".join("-".join(map(str, pair)) for pair in pairs) for pairs in berger(range(1, players + 1))]
    assert rounds == BERGER[players]


def test_sonneborn_berger_as_published() -> None:
    games = [Ended(Match(f"R{i}.1", pair), 1, {pair[0]: 0, pair[1]: 1}) for i, pair in enumerate(SENSEIS)]
    record = fold(games)
    settled = [settle(game.match, record, Stage(ROUND_ROBIN, 2), None) for game in games]
    lines = table_of(range(4), [one for one in settled if isinstance(one, Settled)], SEED)
    found = {line.entrant: (line.values["score"], line.values["sonneborn-berger"]) for line in lines}
    assert found == SENSEIS_SCORES
    assert [line.entrant for line in lines] == [0, 1, 2, 3]


@pytest.mark.parametrize(("entrants", "rounds"), DOUBLES)
def test_double_elimination_has_the_usual_rounds(entrants: int, rounds: dict[str, int]) -> None:
    _, end = play(entrants, Stage(DOUBLE, 2))
    found = {matches[0].slot.split(".")[0]: len(matches) for matches in end.matches}
    assert found == rounds
    assert sum(found.values()) == 2 * entrants - 2
    assert [line.entrant for line in end.lines][:2] == [0, 1]


def test_the_grand_final_is_played_again_if_the_lower_bracket_wins_it() -> None:
    def upset(wanted):  # type: ignore[no-untyped-def]  # a referee, as playing.Referee has it
        worst_wins = wanted.match.slot.startswith(("F", "W3"))
        order = sorted(wanted.players, reverse=worst_wins)
        return {one: place for place, one in enumerate(order)}

    _, end = play(8, Stage(DOUBLE, 2), upset)
    slots = [match.slot for matches in end.matches for match in matches]
    assert slots.count("F1.1") == 1
    first = next(m for ms in end.matches for m in ms if m.slot == "F1.1")
    lower_won = end.settled[first].order[0] == first.company[1]
    assert ("F2.1" in slots) == lower_won


def test_the_usual_bracket_of_eight() -> None:
    _, end = play(8, Stage(SINGLE, 2))
    assert [match.company for match in end.matches[0]] == [(0, 7), (3, 4), (1, 6), (2, 5)]
    assert [match.company for match in end.matches[1]] == [(0, 3), (1, 2)]
    assert end.matches[2][0].company == (0, 1)


def test_five_in_a_bracket_have_three_byes() -> None:
    _, end = play(5, Stage(SINGLE, 2))
    assert [match.company for match in end.matches[0]] == [(0,), (3, 4), (1,), (2,)]


def test_sixteen_at_tables_of_four_with_two_advancing() -> None:
    _, end = play(16, Stage(SINGLE, 4, 2, 5, advance=2))
    assert [[len(match.company) for match in matches] for matches in end.matches] == [[4] * 4, [4] * 2, [4]]
    assert [line.entrant for line in end.lines][:4] == [0, 1, 2, 3]
    firsts = [match.company for match in end.matches[0]]
    assert firsts == [(0, 7, 8, 15), (1, 6, 9, 14), (2, 5, 10, 13), (3, 4, 11, 12)]


def test_the_first_round_of_a_swiss_pairs_halves() -> None:
    _, end = play(8, Stage(SWISS, 2, rounds=1))
    halves = {frozenset(match.company) for match in end.matches[0]}
    assert len(halves) == 4
    assert all(min(pair) + 1 <= max(pair) for pair in halves)
