"""Every setting: its default, what it takes, and what it changes."""

from typing import Any

import pytest

from engine_service.core.game import Chance, ConfigError, configure
from tests.unit.games.morumori.script import COOP, FACES, VERSUS, config, mix, new, over, place, run, shows

DEFAULTS = {
    "mix": dict(zip(FACES, [6, 6, 5, 4, 4, 3, 3, 2, 2, 2, 2, 2, 4], strict=True)),
    "lives": 4,
    "peek": 10,
    "companions": 4,
    "houses": 20,
    "versus_target": 15,
    "turn_limit": 200,
}

BOUNDS = {
    "lives": (1, 20),
    "peek": (0, 100),
    "companions": (0, 20),
    "houses": (1, 60),
    "versus_target": (1, 60),
    "turn_limit": (1, 10_000),
}


@pytest.mark.parametrize("variant", [VERSUS, COOP])
def test_defaults_in_order(variant: Any) -> None:
    found = configure(variant, {})
    assert list(found.items()) == list(DEFAULTS.items())
    assert list(found["mix"]) == list(FACES)


@pytest.mark.parametrize(("key", "bounds"), BOUNDS.items(), ids=BOUNDS.keys())
def test_bounds(key: str, bounds: tuple[int, int]) -> None:
    low, high = bounds
    for good in bounds:
        assert config(**{key: good})[key] == good
    for bad in (low - 1, high + 1, str(low), float(low), True, None):
        with pytest.raises(ConfigError, match=f"{key} is .*; it must be an int from {low} to {high}"):
            config(**{key: bad})


BAD_MIXES: dict[str, Any] = {
    "no object": 45,
    "a list": [6] * 13,
    "a face is missing": dict.fromkeys(FACES[1:], 1),
    "a face too many": mix("1") | {"10": 1},
    "a negative count": mix("1") | {"2": -1},
    "too many alike": mix("1") | {"2": 41},
    "no number": mix("1") | {"2": "1"},
    "a truth": mix("1") | {"2": True},
    "a float": mix("1") | {"2": 1.0},
    "no card": mix(""),
    "too many cards": mix("") | {"1": 40, "2": 40, "3": 21},
}


@pytest.mark.parametrize("bad", BAD_MIXES.values(), ids=BAD_MIXES.keys())
def test_bad_mixes(bad: Any) -> None:
    with pytest.raises(
        ConfigError, match=r"mix is .*; it must be an object that gives each of 1, 2, .* miss"
    ):
        config(mix=bad)


@pytest.mark.parametrize("good", [mix("1"), mix("") | {"1": 40, "2": 40, "3": 20}, mix("miss miss")])
def test_good_mixes(good: dict[str, int]) -> None:
    state = new(2, mix=good, peek=0)
    run(state, "first 0")
    pending = state.pending()
    assert isinstance(pending, Chance)
    assert len(pending.sizes) == sum(good.values())


@pytest.mark.parametrize(
    ("peek", "sizes"), [(1, [5]), (4, [5, 4, 3, 2]), (5, [5, 4, 3, 2, 1]), (6, [5, 4, 3, 2, 1])]
)
def test_peek(peek: int, sizes: list[int]) -> None:
    state = new(2, mix=mix("1 1 1 1 1"), peek=peek)
    run(state, "first 0", "layout 1 1 1 1 1")
    pending = state.pending()
    assert isinstance(pending, Chance)
    assert (pending.stream, pending.sizes) == ("peek", sizes)


def test_no_peek_at_all() -> None:
    state = new(2, mix=mix("1 1"), peek=0)
    told = run(state, "first 1", "layout 1 1")
    assert told[-1] == {"event": "turn", "seat": 1, "target": 1}
    shows(state, state="flip", decides=1)


@pytest.mark.parametrize(("companions", "owed"), [(1, 1), (4, 4), (5, 5), (6, 6), (20, 6)])
def test_companions(companions: int, owed: int) -> None:
    state = place("0 5 9 9 9 9 9", target=4, companions=companions)
    run(state, "flip 0 1")
    shows(state, state="companion", owed=owed)


def test_no_companions() -> None:
    state = place("0 x2 5 9", target=4, companions=0)
    run(state, "flip 0 1 2")
    shows(state, state="scatter", mixed=[0, 1])
    run(state, "fall 0 x2")
    shows(state, state="flip", player=1)


def test_lives() -> None:
    state = new(1, "coop", mix=mix("2 2"), lives=2, peek=0)
    run(state, "first 0", "layout 2 2")
    shows(state, lives=2)
    run(state, "flip 0")
    shows(state, lives=1)
    run(state, "flip 0")
    assert over(state).scores == [0]


@pytest.mark.parametrize(("houses", "goes_on"), [(4, False), (5, True)])
def test_houses_in_coop(houses: int, goes_on: bool) -> None:
    state = place("4 1", target=4, coop=True, houses=houses)
    run(state, "flip 0")
    shows(state, state="take" if goes_on else "over", scores=[4, 4])


@pytest.mark.parametrize(
    ("houses", "versus_target", "goes_on"), [(20, 4, False), (20, 5, True), (4, 15, False), (5, 15, True)]
)
def test_versus_ends_at_its_target_or_the_last_house(houses: int, versus_target: int, goes_on: bool) -> None:
    state = place("4 1", target=4, houses=houses, versus_target=versus_target)
    run(state, "flip 0")
    shows(state, state="take" if goes_on else "over")


def test_versus_target_says_nothing_in_coop() -> None:
    state = place("4 1", target=4, coop=True, versus_target=4)
    run(state, "flip 0")
    shows(state, state="take")


@pytest.mark.parametrize(("limit", "goes_on"), [(10, False), (11, False), (12, True)])
def test_turn_limit(limit: int, goes_on: bool) -> None:
    state = place("5 9", target=4, turn=10, turn_limit=limit)
    run(state, "flip 0")
    shows(state, state="flip" if goes_on else "over", end=None if goes_on else "turn_limit")


def test_turn_limit_says_nothing_in_coop() -> None:
    state = place("5 9", target=4, turn=10, turn_limit=1, coop=True)
    run(state, "flip 0")
    shows(state, state="flip", lives=3)
