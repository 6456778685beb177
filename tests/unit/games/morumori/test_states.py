"""Every row of the rules' state table, its bounds and its neighbours."""

from typing import Any

import pytest

from engine_service.core.game import Chance, IllegalMove, NotYourTurn, State, Turn
from engine_service.games.morumori import MORUMORI
from tests.unit.games.morumori.script import default, faces_of, legal, move, over, place, run, shows

REST = "9 9 9 9 9 9"

# name, position, steps, what the view shows then
Row = tuple[str, State, list[str], dict[str, Any]]

FLIPS: list[Row] = [
    ("below the target: on", place(f"3 {REST}", target=4), ["flip 0"], {"state": "flip", "total": 3}),
    ("a card that is up is up", place(f"3 {REST}", target=4), ["flip 0"], {"up": [0], "decides": 0}),
    ("the target", place(f"4 {REST}", target=4), ["flip 0"], {"state": "take", "target": 5}),
    ("above", place(f"5 {REST}", target=4), ["flip 0"], {"player": 1, "target": 4, "total": 0}),
    ("one and one", place(f"1 1 {REST}", target=2), ["flip 0 1"], {"state": "take", "piles": [["1"], []]}),
    ("x2 of nothing", place(f"x2 4 {REST}", target=4), ["flip 0"], {"state": "flip", "total": 0}),
    ("nothing is no target", place(f"0 4 {REST}", target=4), ["flip 0"], {"state": "flip", "total": 0}),
    ("x2 first counts nothing", place(f"x2 4 {REST}", target=8), ["flip 0 1"], {"total": 4}),
    ("x2 meets", place(f"x2 4 {REST}", target=8), ["flip 1 0"], {"state": "take", "target": 9}),
    ("x2 twice", place(f"x2 x2 1 {REST}", target=4), ["flip 2 0 1"], {"state": "take", "target": 5}),
    ("x2 is too much", place(f"x2 4 {REST}", target=7), ["flip 1 0"], {"state": "companion", "target": 7}),
    ("0 and on", place(f"4 0 {REST}", target=7), ["flip 0 1"], {"state": "flip", "total": 0, "up": [0, 1]}),
    ("= with nothing up", place(f"= {REST}", target=7), ["flip 0"], {"target": 8, "player": 1}),
    ("= with 0", place(f"4 0 = {REST}", target=7), ["flip 0 1 2"], {"state": "take", "discard": ["="]}),
    (
        "miss",
        place(f"4 miss {REST}", target=7),
        ["flip 0 1"],
        {"target": 7, "player": 1, "slots": "? " * 7 + "?"},
    ),
    ("the last card fails", place("1 1", target=9), ["flip 0 1"], {"player": 1, "target": 9, "slots": "? ?"}),
    ("the last card meets", place("1 3", target=4), ["flip 0 1"], {"state": "take", "target": 5}),
]

SUCCESSES: list[Row] = [
    ("a life heals", place("4 9", target=4, coop=True, lives=2), ["flip 0"], {"lives": 3}),
    ("no more than all", place("4 9", target=4, coop=True, lives=4), ["flip 0"], {"lives": 4}),
    (
        "coop discards",
        place("4 9", target=4, coop=True),
        ["flip 0", "take 0"],
        {"discard": ["4"], "piles": [[], []]},
    ),
    (
        "the house counts at once",
        place("4 9", target=4, coop=True, seats=3),
        ["flip 0"],
        {"scores": [4, 4, 4]},
    ),
    (
        "one copy for each number that is up twice, the lowest",
        place("1 2 2 1 1 9", target=7),
        ["flip 4 3 2 1 0"],
        {"piles": [["1", "2"], []], "slots": ". . 2 1 1 ?"},
    ),
    (
        "after them no number need be left",
        place("3 3 9", target=6),
        ["flip 0 1", "take 1"],
        {"piles": [["3", "3"], []], "slots": ". . ?"},
    ),
    (
        "duplicates and = of coop lie in order of their slots",
        place("= 3 3 9", target=9, coop=True),
        ["flip 1 2 0"],
        {"discard": ["=", "3"], "state": "take"},
    ),
    (
        "the seat after plays, around the table",
        place("4 9", target=4, player=2, seats=3),
        ["flip 0", "take 0"],
        {"player": 0, "turn": 11, "piles": [[], [], ["4"]], "total": 0, "up": []},
    ),
    (
        "= and a special: no number, so the scatter comes at once",
        place("0 = 9 9 9 9 9", target=4),
        ["flip 0 1"],
        {"state": "companion", "discard": ["="], "mixed": [0], "owed": 4},
    ),
]

