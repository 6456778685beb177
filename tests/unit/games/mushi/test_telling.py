"""The sentences, read."""

import pytest

from engine_service.core.game import View
from engine_service.games.mushi import MUSHI

NAMES = ["Ada", "Ben", "Cho"]

SENTENCES: list[tuple[View, str]] = [
    ({"event": "first", "seat": 1}, "Ben saw a lovely bug last and goes first."),
    ({"event": "deal", "cards": "RRYB"}, "4 bugs crawl into the hub: 2 red, 1 yellow and 1 blue."),
    ({"event": "deal", "cards": "R"}, "1 bug crawls into the hub: 1 red."),
    ({"event": "target", "seat": 0, "aim": "hub", "owner": None}, "Ada goes for the hub."),
    ({"event": "target", "seat": 0, "aim": "catch", "owner": 2}, "Ada goes after Cho's catch!"),
    ({"event": "keep", "seat": 2, "yard": "-", "heap": "RRG"}, "Cho piles 2 red and 1 green on the heap."),
    (
        {"event": "keep", "seat": 2, "yard": "RG", "heap": "-"},
        "Cho keeps 1 red and 1 green in the front yard and piles nothing on the heap.",
    ),
    (
        {"event": "keep", "seat": 2, "yard": "R", "heap": "BB"},
        "Cho piles 2 blue on the heap and keeps 1 red in the front yard.",
    ),
    ({"event": "refill", "cards": "YGG"}, "The hub fills up with 1 yellow and 2 green."),
    ({"event": "boost", "seat": 0, "cards": "-", "to": "hub"}, "Ada adds nothing to the hub."),
    (
        {"event": "boost", "seat": 0, "cards": "YB", "to": "catch"},
        "Ada lures 1 yellow and 1 blue from the front yard into the catch.",
    ),
    ({"event": "roll", "seat": 0, "dice": "RRG=="}, "Ada rerolls 5 dice: 2 red, 1 green and 2 double bars."),
    ({"event": "roll", "seat": 0, "dice": "="}, "Ada rerolls 1 die: 1 double bar."),
    (
        {"event": "success", "seat": 0, "dice": "RRYB===", "won": "RRYB", "caught": "RRRYYB"},
        "The dice show 2 red, 1 yellow, 1 blue and 3 double bars: Ada catches 2 red, 1 yellow and 1 blue, 6 so far.",
    ),
    (
        {"event": "success", "seat": 0, "dice": "=======", "won": "-", "caught": "-"},
        "The dice show 7 double bars: no bug for Ada, and no harm done.",
    ),
    (
        {"event": "bust", "seat": 1, "dice": "YYYGGG=", "over": "YG", "returned": "RRR"},
        "The dice show 3 yellow, 3 green and 1 double bar: too much yellow and green! "
        "Ben is bugged up and loses the 3 bugs caught in this turn.",
    ),
    (
        {"event": "bust", "seat": 1, "dice": "YYYYYYY", "over": "Y", "returned": "R"},
        "The dice show 7 yellow: too much yellow! Ben is bugged up and loses the 1 bug caught in this turn.",
    ),
    (
        {"event": "bust", "seat": 1, "dice": "RYGB===", "over": "RYGB", "returned": "-"},
        "The dice show 1 red, 1 yellow, 1 green, 1 blue and 3 double bars: "
        "too much red, yellow, green and blue! Ben is bugged up.",
    ),
    (
        {"event": "consolation", "seat": 1, "cards": "RB"},
        "Ben is consoled with 1 red and 1 blue for the front yard.",
    ),
    ({"event": "stop", "seat": 1, "caught": "RRB"}, "Ben stops with a catch of 2 red and 1 blue."),
    ({"event": "stop", "seat": 1, "caught": "-"}, "Ben stops with empty hands."),
    (
        {"event": "end", "end": "normal", "scores": [20, 31, 9], "ranks": [1, 0, 2]},
        "The party is over: Ben wins (bugs on the heaps: Ada 20, Ben 31 and Cho 9).",
    ),
    (
        {"event": "end", "end": "turn_limit", "scores": [20, 20, 20], "ranks": [0, 0, 0]},
        "The last turn is played: Ada, Ben and Cho share the win (bugs on the heaps: Ada 20, Ben 20 and Cho 20).",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_sentence(event: View, sentence: str) -> None:
    assert MUSHI.tell(event, NAMES.__getitem__) == sentence
