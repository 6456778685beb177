"""Every setting: its default, what it takes, and what it changes."""

from typing import Any

import pytest

from engine_service.core.game import Chance, ConfigError, check_seats
from engine_service.games.seimi import SEIMI
from tests.unit.games.seimi.script import STANDARD, config, fall, fight, new, place, run, shows

DEFAULTS = {
    "effective": [
        ["fist", "gun"],
        ["psychic", "blade"],
        ["gun", "psychic"],
        ["fist"],
        ["blade", "fist"],
        ["blade", "gun", "psychic"],
    ],
    "tokens": {"2": 7, "3": 5, "4": 6, "5": 6},
    "copies": 5,
    "parents": 16,
    "hand": 6,
    "field": 4,
    "field_refill": False,
}

BOUNDS = {"copies": (1, 12), "parents": (0, 40), "hand": (0, 12), "field": (0, 12)}


def test_defaults_in_order() -> None:
    assert list(config().items()) == list(DEFAULTS.items())
    assert (STANDARD.min_seats, STANDARD.max_seats, STANDARD.may_tie) == (3, 5, False)


def test_each_ability_counts_three_times() -> None:
    flat = [ability for abilities in config()["effective"] for ability in abilities]
    assert {ability: flat.count(ability) for ability in flat} == {
        "fist": 3,
        "gun": 3,
        "psychic": 3,
        "blade": 3,
    }


@pytest.mark.parametrize("seats", [2, 6])
def test_seats(seats: int) -> None:
    with pytest.raises(ConfigError, match="standard is played by 3 to 5"):
        check_seats(STANDARD, seats)
    with pytest.raises(ConfigError, match=f"not by {seats}"):
        SEIMI.new("standard", config(), seats)


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
    assert config(field_refill=True)["field_refill"] is True
    with pytest.raises(ConfigError, match="it must be true or false"):
        config(field_refill=bad)


SIX = [["fist"]] * 5


@pytest.mark.parametrize(
    "bad",
    [None, {}, [], SIX, [*SIX, ["fist"], ["fist"]], [*SIX, []], [*SIX, ["kick"]], [*SIX, ["gun", "gun"]],
     [*SIX, "fist"], [*SIX, [["gun"]]], [*SIX, [1]]],
)  # fmt: skip
def test_effective_refused(bad: Any) -> None:
    with pytest.raises(ConfigError, match=r"effective is .*; it must be 6 lists, each of one to four"):
        config(effective=bad)


def test_effective() -> None:
    two_each = config(effective=[*DEFAULTS["effective"][:3], ["fist", "gun"], *[["blade", "psychic"]] * 2])  # type: ignore[index]  # a list under a mixed dict
    _, told = fight([["fly-gun 2"], ["fly-fist 1"], []], monster=4, effective=two_each["effective"])
    assert told[3]["declared"] == [2, 1, 0]
    _, told = fight(
        [["fly-gun 2"], ["dog-blade 1"], []],
        effective=[["fist", "blade", "gun", "psychic"], *DEFAULTS["effective"][1:]],  # type: ignore[index]  # as above
    )
    assert told[3]["declared"] == [2, 1, 0]


@pytest.mark.parametrize(
    "bad",
    [None, [], {}, {"5": 23}, {"4": 30}, {"5": 0, "4": 30}, {"5": 30, "x": 1}, {"5": 30, "10": 1},
     {"5": 30, "2": -1}, {"5": 61}, {"5": True, "4": 30}, {"5": 30, "2": "3"}, {"5": 30, "0": 1}],
)  # fmt: skip
def test_tokens_refused(bad: Any) -> None:
    with pytest.raises(ConfigError, match=r"tokens is .*; it must be counts"):
        config(tokens=bad)


def test_tokens() -> None:
    state = new(3, tokens={"9": 10, "5": 1, "1": 13})
    run(state, "first 0", "roads 1 1 2 2 3 3")
    pending = state.pending()
    assert isinstance(pending, Chance)
    assert pending.sizes == list(range(23, 12, -1))
    run(state, "tokens 1 9 1 1 9 9 1 1 1 1 9")
    shows(state, line=[[9, 1], [1, 1], [9, 9], [1, 1], [1, 1], [9, 5]])


