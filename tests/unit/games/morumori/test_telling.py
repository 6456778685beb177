"""The sentences, one for each kind of event and each way it may read."""

from typing import Any

import pytest

from engine_service.core.game import View
from engine_service.games.morumori import MORUMORI

NAMES = ["Ann", "Bob", "Cid"]

TOLD: list[tuple[dict[str, Any], str]] = [
    ({"event": "first", "seat": 1}, "Bob finds guinea pigs cutest and goes first."),
    ({"event": "layout", "cards": 45}, "The cards lie face down in their slots, 45 in all."),
    (
        {"event": "peek", "slots": [3, 1, 44], "faces": ["5", "miss", "="]},
        "Everybody looks at the 5 in slot 3, the miss in slot 1 and the = in slot 44.",
    ),
    ({"event": "peek", "slots": [3], "faces": ["5"]}, "Everybody looks at the 5 in slot 3."),
    ({"event": "turn", "seat": 2, "target": 7}, "Cid has the turn; the target is 7."),
    ({"event": "flip", "seat": 0, "slot": 4, "face": "5", "total": 8}, "Ann turns up slot 4: 5, 8 in all."),
    ({"event": "flip", "seat": 0, "slot": 4, "face": "0", "total": 0}, "Ann turns up slot 4: 0, 0 in all."),
    ({"event": "flip", "seat": 0, "slot": 4, "face": "x2", "total": 6}, "Ann turns up slot 4: x2, 6 in all."),
    ({"event": "flip", "seat": 0, "slot": 4, "face": "=", "total": 3}, "Ann turns up slot 4: =."),
    ({"event": "flip", "seat": 0, "slot": 4, "face": "miss", "total": 3}, "Ann turns up slot 4: miss."),
    (
        {"event": "success", "seat": 0, "target": 7, "slots": [], "faces": [], "lives": None},
        "Ann meets the target 7!",
    ),
    (
        {"event": "success", "seat": 0, "target": 7, "slots": [4], "faces": ["="], "lives": 4},
        "Ann meets the target 7! The = in slot 4 leaves the table. 4 lives are Good.",
    ),
    (
        {"event": "success", "seat": 0, "target": 7, "slots": [4, 6], "faces": ["2", "1"], "lives": None},
        "Ann meets the target 7! The 2 in slot 4 and the 1 in slot 6 leave the table.",
    ),
    (
        {"event": "failure", "seat": 1, "why": "over", "total": 9, "target": 7, "lives": None},
        "Bob fails: 9 is more than 7.",
    ),
    (
        {"event": "failure", "seat": 1, "why": "miss", "total": 3, "target": 7, "lives": 1},
        "Bob fails: a miss. 1 life is Good.",
    ),
    (
        {"event": "failure", "seat": 1, "why": "no card", "total": 3, "target": 7, "lives": 0},
        "Bob fails: no card is left to turn up. 0 lives are Good.",
    ),
    ({"event": "take", "seat": 2, "slot": 9, "face": "5", "pile": 2}, "Cid takes the 5 in slot 9."),
    ({"event": "take", "seat": 2, "slot": 9, "face": "5", "pile": None}, "Cid discards the 5 in slot 9."),
    ({"event": "companion", "seat": 0, "slot": 9}, "Ann adds slot 9 to the cards that are mixed."),
    (
        {"event": "scatter", "seat": 0, "slots": [2, 9, 11]},
        "The cards of slots 2, 9 and 11 are mixed and put back face down.",
    ),
    ({"event": "scatter", "seat": 0, "slots": [2]}, "Slot 2 is alone in the mix, and is turned down."),
    (
        {"event": "end", "end": "normal", "scores": [3, 9, 9], "ranks": [2, 1, 0], "coop": False},
        "The match is over: Cid wins (sums of the cards won: Ann 3, Bob 9 and Cid 9).",
    ),
    (
        {"event": "end", "end": "turn_limit", "scores": [3, 2, 1], "ranks": [0, 1, 2], "coop": False},
        "The last turn is played: Ann wins (sums of the cards won: Ann 3, Bob 2 and Cid 1).",
    ),
    (
        {"event": "end", "end": "normal", "scores": [12, 12, 12], "ranks": [0, 0, 0], "coop": True},
        "The match is over: 12 houses reached together.",
    ),
    (
        {"event": "end", "end": "normal", "scores": [1], "ranks": [0], "coop": True},
        "The match is over: 1 house reached together.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD, ids=[sentence[:40] for _, sentence in TOLD])
def test_sentences(event: View, sentence: str) -> None:
    assert MORUMORI.tell(event, NAMES.__getitem__) == sentence
