"""What the programs choose where the right choice is plain, and that all they choose is legal."""

from typing import Any

import pytest

from engine_service.core.game import configure
from engine_service.games import find
from mamenoki import house
from mamenoki.house.mushi.roster import ROSTER
from mamenoki.sdk import BadSettings, Bot, Decision, Seat
from mamenoki.sdk.local import Table, match_seed, play_match
from tests.unit.games.mushi.script import legal, place

CONFIG = configure(find("mushi/standard")[1], {})


def choose(bot: Bot, seats: int = 2, **position: Any) -> str:
    """The choice of seat 0 (or of the owner, seat 1, for a split) in a position."""
    state = place(yards=position.pop("yards", ["RYGB"] * seats), **position)
    view = state.view(0)
    bot.start(Seat("m", view["decides"], "mushi", "standard", CONFIG, ["p"] * seats, None, None, 0, 1))
    text = bot.choose(Decision(1, legal(state), view, [], None, 0))
    assert text in legal(state)
    assert isinstance(text, str)
    return text


def greedy(**settings: Any) -> Bot:
    return house.make("mushi", "greedy", settings)


def strong(**settings: Any) -> Bot:
    return house.make("mushi", "strong", settings)


class TestGreedy:
    @pytest.mark.parametrize(("chase", "choice"), [(4, "hub"), (3, "catch"), (2, "catch")])
    def test_chase(self, chase: int, choice: str) -> None:
        assert choose(greedy(chase=chase), catch="RYB") == choice

    @pytest.mark.parametrize(("goal", "stops"), [(3, True), (4, False)])
    def test_goal(self, goal: int, stops: bool) -> None:
        text = choose(greedy(goal=goal), state="dice", target="hub", caught="RYB", rolls=1, dice="RYB====")
        assert (text == "stop") is stops

    @pytest.mark.parametrize(
        ("boost", "choice"), [("none", "boost -"), ("thin", "boost YB"), ("all", "boost RYGB")]
    )
    def test_boost(self, boost: str, choice: str) -> None:
        assert choose(greedy(boost=boost), state="boost", target="hub", hub="RRRRGGGGY") == choice

    @pytest.mark.parametrize(
        ("hoard", "choice"), [(0, "keep -"), (4, "keep -"), (5, "keep B"), (9, "keep RB")]
    )
    def test_hoard(self, hoard: int, choice: str) -> None:
        assert choose(greedy(hoard=hoard), state="keep", target="hub", catch="RB") == choice

    def test_it_keeps_bugs_that_fit_and_then_bars(self) -> None:
        assert choose(greedy(), state="dice", target="hub", hub="RRRRYYYY", dice="RRB====") == "roll B==="

    def test_an_owed_boost_is_paid(self) -> None:
        for boost in ("none", "thin", "all"):
            text = choose(
                greedy(boost=boost),
                state="boost",
                target="hub",
                hub="RRYYGG",
                yards=["RY", ""],
                deck=0,
                owed=2,
            )
            assert text == "boost RY"


class TestStrong:
    def test_it_stops_when_the_hub_is_empty(self) -> None:
        text = choose(
            strong(), state="dice", target="hub", hub="", caught="RRYYGGBB", rolls=2, dice="RYB===="
        )
        assert text == "stop"

    def test_it_rolls_on_with_nothing_to_lose(self) -> None:
        text = choose(strong(), state="dice", target="hub", caught="", rolls=1, yards=["", ""])
        assert text.startswith("roll")

    def test_it_does_not_keep_what_is_too_much(self) -> None:
        text = choose(strong(), state="dice", target="hub", hub="YYYYGGGGBBBB", dice="RRRYYGG")
        assert text.count("R") == 3

    def test_it_keeps_what_catches_again(self) -> None:
        text = choose(strong(), state="dice", target="hub", hub="YYYYGGGGBBBB", dice="RRRYYGG")
        assert text == "roll RRRG" or text == "roll RRRY"

    def test_it_boosts_the_colour_that_is_missing(self) -> None:
        text = choose(
            strong(), state="boost", target="hub", hub="YYYYGGGGBBBB", yards=["RRR", "RYGB"], deck=40
        )
        assert text in ("boost R", "boost RR")

    def test_it_goes_after_a_fat_catch_and_leaves_a_thin_one(self) -> None:
        assert choose(strong(), catch="RRRYYYGGGBBB", hub="RYGBRYGB", dice="RYGB===") == "catch"
        assert choose(strong(), catch="R", hub="RRRYYYGGGBBB", dice="RYGB===") == "hub"

    def test_it_scores_what_it_collects(self) -> None:
        assert choose(strong(), state="keep", target="hub", catch="RRYYGGBB", yards=["", ""]) == "keep -"

    def test_a_last_minute_yard_is_worth_nothing(self) -> None:
        late: dict[str, Any] = {"state": "boost", "target": "hub", "hub": "RRYYGGBB", "deck": 0}
        assert choose(strong(), **late) != "boost -"

    def test_rivalry_shifts_the_aim(self) -> None:
        position: dict[str, Any] = {"catch": "RRYGGB", "hub": "RRYYGGBB", "dice": "RRYYGB="}
        assert choose(strong(rivalry=300), **position) == "catch"
        assert choose(strong(rivalry=0), **position) == "hub"


BAD = [
    ("greedy", {"boost": "some"}, "boost is 'some'; it must be one of none, thin, all"),
    ("greedy", {"goal": 0}, "goal is 0; it must be an int from 1 to 100"),
    ("greedy", {"hoard": "many"}, "hoard is 'many'"),
    ("strong", {"yard": -1}, "yard is -1; it must be an int from 0 to 300"),
    ("strong", {"rivalry": True}, "rivalry is True"),
    ("strong", {"wary": 1}, "wary is 1; it must be true or false"),
]


@pytest.mark.parametrize(("program", "settings", "why"), BAD)
def test_bad_settings(program: str, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSettings, match=why):
        house.make("mushi", program, settings)


ODD: list[dict[str, Any]] = [
    {},
    {"boost_every_roll": True},
    {"copies": 6, "min_reroll": 1},
    {"dice": 2, "min_reroll": 4, "roll_limit": 2},
    {"dice": 9, "min_reroll": 7, "yard_limit": 8, "consolation": 4, "refill_per_bar": 3, "hub_floor": 12},
]


@pytest.mark.parametrize("changes", ODD)
@pytest.mark.parametrize("seats", [2, 5])
def test_whole_matches_under_any_settings(seats: int, changes: dict[str, Any]) -> None:
    entries = [ROSTER[place % len(ROSTER)] for place in range(len(changes), len(changes) + seats)]
    bots = [house.make("mushi", entry.program, entry.settings) for entry in entries]
    config = changes | {"turn_limit": 60}
    table = Table("m", "mushi", [entry.name for entry in entries], match_seed(1, seats), config=config)
    played = play_match(table, bots)
    assert played.faults == []
    assert played.outcome.end in ("normal", "turn_limit")


def test_the_roster() -> None:
    assert len({entry.name for entry in ROSTER}) == len(ROSTER) >= 8
    assert len({(entry.program, str(entry.settings)) for entry in ROSTER}) == len(ROSTER)
    for entry in ROSTER:
        assert find(f"{entry.game}/{entry.variant}")
        assert house.make(entry.game, entry.program, entry.settings)