@pytest.mark.parametrize(
    ("copies", "parents", "deck"), [(5, 16, 74), (1, 20, 14), (12, 0, 170), (12, 40, 210)]
)
def test_copies_and_parents(copies: int, parents: int, deck: int) -> None:
    state = dealt(3, copies=copies, parents=parents)
    shows(state, deck=deck)


@pytest.mark.parametrize(
    ("hand", "field", "hands", "laid", "deck"),
    [(6, 4, 6, 4, 74), (0, 4, 0, 4, 92), (12, 0, 12, 0, 60), (12, 12, 12, 12, 48), (0, 0, 0, 0, 96)],
)
def test_hand_and_field(hand: int, field: int, hands: int, laid: int, deck: int) -> None:
    state = dealt(3, hand=hand, field=field)
    shows(state, hands=[hands] * 3, deck=deck)
    assert len(state.view(None)["field"]) == laid


def test_a_small_pack_gives_what_it_has() -> None:
    state = dealt(3, copies=1, parents=0, hand=6)
    shows(state, hands=[6, 6, 4], field="", deck=0, state="deploy")
    state = dealt(4, copies=1, parents=0, hand=12)
    shows(state, hands=[12, 4, 0, 0], field="", deck=0, state="deploy")


def dealt(seats: int, **changes: Any) -> Any:
    state = new(seats, **changes)
    fall(state, "first", ["0"])
    while isinstance(pending := state.pending(), Chance):
        state.resolve([0] * len(pending.sizes))
    return state


class TestFieldRefill:
    def test_after_a_take_from_the_field(self) -> None:
        state = place(field="fly-gun " * 4, deck="fly-fist dog-fist", field_refill=True)
        run(state, "take fly-gun")
        shows(state, state="refill", decides=None)
        (event,) = run(state, "deck dog-fist")
        assert event == {"event": "refill", "cards": ["dog-fist"]}
        shows(state, field="fly-gun fly-gun fly-gun dog-fist", decides=1, deck=1)

    def test_not_after_a_take_from_the_deck(self) -> None:
        state = place(field="fly-gun " * 4, deck="fly-fist dog-fist", field_refill=True)
        run(state, "take deck", "deck dog-fist")
        shows(state, state="acquire", decides=1, deck=1)

    def test_after_each_single_take_of_b(self) -> None:
        state = place(
            hands=["dog-gun", "", ""], field="fly-gun " * 4, deck="fly-fist dog-fist", field_refill=True
        )
        run(state, "put dog-gun", "take fly-gun")
        shows(state, state="take", takes=1, field="fly-gun fly-gun fly-gun dog-gun")
        run(state, "take fly-gun", "deck fly-fist")
        shows(state, state="acquire", decides=1, field="fly-fist fly-gun fly-gun dog-gun")

    def test_up_to_the_settings_number(self) -> None:
        state = place(deck="fly-fist fly-fist fly-fist dog-fist", field_refill=True)
        run(state, "take deck", "deck dog-fist", "deck fly-fist fly-fist fly-fist")
        shows(state, state="acquire", decides=1, field="fly-fist fly-fist fly-fist", deck=0)

    def test_over_a_new_shuffle(self) -> None:
        state = place(field="fly-gun", deck="fly-fist", discards="dog-gun dog-gun", field_refill=True)
        run(state, "take fly-gun")
        pending = state.pending()
        assert isinstance(pending, Chance)
        assert pending.sizes == [1, 2, 1]
        run(state, "deck fly-fist dog-gun dog-gun")
        shows(state, field="fly-fist dog-gun dog-gun", deck=0, discards=0, decides=1)

    def test_only_part_of_a_new_shuffle(self) -> None:
        state = place(
            field="fly-gun fly-gun fly-gun", deck="fly-fist", discards="dog-gun dog-fist", field_refill=True
        )
        run(state, "take fly-gun", "deck fly-fist dog-fist")
        shows(state, field="fly-fist fly-gun fly-gun dog-fist", deck=1, discards=0)

    def test_nothing_left(self) -> None:
        state = place(field="fly-gun dog-gun", field_refill=True)
        run(state, "take fly-gun")
        shows(state, state="acquire", decides=1, field="dog-gun")
