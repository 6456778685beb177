"""Every row of the rules' state table, its bounds and its neighbours."""

from typing import Any

import pytest

from engine_service.core.game import Chance, IllegalMove, NotYourTurn, State
from engine_service.games.seimi import SEIMI
from tests.unit.games.seimi.script import default, fight, legal, place, run, shows

DECK = "fly-fist fly-blade fly-gun dog-fist dog-blade"

# name, position, steps, what the view shows then
Row = tuple[str, State, list[str], dict[str, Any]]

ADVANCES: list[Row] = [
    (
        "a road step asks for cards, from the start player on",
        place(roads=[2] * 6, served=2, field="fly-fist", deck=DECK),
        ["take fly-fist"],
        {"state": "acquire", "step": 2, "decides": 0, "served": 0, "start": 0},
    ),
    (
        "the end of the road is the monster",
        place(roads=[2] * 6, step=2, served=2, start=1, field="fly-fist", deck=DECK),
        ["take fly-fist"],
        {"state": "deploy", "step": 3, "decides": 1, "served": 0, "start": 1},
    ),
    (
        "after a fight the next road begins, with the first ranked",
        place(state="deploy", step=2, served=2, rows=[[], ["fly-fist 2"], []], deck=DECK),
        ["done"],
        {"state": "acquire", "monster": 2, "step": 1, "start": 1, "decides": 1},
    ),
]

ACQUIRES: list[Row] = [
    (
        "A from the field",
        place(hands=["dog-gun", "", ""], field="fly-gun parents", deck=DECK),
        ["take parents"],
        {"hands": ["dog-gun parents", "", ""], "field": "fly-gun", "decides": 1, "takes": 1},
    ),
    (
        "A from the deck",
        place(hands=["dog-gun", "", ""], field="fly-gun", deck=DECK),
        ["take deck", "deck fly-blade"],
        {"hands": ["fly-blade dog-gun", "", ""], "field": "fly-gun", "deck": 4, "decides": 1},
    ),
    (
        "B puts a card, and two are to be taken",
        place(hands=["dog-gun", "", ""], field="fly-gun", deck=DECK),
        ["put dog-gun"],
        {"hands": [0, 0, 0], "field": "fly-gun dog-gun", "state": "take", "takes": 2, "decides": 0},
    ),
    (
        "B: the first take is seen before the second",
        place(hands=["dog-gun", "", ""], field="fly-gun", deck=DECK),
        ["put dog-gun", "take deck", "deck fly-fist"],
        {"hands": ["fly-fist", "", ""], "state": "take", "takes": 1, "decides": 0},
    ),
    (
        "B: two from the field",
        place(hands=["dog-gun", "", ""], field="fly-gun parents", deck=DECK),
        ["put dog-gun", "take parents", "take fly-gun"],
        {"hands": ["fly-gun parents", "", ""], "field": "dog-gun", "decides": 1, "deck": 5},
    ),
    (
        "B: two from the deck",
        place(hands=["dog-gun", "", ""], deck=DECK),
        ["put dog-gun", "take deck", "deck fly-gun", "take deck", "deck dog-fist"],
        {"hands": ["fly-gun dog-fist", "", ""], "field": "dog-gun", "decides": 1, "deck": 3},
    ),
    (
        "B: the card put down may be taken back",
        place(hands=["dog-gun", "", ""], field="fly-gun", deck=DECK),
        ["put dog-gun", "take dog-gun", "take fly-gun"],
        {"hands": ["fly-gun dog-gun", "", ""], "field": "", "decides": 1},
    ),
    (
        "everybody once, clockwise from the start player",
        place(start=2, roads=[3] * 6, field="fly-gun fly-gun fly-gun"),
        ["take fly-gun", "take fly-gun"],
        {"decides": 1, "served": 2, "step": 1, "hands": [1, 0, 1]},
    ),
    (
        "the field is not filled up",
        place(field="fly-gun dog-gun", deck=DECK),
        ["take fly-gun"],
        {"field": "dog-gun", "deck": 5, "decides": 1},
    ),
]

PILES: list[Row] = [
    (
        "the discards become a deck when a card is needed, not before",
        place(hands=["", "", ""], field="dog-gun", deck="fly-fist", discards="fly-gun flesh-gun"),
        ["take deck", "deck fly-fist"],
        {"deck": 0, "discards": 2, "decides": 1},
    ),
    (
        "all the discards of that moment",
        place(field="dog-gun", discards="fly-gun flesh-gun"),
        ["take deck", "deck flesh-gun"],
        {"deck": 1, "discards": 0, "decides": 1, "hands": ["flesh-gun", "", ""]},
    ),
    (
        "nothing to take: passed over, on every step, without an event",
        place(roads=[3] * 6, field="dog-gun"),
        ["take dog-gun"],
        {"state": "deploy", "step": 4, "decides": 0},
    ),
    (
        "only the last is left without",
        place(roads=[2] * 6, field="dog-gun dog-fist", served=1),
        ["take dog-gun", "take dog-fist"],
        {"state": "deploy", "step": 3, "hands": [0, 1, 1]},
    ),
    (
        "B with one card on the table: the put-down makes it two",
        place(hands=["dog-fist", "", ""], field="dog-gun"),
        ["put dog-fist", "take dog-fist", "take dog-gun"],
        {"state": "deploy", "hands": [2, 0, 0]},
    ),
]

