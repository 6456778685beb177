"""The laws at length, for ./dev soak: a thousand matches a setting, every law at every step of some."""

import pytest

from engine_service.core.game import Turn
from engine_service.core.replay import verify
from tests.laws import digest, knowledge, positions
from tests.laws.cases import ALL_GAMES, CASES, Case
from tests.laws.players import POLICIES, Moment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_thousand_matches_verify(case: Case) -> None:
    for seed in range(1000):
        referee = digest.play(case, seed)
        assert verify(referee.replay(), ALL_GAMES).ranks == referee.result.ranks


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_law_at_every_step(case: Case, policy: str) -> None:
    moment = Moment(case, 11, policy)
    while not moment.over:
        for law in positions.AT_ANY_STEP:
            law(moment)
        if isinstance(moment.state.pending(), Turn):
            for law in knowledge.AT_A_TURN:
                law(moment)
        moment.step()
