"""Every setting: its default, what it takes, and what it changes."""

from typing import Any

import pytest

from engine_service.core.game import Chance, ConfigError
from tests.unit.games.mushi.script import STANDARD, config, fall, legal, new, over, place, run, shows

FULL = "RRYYGB"

DEFAULTS = {
    "copies": 22,
    "hub_start": 10,
    "hub_floor": 8,
    "yard_limit": 6,
    "consolation": 2,
    "refill_per_bar": 1,
    "boost_every_roll": False,
    "dice": 7,
    "min_reroll": 4,
    "turn_limit": 500,
    "roll_limit": 50,
}

BOUNDS = {
    "copies": (5, 60),
    "hub_start": (1, 40),
    "hub_floor": (1, 40),
    "yard_limit": (4, 12),
    "consolation": (0, 12),
    "refill_per_bar": (0, 5),
    "dice": (1, 12),
    "min_reroll": (1, 12),
    "turn_limit": (1, 10_000),
    "roll_limit": (1, 1_000),
}


def test_defaults_in_order() -> None:
    assert list(config().items()) == list(DEFAULTS.items())
    assert (STANDARD.min_seats, STANDARD.max_seats, STANDARD.may_tie) == (2, 5, True)


@pytest.mark.parametrize(("key", "bounds"), BOUNDS.items(), ids=BOUNDS.keys())
def test_bounds(key: str, bounds: tuple[int, int]) -> None:
    low, high = bounds
    for good in bounds:
        assert config(**{key: good})[key] == good
    for bad in (low - 1, high + 1, str(low), float(low), True, None):
        with pytest.raises(ConfigError, match=f"{key} is .*; it must be an int from {low} to {high}"):
            config(**{key: bad})


@pytest.mark.parametrize("bad", [0, 1, "true", None])
def test_the_switch_takes_true_and_false_alone(bad: Any) -> None:
    assert config(boost_every_roll=True)["boost_every_roll"] is True
    with pytest.raises(ConfigError, match="it must be true or false"):
        config(boost_every_roll=bad)


@pytest.mark.parametrize(("copies", "seats", "hub", "deck"), [(22, 2, 10, 70), (7, 5, 8, 0), (5, 5, 0, 0)])
def test_copies(copies: int, seats: int, hub: int, deck: int) -> None:
    state = new(seats, copies=copies)
    fall(state, "0")
    pending = state.pending()
    if hub:
        assert isinstance(pending, Chance)
        state.resolve([0] * len(pending.sizes))
    shows(state, state="target", deck=deck)
    assert sum(state.view(None)["hub"]) == hub


def test_no_card_left_for_the_hub_ends_at_once() -> None:
    state = new(5, copies=5)
    run(state, "first 3", "hub")
    assert (over(state).end, over(state).scores, over(state).ranks) == ("normal", [0] * 5, [0] * 5)


def test_hub_start() -> None:
    state = new(2, hub_start=3)
    run(state, "first 0", "deck RYG", "hub")
    shows(state, hub="RYG", deck=77, state="boost")


def test_hub_floor_in_the_refill() -> None:
    state = place(hub="RY", dice="RRYYGGB", hub_floor=4)
    run(state, "hub", "deck GB")
    shows(state, hub="RYGB", state="boost")


@pytest.mark.parametrize(("floor", "owed"), [(6, 0), (7, 1), (9, 3)])
def test_hub_floor_in_the_end_check(floor: int, owed: int) -> None:
    state = place(hub="RRRRRR", yards=["RYG", "B"], deck=0, hub_floor=floor)
    run(state, "hub")
    shows(state, state="boost", owed=owed)


def test_hub_floor_in_the_sure_end() -> None:
    state = place(hub="RRRRRR", catch="YY", yards=["R", "B"], deck=2, hub_floor=9, dice="RRYYGGB")
    run(state, "hub")
    shows(state, state="keep")
    state = place(hub="RRRRRR", catch="YY", yards=["R", "B"], deck=2, hub_floor=10, dice="RRYYGGB")
    run(state, "hub")
    shows(state, state="refill")


@pytest.mark.parametrize(("limit", "most"), [(4, 0), (5, 1), (9, 5), (12, 8)])
def test_yard_limit_in_the_split(limit: int, most: int) -> None:
    state = place(state="keep", target="hub", catch="RRRRRRRR", yard_limit=limit)
    assert legal(state) == ["keep -", *["keep " + "R" * n for n in range(1, most + 1)]]