LAID: list[Row] = [
    (
        "play adds one",
        place(hands=["fly-gun", "", ""], rows=[["fly-gun 2 parents"], [], []], state="deploy", step=2),
        ["play fly-gun"],
        {"rows": [["fly-gun 3 parents"], [], []], "hands": [0, 0, 0], "decides": 0},
    ),
    (
        "open alone",
        place(hands=["fly-gun parents", "", ""], state="deploy", step=2),
        ["open fly-gun"],
        {"rows": [["fly-gun 1"], [], []], "hands": ["parents", "", ""]},
    ),
    (
        "open behind Parents",
        place(hands=["fly-gun parents", "", ""], state="deploy", step=2),
        ["open parents+fly-gun"],
        {"rows": [["fly-gun 2 parents"], [], []], "hands": [0, 0, 0]},
    ),
    (
        "replace behind Parents: all cards of the old row are discarded",
        place(
            hands=["fly-gun parents", "", ""], rows=[["fly-fist 4 parents"], [], []], state="deploy", step=2
        ),
        ["replace parents+fly-gun"],
        {"rows": [["fly-gun 2 parents"], [], []], "discards": 4},
    ),
    (
        "a row just opened may be replaced",
        place(hands=["fly-gun fly-fist parents", "", ""], state="deploy", step=2),
        ["open parents+fly-gun", "replace fly-fist"],
        {"rows": [["fly-fist 1"], [], []], "discards": 2, "hands": [0, 0, 0]},
    ),
    (
        "four rows, the same ability in several",
        place(hands=["fly-gun skeleton-gun flesh-gun dog-psychic", "", ""], state="deploy", step=2),
        ["open fly-gun", "open skeleton-gun", "open flesh-gun", "open dog-psychic"],
        {"rows": [["fly-gun 1", "skeleton-gun 1", "flesh-gun 1", "dog-psychic 1"], [], []]},
    ),
    (
        "done without a card",
        place(hands=["fly-gun", "", ""], state="deploy", step=2),
        ["done"],
        {"decides": 1, "served": 1, "rows": [[], [], []]},
    ),
    (
        "clockwise from the start player",
        place(state="deploy", step=2, start=2),
        ["done", "done"],
        {"decides": 1, "served": 2},
    ),
]


@pytest.mark.parametrize(
    ("state", "steps", "wanted"),
    [pytest.param(*row[1:], id=row[0]) for row in ADVANCES + ACQUIRES + PILES + LAID],
)
def test_row(state: State, steps: list[str], wanted: dict[str, Any]) -> None:
    run(state, *steps)
    shows(state, **wanted)


LEGAL = [
    (
        "deck, field, hand, each in canonical order",
        place(
            hands=["parents dog-gun dog-gun", "", ""], field="parents fly-fist flesh-gun flesh-gun", deck=DECK
        ),
        ["take deck", "take fly-fist", "take flesh-gun", "take parents", "put dog-gun", "put parents"],
    ),
    (
        "the discards are a deck",
        place(field="fly-fist", discards="dog-gun"),
        ["take deck", "take fly-fist"],
    ),
    ("no deck", place(hands=["dog-gun", "", ""], field="fly-fist"), ["take fly-fist", "put dog-gun"]),
    ("an empty hand puts nothing", place(deck=DECK), ["take deck"]),
    (
        "the two takes of B are no new A or B",
        place(hands=["dog-gun", "", ""], field="fly-fist", deck=DECK, state="take"),
        ["take deck", "take fly-fist"],
    ),
    (
        "kind by kind: play, open, with Parents, replace, with Parents",
        place(
            hands=["fly-fist fly-gun skeleton-blade skeleton-psychic parents", "", ""],
            rows=[["fly-gun 1"], [], []],
            state="deploy",
            step=2,
        ),
        [
            "done",
            "play fly-gun",
            "replace fly-fist",
            "replace parents+fly-fist",
            "open skeleton-blade",
            "open skeleton-psychic",
            "open parents+skeleton-blade",
            "open parents+skeleton-psychic",
        ],
    ),
    ("done alone is asked", place(state="deploy", step=2), ["done"]),
]


@pytest.mark.parametrize(("state", "wanted"), [pytest.param(*row[1:], id=row[0]) for row in LEGAL])
def test_legal(state: State, wanted: list[str]) -> None:
    assert legal(state) == wanted
    assert default(state) == wanted[0]