FAILURES: list[Row] = [
    ("a life turns", place("5 9", target=4, coop=True, lives=2), ["flip 0"], {"lives": 1, "state": "flip"}),
    ("the target stays", place("5 9", target=4, coop=True), ["flip 0"], {"target": 4, "scores": [3, 3]}),
    ("versus loses nothing", place("5 9", target=4, piles=["2", ""]), ["flip 0"], {"scores": [2, 0]}),
    (
        "a scatter after a failure too",
        place("0 5 9 9 9 9 9", target=4, coop=True),
        ["flip 0 1"],
        {"state": "companion", "lives": 3, "mixed": [0]},
    ),
]


@pytest.mark.parametrize(
    ("name", "state", "steps", "wanted"),
    [*FLIPS, *SUCCESSES, *FAILURES],
    ids=[row[0] for row in [*FLIPS, *SUCCESSES, *FAILURES]],
)
def test_rows(name: str, state: State, steps: list[str], wanted: dict[str, Any]) -> None:
    run(state, *steps)
    shows(state, **wanted)


class TestScatter:
    def test_companions_may_lie_up_or_down(self) -> None:
        state = place("0 5 1 2 3 4", target=4)
        run(state, "flip 0 1")
        assert legal(state) == ["scatter 1", "scatter 2", "scatter 3", "scatter 4", "scatter 5"]
        run(state, "scatter 1 5 2")
        assert legal(state) == ["scatter 3", "scatter 4"]
        shows(state, mixed=[0, 1, 5, 2], owed=1, slots="0 5 ? ? ? ?")

    def test_a_miss_that_is_up_may_be_chosen(self) -> None:
        state = place("0 miss 1 2 3 4", target=4)
        run(state, "flip 0 1")
        assert "scatter 1" in legal(state)

    def test_a_special_that_is_face_down_is_a_card_like_others(self) -> None:
        state = place("0 5 x2 0 3 4", target=4)
        run(state, "flip 0 1")
        assert "scatter 2" in legal(state)
        assert "scatter 3" in legal(state)

    def test_the_slots_are_shown_and_the_faces_are_not(self) -> None:
        state = place("0 5 1 2 3 4", target=4)
        run(state, "flip 0 1", "scatter 5 4 3 2")
        shows(state, state="scatter", decides=None, mixed=[0, 2, 3, 4, 5])
        pending = state.pending()
        assert isinstance(pending, Chance)
        assert (pending.stream, pending.sizes) == ("scatter", [5, 4, 3, 2, 1])
        assert state.reading([0, 0, 0, 0, 0]) == {
            "slots": [0, 2, 3, 4, 5],
            "faces": ["1", "2", "3", "4", "0"],
        }
        told = run(state, "fall 4 0 3 2 1")
        assert told == [
            {"event": "scatter", "seat": 0, "slots": [0, 2, 3, 4, 5]},
            {"event": "turn", "seat": 1, "target": 4},
        ]
        shows(state, mixed=[], owed=0, slots="? ? ? ? ? ?", player=1)
        assert faces_of(state) == ["4", "5", "0", "3", "2", "1"]

    def test_equal_cards_are_indices_of_their_own(self) -> None:
        state = place("0 5 1 1 3 3", target=4)
        run(state, "flip 0 1", "scatter 2 3 4 5")
        for outcome in ([0, 0, 0, 0, 0], [1, 0, 1, 0, 0]):
            assert state.reading(outcome)["faces"] == ["1", "1", "3", "3", "0"]

    def test_several_specials_share_one_scatter(self) -> None:
        state = place("0 x2 0 5 1 1 1 1 1", target=4)
        run(state, "flip 0 1 2 3")
        shows(state, mixed=[0, 1, 2], owed=4)
        assert legal(state) == [f"scatter {slot}" for slot in range(3, 9)]
        run(state, "scatter 4 5 6 7", "fall 1 1 1 1 x2 0 0")
        assert faces_of(state) == ["1", "1", "1", "5", "1", "x2", "0", "0", "1"]

    @pytest.mark.parametrize(("others", "owed"), [("9 9", 3), ("9", 2), ("", 1)])
    def test_fewer_than_four_others(self, others: str, owed: int) -> None:
        state = place(f"0 5 {others}", target=4)
        run(state, "flip 0 1")
        shows(state, state="companion", owed=owed)
        for left in range(owed, 0, -1):
            assert len(legal(state)) == left
            move(state, legal(state)[0])
        shows(state, state="scatter")

    def test_no_other_at_all(self) -> None:
        state = place("0 .", target=4, discard="1")
        run(state, "flip 0")
        shows(state, state="scatter", mixed=[0], owed=0)
        told = run(state, "fall 0")
        assert [event["event"] for event in told] == ["scatter", "turn"]

    def test_the_last_one_is_asked_too(self) -> None:
        state = place("0 5 9", target=4)
        run(state, "flip 0 1", "scatter 1")
        assert legal(state) == ["scatter 2"]

    def test_what_has_left_is_no_companion(self) -> None:
        state = place("3 3 x2 9 9 9 9", target=12)
        run(state, "flip 0 1 2", "take 1")
        assert legal(state) == [f"scatter {slot}" for slot in range(3, 7)]


