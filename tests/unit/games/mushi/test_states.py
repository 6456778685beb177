"""Every row of the rules' state table, its bounds and its neighbours."""

from typing import Any

import pytest

from engine_service.core.game import Chance, State
from tests.unit.games.mushi.script import legal, place, run, shows

FULL = "RRYYGB"  # a yard at its limit

# name, position, steps, what the view shows then
Row = tuple[str, State, list[str], dict[str, Any]]

TARGETS: list[Row] = [
    (
        "hub without a catch asks the boost at once",
        place(dice="RRYYGGB"),
        ["hub"],
        {"state": "boost", "target": "hub", "decides": 0, "owed": 0},
    ),
    (
        "hub before a catch asks its owner",
        place(catch="RYB", dice="RRYYGGB"),
        ["hub"],
        {"state": "keep", "target": "hub", "decides": 1, "owner": 1, "catch": "RYB"},
    ),
    (
        "the catch leaves hub, deck and catch alone",
        place(catch="RYB", deck=30),
        ["catch"],
        {"state": "boost", "target": "catch", "decides": 0, "hub": "RRRYYGGGBB", "deck": 30, "catch": "RYB"},
    ),
    (
        "the owner is the seat before, around the table",
        place(catch="R", yards=["RYGB"] * 5, player=3),
        ["catch"],
        {"owner": 2, "player": 3},
    ),
]

KEEPS: list[Row] = [
    (
        "what is kept goes to the yard, the rest to the heap",
        place(state="keep", target="hub", catch="RRYB", dice="RRYYGGB", heaps=["", "GG"]),
        ["keep RB"],
        {"yards": ["RYGB", "RRYGBB"], "heaps": [0, 4], "catch": "-", "owner": None, "state": "boost"},
    ),
    (
        "nothing is kept",
        place(state="keep", target="hub", catch="RRYB", dice="RRYYGGB"),
        ["keep -"],
        {"yards": ["RYGB", "RYGB"], "heaps": [0, 4], "state": "boost"},
    ),
    (
        "the split comes before the refill",
        place(state="keep", target="hub", catch="RRYB", dice="RRYY==="),
        ["keep -"],
        {"state": "refill", "decides": None},
    ),
]

REFILLS: list[Row] = [
    ("a card for each bar", place(dice="RYGB==="), ["hub", "deck RRB"], {"hub": "RRRRRYYGGGBBB"}),
    ("no bar and a full hub: nothing", place(dice="RRYYGGB"), ["hub"], {"state": "boost"}),
    (
        "then up to the floor",
        place(hub="GB", dice="RYGB===", deck=40),
        ["hub", "deck GGGBBB"],
        {"hub": "GGGGBBBB", "deck": 34, "state": "boost"},
    ),
    (
        "the bars may pass the floor",
        place(hub="RRRYYYG", dice="=======", deck=40),
        ["hub", "deck BBBBBBB"],
        {"hub": "RRRYYYGBBBBBBB", "deck": 33},
    ),
    (
        "bars with a short deck",
        place(dice="RY=====", deck=3),
        ["hub", "deck BBB"],
        {"deck": 0, "state": "boost"},
    ),
    (
        "floor with a short deck, yard lifts it",
        place(hub="RY", dice="RRRYYGG", deck=4),
        ["hub", "deck BBBB"],
        {"hub": "RYBBBB", "deck": 0, "state": "boost", "owed": 2},
    ),
    ("an empty deck gives nothing", place(dice="RY=====", deck=0), ["hub"], {"state": "boost", "owed": 0}),
    (
        "also after a turn that was bugged up",
        place(state="dice", target="hub", hub="RRRRRRRR", dice="=======", yards=[FULL, "RYGB"]),
        ["roll ====", "fall YYYY", "hub", "deck GGG"],
        {"hub": "RRRRRRRRGGG", "player": 1, "state": "boost"},
    ),
]

BOOSTS: list[Row] = [
    (
        "to the hub",
        place(state="boost", target="hub", yards=["RRB", "RYGB"]),
        ["boost RB"],
        {"hub": "RRRRYYGGGBBB", "yards": ["R", "RYGB"], "state": "dice", "decides": 0},
    ),
    (
        "to the catch",
        place(state="boost", target="catch", catch="GG", yards=["RRB", "RYGB"]),
        ["boost RB"],
        {"hub": "RRRYYGGGBB", "catch": "RGGB", "yards": ["R", "RYGB"]},
    ),
    (
        "nothing, from an empty yard too",
        place(state="boost", target="hub", yards=["", "RYGB"]),
        ["boost -"],
        {"state": "dice", "yards": ["-", "RYGB"]},
    ),
    (
        "all of it",
        place(state="boost", target="hub", yards=[FULL, "RYGB"]),
        ["boost RRYYGB"],
        {"yards": ["-", "RYGB"], "hub": "RRRRRYYYYGGGGBBB"},
    ),
]

