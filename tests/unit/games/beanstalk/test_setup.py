"""What lies on the table before the first decision."""

import pytest

from engine_service.core.game import Chance, ConfigError
from engine_service.games.beanstalk import BEANSTALK
from tests.unit.games.beanstalk.script import config, legal, new, run, shows


@pytest.mark.parametrize(("seats", "participants"), [(2, 3), (3, 3), (4, 4)])
def test_with_two_the_npc_plays(seats: int, participants: int) -> None:
    state = new(seats)
    shows(state, state="support", decides=[], turn=0, support=[], squares=[0] * participants)
    shows(state, hands=[[1, 2, 3, 4, 5]] * participants, directions=["up"] * participants)
    run(state, "support 35214")
    shows(state, state="commit", decides=list(range(seats)), support=[3, 5, 2, 1, 4], cards=[])
    assert legal(state, seats - 1) == ["play 1", "play 2", "play 3", "play 4", "play 5"]


def test_the_row_is_dealt_without_replacement() -> None:
    state = new(3)
    pending = state.pending()
    assert isinstance(pending, Chance)
    assert (pending.stream, pending.sizes) == ("support", [5, 4, 3, 2, 1])
    assert state.reading([2, 3, 1, 0, 0]) == {"faces": ["3", "5", "2", "1", "4"]}
    assert state.resolve([2, 3, 1, 0, 0])[0].event == {"event": "support", "cards": [3, 5, 2, 1, 4]}


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_seats(seats: int) -> None:
    with pytest.raises(ConfigError, match=f"2 to 4, not by {seats}"):
        new(seats)


def test_unknown_variant() -> None:
    with pytest.raises(ConfigError, match="no variant 'quick'"):
        BEANSTALK.new("quick", config(), 2)
