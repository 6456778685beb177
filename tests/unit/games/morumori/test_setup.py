"""The start: streams, sizes, what everybody is shown, what nobody is."""

import pytest

from engine_service.core.game import Chance, ConfigError, State, Turn
from engine_service.games.morumori import MORUMORI
from tests.unit.games.morumori.script import config, faces_of, mix, new, run, shows

SMALL = mix("1 1 2 x2 0 miss")


def pending(state: State) -> Chance:
    found = state.pending()
    assert isinstance(found, Chance)
    return found


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_the_start_seat_is_drawn_also_where_there_is_one(seats: int) -> None:
    state = new(seats, "coop")
    assert (pending(state).stream, pending(state).sizes) == ("first", [seats])
    assert state.reading([seats - 1]) == {"faces": [str(seats - 1)]}
    shows(state, state="first", player=None, start=None, decides=None, slots="", target=1)
    assert run(state, f"first {seats - 1}") == [{"event": "first", "seat": seats - 1}]
    shows(state, state="layout", player=seats - 1, start=seats - 1)


def test_all_cards_are_laid_out_and_ten_are_shown() -> None:
    state = new(2)
    run(state, "first 0")
    assert (pending(state).stream, pending(state).sizes) == ("layout", list(range(45, 0, -1)))
    cards = state.reading([0] * 45)["faces"]
    assert cards == [face for face, count in config()["mix"].items() for _ in range(count)]
    assert [sighting.event for sighting in state.resolve([0] * 45)] == [{"event": "layout", "cards": 45}]
    shows(state, state="peek", slots=" ".join("?" * 45), decides=None)
    assert (pending(state).stream, pending(state).sizes) == ("peek", list(range(45, 35, -1)))
    assert state.reading([44, 0, 0]) == {"slots": [44, 0, 1]}
    told = [sighting.event for sighting in state.resolve([44, 0, 0, 0, 0, 0, 0, 0, 0, 0])]
    assert told == [
        {
            "event": "peek",
            "slots": [44, 0, 1, 2, 3, 4, 5, 6, 7, 8],
            "faces": ["miss", "1", "1", "1", "1", "1", "1", "2", "2", "2"],
        },
        {"event": "turn", "seat": 0, "target": 1},
    ]
    shows(state, state="flip", decides=0, target=1, total=0, turn=0, slots=" ".join("?" * 45))


def test_the_layout_stands_in_its_slots() -> None:
    state = new(2, mix=SMALL, peek=2)
    run(state, "first 1", "layout 2 miss 1 0 x2 1")
    told = run(state, "peek 4 1")
    assert told[0] == {"event": "peek", "slots": [4, 1], "faces": ["x2", "miss"]}
    assert faces_of(state) == ["2", "miss", "1", "0", "x2", "1"]


def test_lives_belong_to_coop() -> None:
    for variant, lives in (("coop", 4), ("versus", None)):
        state = new(2, variant)
        shows(state, lives=lives)


@pytest.mark.parametrize(("variant", "seats"), [("versus", 1), ("versus", 7), ("coop", 0), ("coop", 7)])
def test_seat_counts_outside(variant: str, seats: int) -> None:
    with pytest.raises(ConfigError, match=f"not by {seats}"):
        new(seats, variant)


def test_the_card() -> None:
    versus, coop = MORUMORI.card.variants
    assert (versus.name, versus.min_seats, versus.max_seats) == ("versus", 2, 6)
    assert (versus.may_tie, versus.cooperative) == (False, False)
    assert (coop.name, coop.min_seats, coop.max_seats) == ("coop", 1, 6)
    assert (coop.may_tie, coop.cooperative) == (True, True)


def test_a_solo_player_always_has_the_turn() -> None:
    state = new(1, "coop", mix=mix("3 3 3 3"), peek=0)
    run(state, "first 0", "layout 3 3 3 3", "flip 0", "flip 1")
    shows(state, player=0, turn=2, lives=2)
    assert isinstance(state.pending(), Turn)