ROLLS: list[Row] = [
    (
        "chosen dice wait for their faces",
        place(state="dice", target="hub", dice="RRYG==="),
        ["roll RG=="],
        {"state": "roll", "rolling": "RG==", "dice": "RRYG===", "decides": None},
    ),
    (
        "the others keep theirs and count",
        place(state="dice", target="hub", dice="RRYG==="),
        ["roll RG==", "fall BBGY"],
        {"dice": "RYYGBB=", "caught": "RYYGBB", "hub": "RRGG", "rolls": 1, "rolling": "-", "state": "dice"},
    ),
    (
        "as many dice as cards is a success",
        place(state="dice", target="hub", hub="RRRRYYY", dice="======="),
        ["roll =======", "fall RRRRYYY"],
        {"caught": "RRRRYYY", "hub": "-", "state": "dice"},
    ),
    (
        "bars alone are a success with nothing caught",
        place(state="dice", target="hub", dice="RRYG==="),
        ["roll RRYG", "fall ===="],
        {"caught": "-", "hub": "RRRYYGGGBB", "state": "dice", "rolls": 1},
    ),
    (
        "what was caught in this turn is no longer in the group",
        place(
            state="dice", target="hub", hub="Y", caught="YYY", dice="YYY====", rolls=1, yards=[FULL, "RYGB"]
        ),
        ["roll ====", "fall ===="],
        {"hub": "YYYY", "caught": "-", "player": 1, "state": "target"},
    ),
    (
        "a second success adds to the catch",
        place(state="dice", target="hub", hub="RYGB", caught="RR", dice="RR=====", rolls=1),
        ["roll R====", "fall Y===="],
        {"caught": "RRRY", "hub": "GB", "rolls": 2},
    ),
    (
        "from a catch as from the hub",
        place(state="dice", target="catch", catch="RRYB", dice="======="),
        ["roll ====", "fall RYB="],
        {"catch": "R", "caught": "RYB", "hub": "RRRYYGGGBB"},
    ),
]

BUSTS: list[Row] = [
    (
        "the turn's catch goes back to the hub, boosted cards stay",
        place(state="boost", target="hub", hub="RYGB", yards=["RYGBBB", "RYGB"]),
        ["boost BBB", "roll ====", "fall RYBB", "roll RY==", "fall BBBB"],
        {"hub": "RYGBBBB", "caught": "-", "state": "consolation", "decides": None, "player": 0},
    ),
    (
        "two cards for a yard of four",
        place(state="roll", target="hub", rolling="====", hub="R"),
        ["fall YYYY", "deck BB"],
        {"yards": ["RYGBBB", "RYGB"], "state": "target", "player": 1, "turn": 11, "target": None, "rolls": 0},
    ),
    (
        "one card for a yard of five",
        place(state="roll", target="hub", rolling="====", hub="R", yards=["RRYGB", "RYGB"]),
        ["fall YYYY", "deck G"],
        {"yards": ["RRYGGB", "RYGB"], "state": "target", "player": 1},
    ),
    (
        "none for a yard of six",
        place(state="roll", target="hub", rolling="====", hub="R", yards=[FULL, "RYGB"]),
        ["fall YYYY"],
        {"yards": [FULL, "RYGB"], "state": "target", "player": 1},
    ),
    (
        "one from a deck of one",
        place(state="roll", target="hub", rolling="====", hub="RRRRRRRR", deck=1),
        ["fall YYYY", "deck B"],
        {"yards": ["RYGBB", "RYGB"], "deck": 0, "player": 1},
    ),
    (
        "none from an empty deck",
        place(state="roll", target="hub", rolling="====", hub="RRRRRRRR", deck=0),
        ["fall YYYY"],
        {"yards": ["RYGB", "RYGB"], "state": "target", "player": 1},
    ),
    (
        "dice stay as they fell, and the catch is nobody's",
        place(state="roll", target="hub", rolling="====", hub="R", dice="RG=====", yards=[FULL, "RYGB"]),
        ["fall YYY="],
        {"dice": "RYYYG==", "catch": "-", "owner": None},
    ),
    (
        "at a catch: consolation, then its owner splits all of it with what was boosted",
        place(state="boost", target="catch", catch="RY", yards=["BBB", "RYGB"], dice="======="),
        ["boost B", "roll ====", "fall RY==", "roll RY==", "fall GGGG", "deck RR"],
        {"state": "keep", "decides": 1, "catch": "RYB", "owner": 1, "caught": "-", "yards": ["RRBB", "RYGB"]},
    ),
    (
        "at a catch: the split ends the turn",
        place(state="roll", target="catch", rolling="====", catch="RYB", yards=[FULL, "RYGB"]),
        ["fall GGGG", "keep RY"],
        {"state": "target", "player": 1, "yards": [FULL, "RRYYGB"], "heaps": [0, 1], "catch": "-"},
    ),
]

