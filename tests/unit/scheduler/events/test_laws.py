"""What holds for every stage, however it is played."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.events.facts import Drawn, Ended, Match, corrected, fold
from scheduler.domain.events.settings import (
    DOUBLE,
    GAUNTLET,
    ROUND_ROBIN,
    SINGLE,
    SWISS,
    Stage,
    StageError,
)
from scheduler.domain.events.situation import Situation
from scheduler.domain.events.stage import difference, look
from tests.unit.scheduler.events.playing import SEED, play_wildly

GAMES = [(2, 5), (2, 6), (3, 5), (2, 4)]  # the fewest and the most seats of our games


@st.composite
def stages(
    draw: st.DrawFn, formats: tuple[str, ...] = (ROUND_ROBIN, SWISS, SINGLE, DOUBLE, GAUNTLET)
) -> Stage:
    least, most = draw(st.sampled_from(GAMES))
    seats = draw(st.integers(least, most))
    return Stage(
        draw(st.sampled_from(formats)),
        seats,
        least,
        most,
        advance=draw(st.integers(1, min(seats - 1, most - least + 1))),
        best_of=draw(st.sampled_from([1, 1, 3])),
        extra=draw(st.integers(0, 2)),
        rounds=draw(st.integers(1, 5)),
        heroes=draw(st.integers(1, seats - 1)),
    )


def matches_of(situation: Situation) -> list[Match]:
    return [match for matches in situation.matches for match in matches]


@given(stages(), st.integers(2, 12), st.integers(0, 2**32))
def test_it_ends_and_everybody_is_placed_once(stage: Stage, entrants: int, luck: int) -> None:
    entrants = max(entrants, stage.least, 2 * stage.rounds, stage.heroes + 1)
    _, end = play_wildly(entrants, stage, Random(luck))
    assert [line.rank for line in end.lines] == list(range(1, entrants + 1))
    assert sorted(line.entrant for line in end.lines) == list(range(entrants))
    values = [tuple(line.values.values()) for line in end.lines]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == entrants, "the last value is never equal"


@pytest.mark.slow
@pytest.mark.parametrize("format_", [SWISS, SINGLE, DOUBLE])
@pytest.mark.parametrize("entrants", [127, 300])
@pytest.mark.parametrize("seats", [2, 4])
def test_large_fields(format_: str, entrants: int, seats: int) -> None:
    stage = Stage(format_, seats, 2, 5, advance=seats // 2, rounds=4)
    _, end = play_wildly(entrants, stage, Random(entrants))
    assert sorted(line.entrant for line in end.lines) == list(range(entrants))


@given(st.integers(2, 20), st.integers(1, 6), st.integers(0, 2**32))
def test_in_a_swiss_of_two_nobody_meets_twice_and_nobody_has_two_byes(
    entrants: int, rounds: int, luck: int
) -> None:
    stage = Stage(SWISS, 2, rounds=min(rounds, entrants // 2))
    _, end = play_wildly(entrants, stage, Random(luck))
    matches = matches_of(end)
    pairs = Counter(frozenset(match.company) for match in matches if len(match.company) == 2)
    byes = Counter(match.company[0] for match in matches if len(match.company) == 1)
    assert set(pairs.values()) <= {1}
    assert set(byes.values()) <= {1}


@given(st.integers(2, 11), st.integers(0, 2**32))
def test_in_a_round_robin_of_two_all_meet_once(entrants: int, luck: int) -> None:
    _, end = play_wildly(entrants, Stage(ROUND_ROBIN, 2), Random(luck))
    pairs = Counter(frozenset(match.company) for match in matches_of(end) if len(match.company) == 2)
    assert pairs == dict.fromkeys(map(frozenset, combinations(range(entrants), 2)), 1)


@given(stages((SINGLE,)), st.integers(2, 30), st.integers(0, 2**32))
def test_a_knockout_lets_nobody_back_and_gives_byes_in_its_first_round_only(
    stage: Stage, entrants: int, luck: int
) -> None:
    entrants = max(entrants, stage.least)
    _, end = play_wildly(entrants, stage, Random(luck))
    alive = set(range(entrants))
    for number, matches in enumerate(end.matches):
        sat = [one for match in matches for one in match.company]
        assert sorted(sat) == sorted(alive)
        assert all(len(match.company) >= stage.least for match in matches) or (stage.seats, number) == (2, 0)
        goes_on = end.matches[number + 1] if number + 1 < len(end.matches) else ()
        alive = {one for match in goes_on for one in match.company}
    assert not alive


@given(stages((DOUBLE,)), st.integers(2, 20), st.integers(0, 2**32))
def test_a_double_knockout_ends_nobody_before_the_second_loss(stage: Stage, entrants: int, luck: int) -> None:
    entrants = max(entrants, stage.least)
    _, end = play_wildly(entrants, stage, Random(luck))
    last_slot: dict[int, str] = {}
    for match in matches_of(end):
        last_slot |= dict.fromkeys(match.company, match.slot)
    assert all(slot[0] in "LF" for slot in last_slot.values()), "nobody ends in the upper bracket"
    byes = Counter(
        match.company[0] for match in matches_of(end) if len(match.company) == 1 and match.slot[0] == "L"
    )
    assert max(byes.values(), default=0) <= 2


@given(stages(), st.integers(3, 7), st.integers(0, 2**32))
def test_a_look_depends_on_the_facts_alone(stage: Stage, entrants: int, luck: int) -> None:
    entrants = max(entrants, stage.least, 2 * stage.rounds, stage.heroes + 1)
    facts, end = play_wildly(entrants, stage, Random(luck))
    assert look(range(entrants), stage, facts, SEED) == end
    ended = [fact for fact in facts if isinstance(fact, Ended)]
    others = [fact for fact in facts if not isinstance(fact, Ended)]
    Random(luck).shuffle(ended)
    assert look(range(entrants), stage, [*ended, *others], SEED).lines == end.lines, (
        "in whatever order they came"
    )


@given(stages(), st.integers(3, 7), st.integers(0, 2**32))
def test_after_any_correction_the_stage_can_be_played_to_its_end(
    stage: Stage, entrants: int, luck: int
) -> None:
    entrants = max(entrants, stage.least, 2 * stage.rounds, stage.heroes + 1)
    facts, end = play_wildly(entrants, stage, Random(luck))
    games = [fact for fact in facts if isinstance(fact, Ended)]
    if not games:
        return
    wrong = Random(luck).choice(games)
    company = wrong.placements or dict.fromkeys(wrong.match.company, 0)
    right = Ended(wrong.match, wrong.game, dict(zip(company, reversed(range(len(company))), strict=True)))
    after = look(range(entrants), stage, corrected(facts, right), SEED)
    told = difference(look(range(entrants), stage, facts, SEED), after)
    drawn = {match for fact in facts if isinstance(fact, Drawn) for match in fact.matches}
    assert not drawn & set(told.lost), "a draw that was made stands"
    assert set(told.lost) <= set(matches_of(end))


@given(stages(), st.integers(3, 7), st.integers(0, 2**32))
def test_a_stage_whose_entrants_change_is_played_anew_to_its_end(
    stage: Stage, entrants: int, luck: int
) -> None:
    """As after a correction of the stage before: somebody else came through."""
    entrants = max(entrants, stage.least, 2 * stage.rounds, stage.heroes + 1)
    facts, _ = play_wildly(entrants, stage, Random(luck))
    others = [entrants, *range(1, entrants)]
    again, end = play_wildly(entrants, stage, Random(luck), others, facts)
    assert again[: len(facts)] == facts
    assert sorted(line.entrant for line in end.lines) == sorted(others)
    assert {one for match in matches_of(end) for one in match.company} <= set(others)


def test_a_game_that_is_void_for_good_is_not_played_again() -> None:
    stage = Stage(SINGLE, 2)
    (wanted,) = look(range(2), stage, [], SEED).wanted
    void = Ended(wanted.match, 1, None)
    assert look(range(2), stage, [void], SEED).wanted[0].game == 2
    for_good = Ended(wanted.match, 1, None, for_good=True)
    assert look(range(2), stage, [for_good], SEED).is_over


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": "ladder", "seats": 2},
        {"format": SINGLE, "seats": 7},
        {"format": SINGLE, "seats": 4, "advance": 4},
        {"format": SWISS, "seats": 2},
        {"format": SINGLE, "seats": 2, "best_of": 0},
        {"format": GAUNTLET, "seats": 3, "heroes": 3},
        {"format": DOUBLE, "seats": 5, "least": 3, "most": 5, "advance": 4},
    ],
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(StageError, match=r"\w"):
        Stage(**wrong)  # type: ignore[arg-type]  # the table has words and numbers


def test_a_game_is_told_once() -> None:
    match = Match("W1.1", (0, 1))
    with pytest.raises(ValueError, match="told twice"):
        fold([Ended(match, 1, {0: 0, 1: 1}), Ended(match, 1, {0: 1, 1: 0})])
