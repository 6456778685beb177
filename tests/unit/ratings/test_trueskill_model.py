"""TrueSkill as we use it: against the package, under ties, and where floats end."""

from itertools import pairwise, permutations

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.trueskill_model import BETA, DRAW_PROBABILITY, START, TAU, Skill, rate

SKILLS = [
    Skill(25.0, 8.0),
    Skill(31.0, 2.0),
    Skill(18.5, 1.0),
    Skill(25.0, 4.0),
    Skill(40.0, 3.0),
    Skill(5.0, 6.0),
]

skills = st.builds(Skill, st.floats(-50, 100), st.floats(0.3, 8.4))
tables = st.lists(st.tuples(skills, st.integers(0, 3)), min_size=2, max_size=6)

# The size of an upset (or of a foregone win), the seats, and how sure the figures are.
GAPS = (10, 30, 60, 100, 300, 1000, 10_000, 1_000_000)
UPSETS = [(gap, seats, deviation) for gap in GAPS for seats in (2, 3, 4, 6) for deviation in (0.5, 2.0, 8.3)]


@pytest.mark.parametrize("seats", range(2, 7))
def test_without_ties_it_is_the_package(seats: int) -> None:
    for may_tie, draws in ((True, DRAW_PROBABILITY), (False, 0.0)):
        environment = trueskill.TrueSkill(beta=BETA, tau=TAU, draw_probability=draws)
        wanted = environment.rate([(trueskill.Rating(*skill),) for skill in SKILLS[:seats]])
        found = rate(SKILLS[:seats], range(seats), may_tie)
        for mine, (theirs,) in zip(found, wanted, strict=True):
            assert mine == pytest.approx((theirs.mu, theirs.sigma), abs=1e-5)


def test_a_known_game_of_two() -> None:
    """The figures of Microsoft's own calculator for two newcomers, draw chance 10 %."""
    winner, loser = rate([START, START], [0, 1], may_tie=True)
    assert winner == pytest.approx((29.396, 7.171), abs=1e-3)
    assert loser == pytest.approx((20.604, 7.171), abs=1e-3)


@settings(deadline=None)
@given(tables)
def test_the_order_of_the_arguments_makes_no_difference(table: list[tuple[Skill, int]]) -> None:
    given_skills, placements = [skill for skill, _ in table], [place for _, place in table]
    forwards = rate(given_skills, placements, may_tie=True)
    backwards = rate(given_skills[::-1], placements[::-1], may_tie=True)
    assert forwards == backwards[::-1]


@pytest.mark.parametrize(
    "placements", [(0, 0), (0, 1, 1), (0, 0, 0, 1), (0, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 0)]
)
@pytest.mark.parametrize("may_tie", [True, False])
def test_equals_who_tie_move_equally_in_every_order(placements: tuple[int, ...], may_tie: bool) -> None:
    wanted: dict[int, Skill] = {}
    for order in permutations(range(len(placements))):
        places = [placements[seat] for seat in order]
        for place, skill in zip(places, rate([START] * len(order), places, may_tie), strict=True):
            assert wanted.setdefault(place, skill) == skill


@pytest.mark.parametrize("seats", [5, 6])
def test_equals_who_tie_move_equally_at_full_tables(seats: int) -> None:
    assert len(set(rate([START] * seats, [0] * seats, may_tie=True))) == 1
    tail = rate([START] * seats, [0] + [1] * (seats - 1), may_tie=True)
    assert len(set(tail[1:])) == 1


def test_unequals_who_tie_get_their_own_figures_in_every_order() -> None:
    placements = [0, 1, 1, 1]
    wanted = rate(SKILLS[:4], placements, may_tie=True)
    for order in permutations(range(4)):
        found = rate([SKILLS[seat] for seat in order], [placements[seat] for seat in order], may_tie=True)
        assert [found[order.index(seat)] for seat in range(4)] == wanted


def test_almost_equals_who_tie_move_almost_equally() -> None:
    """Where a seat stands in the package's chain of neighbours must not show."""
    start = [Skill(25 + n * 1e-6, 8.0) for n in range(3)]
    moves = [
        after.mean - before.mean for before, after in zip(start, rate(start, [0, 0, 0], True), strict=True)
    ]
    assert max(moves) - min(moves) < 1e-5


def test_ties_pull_together() -> None:
    strong, weak = rate([Skill(35, 4), Skill(15, 4)], [0, 0], may_tie=True)
    assert strong.mean < 35
    assert weak.mean > 15


@pytest.mark.parametrize(("gap", "seats", "deviation"), UPSETS)
def test_no_upset_breaks_it(gap: float, seats: int, deviation: float) -> None:
    before = [Skill(25.0 + gap * seat, deviation) for seat in range(seats)]
    ranks = list(range(seats))
    cases = [(ranks, True), (ranks[::-1], False), ([0, *ranks[:-1]], True), ([*ranks[:-1], seats - 2], False)]
    for placements, may_tie in cases:
        after = rate(before, placements, may_tie)
        assert all(0 < skill.deviation < deviation + 0.1 for skill in after)
    upset = rate(before, ranks, may_tie=True)  # the weakest won
    assert upset[0].mean >= before[0].mean
    assert upset[-1].mean <= before[-1].mean


def test_the_grid_has_96_cases() -> None:
    assert len(UPSETS) == 96


def test_exact_figures_join_the_floats() -> None:
    """Just before and just after floats give out, the move is about the same."""
    moves = [
        rate([Skill(25, 2.0), Skill(25 + gap, 2.0)], [0, 1], True)[0].mean - 25 for gap in range(200, 330, 2)
    ]
    steps = [after - before for before, after in pairwise(moves)]
    assert max(steps) < 2 * min(steps)
    assert min(steps) > 0


@pytest.mark.parametrize(
    ("given_skills", "placements"), [([START], [0]), ([START] * 7, [0] * 7), ([START] * 2, [0])]
)
def test_a_table_has_two_to_six_of_both(given_skills: list[Skill], placements: list[int]) -> None:
    with pytest.raises(ValueError, match="2 to 6"):
        rate(given_skills, placements, may_tie=True)


def test_the_shown_number() -> None:
    assert START.shown == 0.0
    assert Skill(30.0, 2.0).shown == 24.0