STOPS: list[Row] = [
    (
        "the catch waits for the next player",
        place(state="dice", target="hub", caught="RYB", rolls=1, yards=["RYGB"] * 3),
        ["stop"],
        {"state": "target", "player": 1, "owner": 0, "catch": "RYB", "caught": "-", "turn": 11, "rolls": 0},
    ),
    (
        "what is left of a catch is split by its owner",
        place(state="dice", target="catch", catch="GG", caught="RYB", rolls=1),
        ["stop"],
        {"state": "keep", "decides": 1, "catch": "GG", "owner": 1, "caught": "RYB", "player": 0},
    ),
    (
        "and then the player's own waits",
        place(state="dice", target="catch", catch="GG", caught="RYB", rolls=1),
        ["stop", "keep G"],
        {
            "state": "target",
            "player": 1,
            "catch": "RYB",
            "owner": 0,
            "yards": ["RYGB", "RYGGB"],
            "heaps": [0, 1],
        },
    ),
    (
        "nothing left, nothing to split",
        place(state="dice", target="catch", catch="", caught="RYB", rolls=1),
        ["stop"],
        {"state": "target", "player": 1, "catch": "RYB", "owner": 0},
    ),
    (
        "an empty catch waits for nobody",
        place(state="dice", target="hub", caught="", rolls=1),
        ["stop"],
        {"state": "target", "player": 1, "catch": "-", "owner": None},
    ),
    (
        "the last seat is followed by seat 0",
        place(state="dice", target="hub", caught="R", rolls=1, player=1),
        ["stop"],
        {"player": 0, "owner": 1},
    ),
]

ROWS = [*TARGETS, *KEEPS, *REFILLS, *BOOSTS, *ROLLS, *BUSTS, *STOPS]


@pytest.mark.parametrize(("name", "state", "steps", "wanted"), ROWS, ids=[row[0] for row in ROWS])
def test_row(name: str, state: State, steps: list[str], wanted: dict[str, Any]) -> None:
    run(state, *steps)
    shows(state, **wanted)


# name, position, legal moves
LEGAL: list[tuple[str, State, list[str]]] = [
    ("no catch, no choice", place(), ["hub"]),
    ("a catch", place(catch="R"), ["hub", "catch"]),
    ("after an all-bar success only the hub", place(catch="", dice="======="), ["hub"]),
    (
        "a full yard keeps nothing",
        place(state="keep", target="hub", catch="RR", yards=["", FULL]),
        ["keep -"],
    ),
    (
        "room for one",
        place(state="keep", target="hub", catch="RRB", yards=["", "RYGBB"]),
        ["keep -", "keep R", "keep B"],
    ),
    (
        "room for all, in a catch turn too",
        place(state="keep", target="catch", catch="RB", yards=["", ""]),
        ["keep -", "keep R", "keep B", "keep RB"],
    ),
    ("an empty yard boosts nothing", place(state="boost", target="hub", yards=["", ""]), ["boost -"]),
    (
        "an owed boost",
        place(state="boost", target="hub", hub="RRRRRR", deck=0, yards=["RBB", ""], owed=2),
        ["boost RB", "boost BB", "boost RBB"],
    ),
    (
        "the last card is owed",
        place(state="boost", target="hub", hub="R" * 7, yards=["B", ""], owed=1),
        ["boost B"],
    ),
    ("only a stop at the roll limit", place(state="dice", target="hub", caught="R", rolls=50), ["stop"]),
]


@pytest.mark.parametrize(("name", "state", "wanted"), LEGAL, ids=[row[0] for row in LEGAL])
def test_legal(name: str, state: State, wanted: list[str]) -> None:
    assert legal(state) == wanted


def test_rolls_take_four_to_seven_dice() -> None:
    first = legal(place(state="dice", target="hub", dice="RRYYGB="))
    assert {len(text.removeprefix("roll ")) for text in first} == {4, 5, 6, 7}
    assert "stop" not in first
    assert legal(place(state="dice", target="hub", dice="RRYYGB=", rolls=1)) == ["stop", *first]


def test_the_dice_of_a_turn_are_a_stream_of_their_own() -> None:
    state = place(state="dice", target="hub", turn=37)
    run(state, "roll =====")
    pending = state.pending()
    assert isinstance(pending, Chance)
    assert (pending.stream, pending.sizes) == ("dice/37", [6] * 5)
    assert state.reading([0, 1, 2, 3, 4]) == {"faces": ["R", "Y", "G", "B", "="]}
    assert state.reading([5, 5, 5, 5, 5]) == {"faces": ["="] * 5}


def test_every_colour_can_be_too_much() -> None:
    for colour in "RYGB":
        state = place(state="roll", target="hub", rolling="====", hub=colour * 3, yards=[FULL, "RYGB"])
        (told,) = run(state, f"fall {colour * 4}")
        assert (told["event"], told["over"]) == ("bust", colour)
