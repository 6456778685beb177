"""Every setting: its default, what it takes, and where its effect is tested."""

from typing import Any

import pytest

from engine_service.core.game import Chance, ConfigError
from tests.unit.games.beanstalk.script import STANDARD, config, new, run, shows

DEFAULTS = {
    "n": 10,
    "win_points": 8,
    "stable": {"silver": 6, "thief": 2},
    "gamble": {"gold": 2, "silver": 2, "bronze": 2, "tornado": 2},
    "ground_stop": False,
    "batted_return_wins": True,
    "turn_limit": 200,
}
BOUNDS = {"n": (8, 40), "win_points": (1, 100), "turn_limit": (1, 2_000)}
DECK = "an object with ints from 0 to 9 under any of gold, silver, bronze, thief, tornado"


def test_defaults_in_order() -> None:
    assert list(config().items()) == list(DEFAULTS.items())
    assert (STANDARD.min_seats, STANDARD.max_seats, STANDARD.may_tie) == (2, 4, True)


@pytest.mark.parametrize(("key", "bounds"), BOUNDS.items(), ids=BOUNDS.keys())
def test_bounds(key: str, bounds: tuple[int, int]) -> None:
    low, high = bounds
    for good in bounds:
        assert config(**{key: good})[key] == good
    for bad in (low - 1, high + 1, str(low), float(low), True, None):
        with pytest.raises(ConfigError, match=f"{key} is .*; it must be an int from {low} to {high}"):
            config(**{key: bad})


@pytest.mark.parametrize("key", ["ground_stop", "batted_return_wins"])
@pytest.mark.parametrize("bad", [0, 1, "true", None])
def test_switches_take_true_and_false_alone(key: str, bad: Any) -> None:
    assert config(**{key: True})[key] is True
    assert config(**{key: False})[key] is False
    with pytest.raises(ConfigError, match="it must be true or false"):
        config(**{key: bad})


@pytest.mark.parametrize("key", ["stable", "gamble"])
@pytest.mark.parametrize(
    "bad",
    [None, 8, ["silver"], {"silver": 10}, {"silver": -1}, {"silver": True}, {"silver": 1.0}, {"copper": 1}],
    ids=repr,
)
def test_decks_that_are_refused(key: str, bad: Any) -> None:
    with pytest.raises(ConfigError, match=f"{key} is .*; it must be {DECK}"):
        config(**{key: bad})


@pytest.mark.parametrize(
    ("deck", "size"), [({}, 0), ({"tornado": 9, "gold": 9}, 18), ({"thief": 0, "gold": 1}, 1)]
)
def test_decks(deck: dict[str, int], size: int) -> None:
    shows(new(3, stable=deck), decks={"stable": size, "gamble": 8})
    shows(new(3, gamble=deck), decks={"stable": 8, "gamble": size})


def test_a_deck_lies_in_canonical_order_however_it_is_written() -> None:
    state = new(3, stable={"thief": 1, "gold": 1, "silver": 1}, n=8)
    run(state, "support 54321", "play 511", "play 422", "draw stable")
    chance = state.pending()
    assert isinstance(chance, Chance)
    faces = [state.reading([index])["faces"][0] for index in range(chance.sizes[0])]
    assert faces == ["gold", "silver", "thief"]


@pytest.mark.parametrize("n", [8, 40])
def test_n(n: int) -> None:
    state = new(3, n=n)
    run(state, "support 54321", "play 511")
    shows(state, squares=[7, 0, 0])
    told = run(state, "play 455")
    assert told[-1]["castle"] is (n == 8)