class TestAsking:
    def test_the_clock_plays_the_lowest_slot(self) -> None:
        state = place("x2 3 . 3 9 9 9", target=12, discard="1")
        assert default(state) == "flip 0"
        run(state, "flip 1 3 0")
        assert default(state) == "take 3"
        run(state, "take 3")
        assert default(state) == "scatter 4"

    def test_one_object_until_something_happens(self) -> None:
        state = place("x2 3 9", target=12)
        pending = state.pending()
        assert isinstance(pending, Turn)
        assert pending.seats == [0]
        assert state.pending() is pending

    @pytest.mark.parametrize("text", ["flip 1", "flip 2", "flip 9", "take 0", "scatter 0"])
    def test_what_may_not_be_flipped(self, text: str) -> None:
        state = place("3 3 . 9", target=12, up=[1], total=3, discard="1")
        with pytest.raises(IllegalMove, match="seat 0 may not play that now; it may play: flip 0, flip 3"):
            state.play({0: MORUMORI.parse(text)})
        shows(state, up=[1], total=3)

    def test_long_lists_are_cut_in_messages(self) -> None:
        state = place("1 " * 30, target=12)
        with pytest.raises(IllegalMove, match="flip 7 and 22 more"):
            state.play({0: MORUMORI.parse("take 0")})

    @pytest.mark.parametrize("moves", [{1: 0}, {0: 0, 1: 0}, {}, {-1: 0}])
    def test_whose_turn_it_is_not(self, moves: dict[int, int]) -> None:
        state = place("3 9", target=12)
        with pytest.raises(NotYourTurn, match="seat 0 alone decides now"):
            state.play(moves)
        shows(state, up=[])

    def test_nobody_plays_for_chance(self) -> None:
        state = place("0 5 9", target=4)
        run(state, "flip 0 1", "scatter 1 2")
        with pytest.raises(NotYourTurn, match="no seat decides now"):
            state.play({0: 0})
        with pytest.raises(NotYourTurn, match="no seat decides now"):
            state.legal(0)

    def test_nobody_plays_when_all_is_over(self) -> None:
        state = place("5 9", target=4, coop=True, lives=1)
        run(state, "flip 0")
        assert over(state).end == "normal"
        with pytest.raises(NotYourTurn):
            state.legal(0)
        with pytest.raises(NotYourTurn):
            state.play({0: 1})