@pytest.mark.parametrize(("limit", "drawn"), [(4, 0), (5, 1), (12, 2)])
def test_yard_limit_in_the_consolation(limit: int, drawn: int) -> None:
    state = place(state="roll", target="hub", hub="R", rolling="====", yard_limit=limit)
    run(state, "fall YYYY", *(["deck " + "B" * drawn] if drawn else []))
    shows(state, state="target", yards=["RYGB" + "B" * drawn, "RYGB"])


@pytest.mark.parametrize(("due", "drawn"), [(0, 0), (1, 1), (5, 2)])
def test_consolation(due: int, drawn: int) -> None:
    state = place(state="roll", target="hub", hub="R", rolling="====", consolation=due)
    run(state, "fall YYYY", *(["deck " + "B" * drawn] if drawn else []))
    shows(state, state="target", yards=["RYGB" + "B" * drawn, "RYGB"])


@pytest.mark.parametrize(("each", "drawn"), [(0, 0), (2, 6), (5, 15)])
def test_refill_per_bar(each: int, drawn: int) -> None:
    state = place(dice="RYGB===", refill_per_bar=each)
    run(state, "hub", *(["deck " + "R" * drawn] if drawn else []))
    shows(state, state="boost")
    assert sum(state.view(None)["hub"]) == 10 + drawn


class TestBoostEveryRoll:
    def test_a_boost_follows_every_later_roll_decision(self) -> None:
        state = place(boost_every_roll=True, yards=["RRYGB", "RYGB"], dice="RRYYGGB")
        run(state, "hub", "boost R", "roll RRYY", "fall ====")
        assert "stop" in legal(state)
        run(state, "roll ====")
        shows(state, state="boost", decides=0, rolling="====", dice="GGB====", owed=0, yards=["RYGB", "RYGB"])
        run(state, "boost YG")
        shows(state, state="roll", yards=["RB", "RYGB"], hub="RRRRYYYGGB", caught="GGB")
        run(state, "fall ====", "roll GGB=", "boost -", "fall ====", "stop")
        shows(state, state="target", player=1)

    def test_an_empty_yard_is_asked_too(self) -> None:
        state = place(boost_every_roll=True, state="dice", target="hub", rolls=1, yards=["", ""])
        run(state, "roll ====")
        assert legal(state) == ["boost -"]

    def test_to_a_catch(self) -> None:
        state = place(
            boost_every_roll=True, state="dice", target="catch", catch="R", rolls=1, yards=["BB", ""]
        )
        run(state, "roll ====", "boost BB")
        shows(state, catch="RBB", yards=["-", "-"])

    def test_the_first_roll_needs_no_second_one(self) -> None:
        state = place(boost_every_roll=True, state="dice", target="hub")
        run(state, "roll ====")
        shows(state, state="roll")

    def test_a_stop_needs_none(self) -> None:
        state = place(boost_every_roll=True, state="dice", target="hub", rolls=1)
        run(state, "stop")
        shows(state, state="target", player=1)


@pytest.mark.parametrize(
    ("dice", "least", "sizes"),
    [(7, 1, {1, 2, 3, 4, 5, 6, 7}), (7, 7, {7}), (3, 4, {3}), (1, 1, {1}), (12, 10, {10, 11, 12})],
)
def test_dice_and_min_reroll(dice: int, least: int, sizes: set[int]) -> None:
    state = new(2, dice=dice, min_reroll=least)
    run(state, "first 0", "deck RRRYYGGGBB", "hub", "boost -")
    assert {len(text.removeprefix("roll ")) for text in legal(state)} == sizes
    shows(state, dice="=" * dice)


def test_twelve_dice_on_a_rich_hub() -> None:
    state = new(2, dice=12, hub_start=20)
    run(state, "first 0", "deck " + "R" * 20, "hub", "boost -", "roll " + "=" * 12, "fall " + "R" * 12)
    shows(state, caught="R" * 12, hub="R" * 8)


def test_turn_limit() -> None:
    state = new(2, turn_limit=1)
    run(state, "first 0", "deck RRRYYGGGBB", "hub", "boost -", "roll ====", "fall RRY=", "stop")
    assert (over(state).end, over(state).scores, over(state).ranks) == ("turn_limit", [3, 0], [0, 1])


def test_roll_limit() -> None:
    state = new(2, roll_limit=1)
    run(state, "first 0", "deck RRRYYGGGBB", "hub", "boost -", "roll ====", "fall RRY=")
    assert legal(state) == ["stop"]