LOSSES = [
    ("the last card of each row that counts", ["fly-fist 3", "dog-gun 2"], ["fly-fist 2", "dog-gun 1"], 2),
    ("a row of one is gone", ["fly-fist 1", "dog-fist 2"], ["dog-fist 1"], 2),
    ("Parents are not left alone", ["fly-fist 2 parents"], [], 2),
    ("Parents stay with another", ["fly-fist 3 parents"], ["fly-fist 2 parents"], 1),
    ("rows that do not count stay", ["fly-blade 2", "dog-fist 2"], ["fly-blade 2", "dog-fist 1"], 1),
]


@pytest.mark.parametrize(("before", "after", "lost"), [row[1:] for row in LOSSES], ids=[r[0] for r in LOSSES])
def test_what_a_winner_loses(before: list[str], after: list[str], lost: int) -> None:
    state, told = fight([before, [], []])
    shows(state, rows=[after, [], []], discards=lost)
    assert told[5]["event"] == "loss"
    assert len(told[5]["cards"]) == lost


def test_the_kind_of_a_lost_row_may_be_opened_again() -> None:
    state = place(
        hands=["fly-gun", "", ""],
        rows=[["fly-fist 2 parents"], [], []],
        field="dog-fist",
        state="deploy",
        step=2,
    )
    run(
        state,
        "done",
        "done",
        "done",
        "take dog-fist",
        "take deck",
        "deck fly-fist",
        "take deck",
        "deck parents",
    )
    assert legal(state) == ["done", "open fly-gun", "open dog-fist"]


def test_who_gets_no_token_loses_nothing() -> None:
    state, told = fight([["fly-fist 3"], ["fly-fist 2"], ["fly-fist 1"]])
    assert [event["seat"] for event in told if event["event"] == "loss"] == [0, 1]
    shows(state, rows=[["fly-fist 2"], ["fly-fist 1"], ["fly-fist 1"]], tokens=[[5], [4], []])


AWARDS: list[tuple[str, int, list[int], list[int | None], list[int], int]] = [
    ("by number", 0, [1, 3, 2], [None, 5, 4], [], 1),
    ("equal ones by distance", 1, [2, 2, 2], [None, 5, 4], [], 1),
    ("equal ones around the table", 2, [2, 2, 2], [4, None, 5], [], 2),
    ("tie for the last place: one goes empty", 0, [3, 1, 1], [5, 4, None], [], 0),
    ("zeros get nothing", 0, [0, 2, 0], [None, 5, None], [4], 1),
    ("all zeros: the start player stays", 2, [0, 0, 0], [None, None, None], [5, 4], 2),
]


@pytest.mark.parametrize(
    ("start", "declared", "tokens", "removed", "next_start"),
    [r[1:] for r in AWARDS],
    ids=[r[0] for r in AWARDS],
)
def test_award(
    start: int, declared: list[int], tokens: list[int | None], removed: list[int], next_start: int
) -> None:
    rows = [[f"fly-fist {size}"] if size else [] for size in declared]
    state, told = fight(rows, start=start)
    award = next(event for event in told if event["event"] == "award")
    assert (award["tokens"], award["removed"], award["start"]) == (tokens, removed, next_start)
    shows(state, declared=declared, start=next_start, monster=2)
    assert state.view(None)["line"][0] == []


def test_everybody_sees_what_is_taken_from_the_field_and_nobody_what_is_drawn() -> None:
    state = place(field="fly-fist", deck="dog-gun", served=1)
    (take,) = state.play({1: SEIMI.parse("take deck")})
    assert (take.audience, take.event) == (None, {"event": "take", "seat": 1, "card": None})
    draw, *_ = state.resolve([0])
    assert (draw.audience, draw.event) == ([1], {"event": "draw", "seat": 1, "card": "dog-gun"})
    (take, *_) = state.play({2: SEIMI.parse("take fly-fist")})
    assert (take.audience, take.event) == (None, {"event": "take", "seat": 2, "card": "fly-fist"})


@pytest.mark.parametrize("text", ["take dog-gun", "put dog-gun", "done", "open fly-gun", "play fly-gun"])
def test_illegal_moves_say_what_is_legal(text: str) -> None:
    state = place(hands=["fly-gun", "", ""], field="fly-fist", deck=DECK)
    with pytest.raises(
        IllegalMove, match=r"seat 0 may not play that now; it may play: take deck, take fly-fist"
    ):
        state.play({0: SEIMI.parse(text)})


def test_a_dry_deck_is_refused() -> None:
    state = place(field="fly-fist")
    with pytest.raises(IllegalMove, match=r"it may play: take fly-fist$"):
        state.play({0: SEIMI.parse("take deck")})


def test_others_are_told_whose_turn_it_is() -> None:
    state = place(field="fly-fist", deck=DECK)
    for moves in ({1: 0}, {0: 0, 1: 0}, {}):
        with pytest.raises(NotYourTurn, match="seat 0 alone decides now"):
            state.play(moves)
    run(state, "take deck")
    assert isinstance(state.pending(), Chance)
    with pytest.raises(NotYourTurn, match="no seat decides now"):
        state.play({0: 0})
