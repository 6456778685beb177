"""What the programs choose where the right choice is plain, and that all they choose is legal."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engine_service.core.game import State, View, configure
from engine_service.games import find
from mamenoki import house
from mamenoki.house.beanstalk.roster import ROSTER
from mamenoki.sdk import BadSettings, Bot, Decision, Seat
from mamenoki.sdk.local import Table, match_seed, play_match
from tests.unit.games.beanstalk.script import legal, place, run

CONFIG = configure(find("beanstalk/standard")[1], {})


def ask(bot: Bot, state: State, seed: int = 1, told: Sequence[View] = ()) -> str:
    """The choice of seat 0 in a position, of which it has been told so much."""
    view = state.view(0)
    bot.start(
        Seat("m", 0, "beanstalk", "standard", CONFIG, ["p"] * len(view["squares"]), None, None, 0, seed)
    )
    text = bot.choose(Decision(1, legal(state), view, [*told], None, 0))
    assert text in legal(state)
    assert isinstance(text, str)
    return text


def often(
    program: str, state: State, times: int = 40, told: Sequence[View] = (), **settings: Any
) -> Counter[str]:
    """How often each choice is made, by bots with seeds of their own."""
    return Counter(
        ask(
            house.make("beanstalk", program, settings),
            state,
            seed=random.Random(n).getrandbits(40),
            told=told,
        )
        for n in range(times)
    )


def at_the_castle(held: str, **place_of: Any) -> State:
    state = place([8, 1, 5], support="32145", held={0: held}, **place_of)
    run(state, "play 321")
    return state


class TestGreedy:
    @pytest.mark.parametrize("deck", ["stable", "gamble"])
    def test_deck(self, deck: str) -> None:
        assert ask(house.make("beanstalk", "greedy", {"deck": deck}), at_the_castle("")) == f"draw {deck}"

    def test_an_empty_deck_is_left(self) -> None:
        state = at_the_castle("", stable={})
        assert ask(house.make("beanstalk", "greedy", {"deck": "stable"}), state) == "draw gamble"

    def test_zeal(self) -> None:
        state = place([1, 2, 3], support="51234")
        assert often("greedy", state, zeal=20, shy=False) == {"play 5": 40}
        assert set(often("greedy", state, times=120, zeal=0)) == set(legal(state))

    def test_a_shy_one_plays_what_nobody_else_can(self) -> None:
        state = place([1, 2, 3], support="51234", hands=["45", "15", "25"])
        assert often("greedy", state, zeal=20, shy=False)["play 5"] == 40
        state = place([1, 2, 3], support="45123", hands=["45", "15", "25"])
        assert often("greedy", state, zeal=20)["play 4"] == 40


class TestStrong:
    def test_it_goes_home_with_enough(self) -> None:
        state = place([6, 2, 3], down=[0], support="42135", hands=["145", "123", "123"], held={0: RICH})
        assert often("strong", state)["play 4"] >= 38

    def test_it_does_not_always_play_the_same(self) -> None:
        state = place([0, 0, 0], support="35214")
        chosen = often("strong", state)
        assert len(chosen) >= 2
        assert max(chosen.values()) < 36

    def test_it_shuns_the_card_that_all_others_must_play(self) -> None:
        state = place([1, 2, 3], support="51234", hands=["15", "5", "5"], turn=14)
        assert often("strong", state)["play 1"] >= 36

    def test_it_remembers_who_would_win_and_bats_him(self) -> None:
        """Seat 1 has drawn four times from the stable deck, which means eight points, and must play 5."""
        held = {1: "silver silver silver silver"}
        state = place([4, 6, 2], down=[1], support="52134", hands=["25", "5", "1"], held=held, turn=13)
        drawn = {"event": "treasure", "member": 1, "deck": "stable", "treasure": None}
        assert often("strong", state, told=[drawn] * 4)["play 5"] >= 36
        assert often("strong", state)["play 5"] < 30

    @pytest.mark.parametrize(("held", "deck"), [("silver silver silver", "stable"), ("", "gamble")])
    def test_it_draws_what_brings_it_on(self, held: str, deck: str) -> None:
        assert ask(house.make("beanstalk", "strong", {}), at_the_castle(held)) == f"draw {deck}"


RICH = "gold silver silver"

BAD = [
    ("greedy", {"zeal": -1}, "zeal is -1; it must be an int from 0 to 20"),
    ("greedy", {"shy": 1}, "shy is 1; it must be true or false"),
    ("greedy", {"deck": "castle"}, "deck is 'castle'; it must be one of stable, gamble"),
    ("strong", {"rounds": 0}, "rounds is 0; it must be an int from 1 to 1000"),
    ("strong", {"haste": True}, "haste is True"),
]


@pytest.mark.parametrize(("program", "settings", "why"), BAD)
def test_bad_settings(program: str, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSettings, match=why):
        house.make("beanstalk", program, settings)


ODD: list[dict[str, Any]] = [
    {},
    {"ground_stop": True, "batted_return_wins": False},
    {"n": 8, "win_points": 12, "stable": {"gold": 4, "thief": 4}, "gamble": {"thief": 3, "tornado": 4}},
    {"win_points": 100, "stable": {}, "gamble": {"silver": 2, "thief": 1}},
    {"stable": {}, "gamble": {}},
]


@pytest.mark.parametrize("changes", ODD)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_matches_under_any_settings(seats: int, changes: dict[str, Any]) -> None:
    entries = [ROSTER[-1 - place_of] for place_of in range(seats)]
    bots = [house.make("beanstalk", entry.program, entry.settings) for entry in entries]
    config = changes | {"turn_limit": 40}
    table = Table("m", "beanstalk", [entry.name for entry in entries], match_seed(1, seats), config=config)
    played = play_match(table, bots)
    assert played.faults == []
    assert played.outcome.end in ("normal", "turn_limit")


def test_the_roster() -> None:
    assert len({entry.name for entry in ROSTER}) == len(ROSTER) >= 6
    assert len({(entry.program, str(entry.settings)) for entry in ROSTER}) == len(ROSTER)
    for entry in ROSTER:
        assert find(f"{entry.game}/{entry.variant}")
        assert house.make(entry.game, entry.program, entry.settings)
