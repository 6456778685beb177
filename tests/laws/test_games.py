"""Every law, on every game, variant, seat count and odd setting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_service.core.game import Turn
from tests.laws import knowledge, positions
from tests.laws.cases import CASES, Case
from tests.laws.players import POLICIES, TOO_LONG, Moment

seeds = st.integers(0, 2**32)
policies = st.sampled_from(sorted(POLICIES))
depths = st.one_of(st.integers(0, 30), st.integers(0, 600))
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@every_case
@given(seed=seeds, policy=policies, depth=depths)
def test_laws_of_positions(case: Case, seed: int, policy: str, depth: int) -> None:
    moment = Moment(case, seed, policy).go(depth)
    for law in positions.AT_ANY_STEP:
        law(moment)


@every_case
@given(seed=seeds, policy=policies, depth=depths)
def test_laws_of_knowledge(case: Case, seed: int, policy: str, depth: int) -> None:
    moment = Moment(case, seed, policy).go(depth).to_a_turn()
    if not isinstance(moment.state.pending(), Turn):
        return
    for law in knowledge.AT_A_TURN:
        law(moment)


@every_case
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_every_game_ends(case: Case, policy: str) -> None:
    moment = Moment(case, seed=7, policy=policy).go(TOO_LONG)
    assert moment.over
    for law in positions.AT_ANY_STEP:
        law(moment)
