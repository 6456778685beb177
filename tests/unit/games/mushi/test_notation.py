"""Texts and codes are each other's inverse, and nothing else is read."""

import pytest

from engine_service.core.game import NotationError, State
from engine_service.games.mushi import MUSHI
from tests.unit.games.mushi.script import legal, place

GOOD = [
    "hub",
    "catch",
    "stop",
    "keep -",
    "keep RYY",
    "keep RRRRRR",
    "boost -",
    "boost RB",
    "roll RYG==",
    "roll =",
    "roll RRRRRRR",
]

BAD = {
    "empty": "",
    "capital": "Hub",
    "space after": "hub ",
    "space before": " stop",
    "two spaces": "keep  RY",
    "tab": "keep\tRY",
    "no letters": "keep ",
    "verb alone": "keep",
    "wrong order": "keep YR",
    "unsorted copies": "roll RYR=",
    "bar first": "roll =R",
    "dash with letters": "keep -R",
    "two dashes": "boost --",
    "a bar is no card": "keep R=",
    "a bar is no boost": "boost =",
    "nothing to roll": "roll -",
    "small letters": "roll ryg=",
    "unknown letter": "keep X",
    "unknown verb": "take RY",
    "word with letters": "hub R",
    "full-width bar": "roll RYG＝",
    "more than any yard": "keep " + "R" * 13,
    "more than any dice": "roll " + "=" * 13,
    "endless": "roll " + "R" * 100_000,
}


@pytest.mark.parametrize("text", GOOD)
def test_reads_and_writes_back(text: str) -> None:
    assert MUSHI.format(MUSHI.parse(text)) == text


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_refuses(text: str) -> None:
    with pytest.raises(NotationError, match="no move of mushi"):
        MUSHI.parse(text)


def test_codes_are_all_different() -> None:
    assert len({MUSHI.parse(text) for text in GOOD}) == len(GOOD)


ORDERS = [
    ("target", place(catch="R"), ["hub", "catch"]),
    (
        "keep",
        place(state="keep", target="hub", catch="RYYB", yards=["RYGB", "RYGB"]),
        ["keep -", "keep R", "keep Y", "keep B", "keep RY", "keep RB", "keep YY", "keep YB"],
    ),
    (
        "boost",
        place(state="boost", target="hub", yards=["RRB", "RYGB"]),
        ["boost -", "boost R", "boost B", "boost RR", "boost RB", "boost RRB"],
    ),
    (
        "first roll",
        place(state="dice", target="hub", dice="RRRRRR=", min_reroll=5),
        ["roll RRRRRR=", "roll RRRRRR", "roll RRRRR=", "roll RRRRR", "roll RRRR="],
    ),
    (
        "later roll",
        place(state="dice", target="hub", rolls=1, dice="YYYY===", min_reroll=6),
        ["stop", "roll YYYY===", "roll YYYY==", "roll YYY==="],
    ),
]


@pytest.mark.parametrize(("name", "state", "wanted"), ORDERS, ids=[row[0] for row in ORDERS])
def test_canonical_order(name: str, state: State, wanted: list[str]) -> None:
    assert legal(state) == wanted


def test_the_longest_lists() -> None:
    assert len(legal(place(state="dice", target="hub", dice="RRYYGB="))) == 36
    assert len(legal(place(state="boost", target="hub", yards=["RRYYGB", "RYGB"]))) == 36
    rich = "R" * 6 + "Y" * 6 + "G" * 6 + "B" * 6
    assert len(legal(place(state="keep", target="hub", catch=rich, yards=["RYGB", ""]))) == 210
