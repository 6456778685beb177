"""What the programs choose where the right choice is plain, and that all they choose is legal."""

from collections import Counter
from typing import Any

import pytest

from engine_service.core.game import configure
from engine_service.games import find
from mamenoki import house
from mamenoki.house.morumori.roster import ROSTER
from mamenoki.sdk import BadSettings, Bot, Decision, Seat
from mamenoki.sdk.local import Table, match_seed, play_match
from tests.unit.games.morumori.script import config, legal, mix, place, run

REST = "6 7 8 9 9 9"


def choose(bot: Bot, slots: str, seen: str, steps: tuple[str, ...] = (), **position: Any) -> str:
    """The choice of seat 0 that has been shown some slots (``0 3 4``), after a script of moves."""
    state = place(slots, **position)
    settings = config(mix=mix(slots))
    shown = [int(slot) for slot in seen.split()]
    told = [{"event": "peek", "slots": shown, "faces": [slots.split()[slot] for slot in shown]}]
    told += run(state, *steps)
    variant = "coop" if position.get("coop") else "versus"
    bot.start(Seat("m", 0, "morumori", variant, settings, ["p"] * 2, None, None, 0, 1))
    text = bot.choose(Decision(1, legal(state), state.view(0), told, None, 0))
    assert text in legal(state)
    assert isinstance(text, str)
    return text


def greedy(**settings: Any) -> Bot:
    return house.make("morumori", "greedy", settings)


def strong(**settings: Any) -> Bot:
    return house.make("morumori", "strong", settings)


@pytest.mark.parametrize("make", [greedy, strong])
class TestBoth:
    def test_one_card_that_meets_the_target(self, make: Any) -> None:
        assert choose(make(), f"5 4 {REST}", "0 1", target=4) == "flip 1"

    def test_the_rest_of_a_sum(self, make: Any) -> None:
        assert choose(make(), f"5 4 3 {REST}", "0 1 2", ("flip 0",), target=8) == "flip 2"

    def test_two_cards(self, make: Any) -> None:
        assert choose(make(), f"5 4 {REST}", "0 1", target=9) in ("flip 0", "flip 1")

    def test_an_equals_that_is_known(self, make: Any) -> None:
        assert choose(make(), f"= 9 {REST}", "0 1", target=3) == "flip 0"

    def test_nothing_known_that_is_too_much(self, make: Any) -> None:
        assert choose(make(), f"9 8 1 2 {REST}", "0 1", target=3) not in ("flip 0", "flip 1")

    def test_no_known_miss(self, make: Any) -> None:
        assert choose(make(), "miss miss 1 2 3", "0 1", target=1) not in ("flip 0", "flip 1")

    def test_the_largest_card(self, make: Any) -> None:
        assert choose(make(), f"3 1 2 {REST}", "", ("flip 1 0 2",), target=6) == "take 0"

    def test_a_card_that_all_know_where_no_other_is_left(self, make: Any) -> None:
        assert choose(make(), "9 8 miss", "0 1 2", target=1).startswith("flip")


class TestGreedy:
    @pytest.mark.parametrize(("memory", "knows"), [(2, False), (3, True), (12, True)])
    def test_memory(self, memory: int, knows: bool) -> None:
        text = choose(greedy(memory=memory), f"4 9 9 {REST}", "0 1 2", target=4)
        assert (text == "flip 0") is knows or not knows

    def test_what_is_forgotten_may_be_turned_up_again(self) -> None:
        texts = {choose(greedy(memory=0), "4 9", "0 1", target=4)}
        assert texts <= {"flip 0", "flip 1"}

    @pytest.mark.parametrize(("cards", "knows"), [(1, False), (2, False), (3, True)])
    def test_cards(self, cards: int, knows: bool) -> None:
        text = choose(greedy(cards=cards), f"1 3 5 {REST}", "0 1 2", target=9)
        assert (text in ("flip 0", "flip 1", "flip 2")) is knows

    def test_a_scatter_is_forgotten(self) -> None:
        bot = greedy()
        bot._watch({"event": "peek", "slots": [0, 1], "faces": ["4", "5"]})  # type: ignore[attr-defined]
        bot._watch({"event": "scatter", "seat": 0, "slots": [1, 2]})  # type: ignore[attr-defined]
        assert bot._known == {0: "4"}  # type: ignore[attr-defined]


