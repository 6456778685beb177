"""What is dealt before the first decision."""

import pytest

from engine_service.core.game import Chance, ConfigError
from engine_service.games.mushi import MUSHI
from tests.unit.games.mushi.script import config, fall, legal, new, run, shows


@pytest.mark.parametrize(("seats", "deck"), [(2, 70), (3, 66), (4, 62), (5, 58)])
def test_deal(seats: int, deck: int) -> None:
    state = new(seats)
    shows(state, state="first", player=None, decides=None, deck=deck + 10, yards=["RYGB"] * seats)
    first = state.pending()
    assert isinstance(first, Chance)
    assert (first.stream, first.sizes) == ("first", [seats])
    fall(state, str(seats - 1))
    dealt = state.pending()
    assert isinstance(dealt, Chance)
    assert (dealt.stream, dealt.sizes) == ("deck", list(range(deck + 10, deck, -1)))
    fall(state, "RRRYYGGGBB")
    shows(state, state="target", player=seats - 1, decides=seats - 1, turn=0, deck=deck)
    shows(state, hub="RRRYYGGGBB", dice="=======", catch="-", owner=None, heaps=[0] * seats)


def test_a_whole_first_turn() -> None:
    state = new(3)
    told = run(state, "first 2", "deck RRRYYGGGBB", "hub", "boost RY", "roll =====", "fall RYYG=", "stop")
    assert [event["event"] for event in told] == [
        "first",
        "deal",
        "target",
        "boost",
        "roll",
        "success",
        "stop",
    ]
    shows(state, state="target", player=0, decides=0, turn=1, owner=2, catch="RYYG", hub="RRRYGGBB")
    assert legal(state) == ["hub", "catch"]


def test_the_first_turn_is_not_refilled() -> None:
    state = new(2)
    run(state, "first 0", "deck RRRYYGGGBB", "hub")
    shows(state, state="boost", deck=70, hub="RRRYYGGGBB")


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_seats(seats: int) -> None:
    with pytest.raises(ConfigError, match=f"2 to 5, not by {seats}"):
        new(seats)


def test_unknown_variant() -> None:
    with pytest.raises(ConfigError, match="no variant 'quick'"):
        MUSHI.new("quick", config(), 2)


def test_letters_of_the_deck_lie_in_canonical_order() -> None:
    state = new(2)
    fall(state, "0")
    assert state.reading([0, 18, 36, 56, 75, 74, 0, 0, 0, 0]) == {"faces": list("RRYGBBRRRR")}