class TestStrong:
    def test_more_cards_than_two(self) -> None:
        assert choose(strong(), "1 2 3 4 6 7 8", "0 1 2 3", target=10) in [
            f"flip {slot}" for slot in range(4)
        ]

    def test_a_doubled_card(self) -> None:
        assert choose(strong(), "4 x2 9 9 9 9", "0 1", target=8) == "flip 0"
        assert choose(strong(), "4 x2 9 9 9 9", "0 1", ("flip 0",), target=8) == "flip 1"

    def test_a_reset(self) -> None:
        assert choose(strong(), "5 0 6 9 9 9 9", "1 2", ("flip 0",), target=6) == "flip 1"

    def test_a_pair_takes_more_than_one_card(self) -> None:
        assert choose(strong(), "7 1 4 4 9 9 9", "0 1 2 3", target=8) in ("flip 2", "flip 3")

    def test_numbers_before_an_equals(self) -> None:
        """The number is taken then, and the sum need not fit."""
        assert choose(strong(), "= 5 9 9 9 9", "0 1", target=7) == "flip 1"

    def test_unknown_first_while_the_known_card_completes_it(self) -> None:
        """With a 3 up its sure rest is nowhere; the likeliest unknown card, a 2, would meet 5."""
        text = choose(strong(), "3 2 2 2 8 9", "0 4 5", ("flip 0",), target=5)
        assert text in ("flip 1", "flip 2", "flip 3")

    def test_what_is_left_is_counted(self) -> None:
        """All but the last two were shown: they must be the 4 and the miss, or each other."""
        assert choose(strong(), "9 9 9 4 4", "0 1 2", target=4) in ("flip 3", "flip 4")

    def test_with_others_it_stirs_what_nobody_knows(self) -> None:
        text = choose(strong(), "0 5 1 1 2 6", "2 3", ("flip 0 1",), target=4, coop=True)
        assert text in ("scatter 4", "scatter 5")

    def test_against_others_it_stirs_what_they_could_use(self) -> None:
        text = choose(strong(), "0 5 4 9 9 6", "2 3", ("flip 0 1",), target=4)
        assert text == "scatter 2"

    def test_caution_shows_nothing_new(self) -> None:
        position = "miss 9 8 8 8 8 1"
        assert choose(strong(), position, "0 1", target=1) not in ("flip 0", "flip 1")
        assert choose(strong(caution=100), position, "0 1", target=1) in ("flip 0", "flip 1")
        assert choose(strong(caution=100), position, "0 1", target=1, coop=True) not in ("flip 0", "flip 1")


BAD = [
    ("greedy", {"memory": -1}, "memory is -1; it must be an int from 0 to 100"),
    ("greedy", {"cards": 4}, "cards is 4; it must be an int from 1 to 3"),
    ("strong", {"hide": "all"}, "hide is 'all'; it must be one of seen, unseen"),
    ("strong", {"caution": True}, "caution is True"),
]


@pytest.mark.parametrize(("program", "settings", "why"), BAD)
def test_bad_settings(program: str, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(BadSettings, match=why):
        house.make("morumori", program, settings)


SPECIAL = mix("1 1 1 2 2 2 3 3 4 9 = = x2 x2 x2 0 0 0 miss")

ODD: list[dict[str, Any]] = [
    {},
    {"mix": SPECIAL, "peek": 19, "companions": 9},
    {"mix": SPECIAL, "peek": 0, "companions": 0},
    {"mix": mix("1 1 1 1 2 2 2 3 3 ="), "peek": 2, "houses": 60, "lives": 20},
    {"mix": mix("9 9 miss x2"), "turn_limit": 20, "versus_target": 60, "houses": 60},
]


@pytest.mark.parametrize("changes", ODD)
@pytest.mark.parametrize(("variant", "seats"), [("versus", 2), ("versus", 6), ("coop", 1), ("coop", 4)])
def test_whole_matches_under_any_settings(variant: str, seats: int, changes: dict[str, Any]) -> None:
    entries = [entry for entry in ROSTER if entry.variant == variant][1:]
    entries = [entries[-1 - place % len(entries)] for place in range(seats)]
    for index in range(5):
        bots = [house.make("morumori", entry.program, entry.settings) for entry in entries]
        names = [entry.name for entry in entries]
        table = Table("m", f"morumori/{variant}", names, match_seed(1, index), config=changes)
        played = play_match(table, bots)
        assert played.faults == []
        assert played.outcome.end in ("normal", "turn_limit")


def test_the_roster() -> None:
    assert min(Counter(entry.variant for entry in ROSTER).values()) >= 6
    assert len({(entry.variant, entry.name) for entry in ROSTER}) == len(ROSTER)
    assert len({(entry.variant, entry.program, str(entry.settings)) for entry in ROSTER}) == len(ROSTER)
    for entry in ROSTER:
        assert configure(find(f"{entry.game}/{entry.variant}")[1], {})
        assert house.make(entry.game, entry.program, entry.settings)
