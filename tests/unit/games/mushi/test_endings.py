"""Ends, ranks, limits, and what the clock plays."""

import pytest

from engine_service.core.game import IllegalMove, NotYourTurn, State
from engine_service.games.mushi import MUSHI
from tests.unit.games.mushi.script import default, legal, new, over, place, run, shows

FULL = "RRYYGB"

# heaps, yards, ranks
RANKS = [
    ("by heap", [5, 9, 7], [0, 0, 0], [2, 0, 1]),
    ("the smaller yard among equals", [7, 7, 7], [2, 0, 1], [2, 0, 1]),
    ("a shared win", [7, 3, 7], [1, 0, 1], [0, 2, 0]),
    ("a shared second place", [3, 9, 3, 1], [2, 2, 2, 0], [1, 0, 1, 3]),
    ("all equal", [4, 4, 4, 4, 4], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]),
    ("a yard never beats a heap", [5, 4], [6, 0], [0, 1]),
]


@pytest.mark.parametrize(("name", "heaps", "yards", "ranks"), RANKS, ids=[row[0] for row in RANKS])
def test_ranks(name: str, heaps: list[int], yards: list[int], ranks: list[int]) -> None:
    cards = iter("RYGB" * 22)
    heap_texts = ["".join(next(cards) for _ in range(size)) for size in heaps]
    yard_texts = ["".join(next(cards) for _ in range(size)) for size in yards]
    state = place(turn=499, state="dice", rolls=1, target="hub", hub="", heaps=heap_texts, yards=yard_texts)
    (*_, told) = run(state, "stop")
    assert (over(state).scores, over(state).ranks) == (heaps, ranks)
    assert told == {"event": "end", "end": "turn_limit", "scores": heaps, "ranks": ranks}
    shows(state, state="over", end="turn_limit", ranks=ranks, heaps=heaps, decides=None)


def test_the_turn_limit_gives_a_pending_catch_to_its_owner() -> None:
    state = place(turn=499, state="dice", rolls=1, target="hub", caught="RRY", heaps=["", "RRG"])
    told = run(state, "stop")
    assert told[1] == {"event": "keep", "seat": 0, "yard": "-", "heap": "RRY"}
    assert (over(state).end, over(state).scores) == ("turn_limit", [3, 3])


def test_the_last_turn_is_played_to_its_end() -> None:
    state = place(turn=499, state="dice", rolls=1, target="catch", catch="G", caught="RRY")
    run(state, "stop")
    shows(state, state="keep", decides=1)
    run(state, "keep G")
    assert over(state).scores == [3, 0]


def test_a_bust_in_the_last_turn_is_consoled() -> None:
    state = place(turn=499, state="roll", rolling="====", target="hub", hub="R")
    run(state, "fall YYYY", "deck BB")
    assert over(state).end == "turn_limit"
    shows(state, yards=["RYGBBB", "RYGB"])


def test_turn_499_is_not_the_last_but_one() -> None:
    state = place(turn=498, state="dice", rolls=1, target="hub")
    run(state, "stop")
    shows(state, state="target", turn=499)


def test_fifty_rolls_then_only_stop() -> None:
    state = place(state="dice", target="hub", dice="=======")
    for _ in range(49):
        run(state, "roll ====", "fall ====")
        assert len(legal(state)) > 1
    run(state, "roll ====", "fall ====")
    shows(state, rolls=50)
    assert legal(state) == ["stop"]
    run(state, "stop")
    shows(state, state="target", player=1)


DEFAULTS: list[tuple[str, State, str]] = [
    ("target", place(catch="R"), "hub"),
    ("keep", place(state="keep", target="hub", catch="RR"), "keep -"),
    ("boost", place(state="boost", target="hub"), "boost -"),
    (
        "owed boost: the fewest, R before Y before G before B",
        place(state="boost", target="hub", hub="RRRRRR", yards=["YGGB", ""], deck=0, owed=2),
        "boost YG",
    ),
    (
        "owed boost, two of a colour first",
        place(state="boost", target="hub", hub="RRRRR", yards=["YYGB", ""], deck=0, owed=3),
        "boost YYG",
    ),
    ("first roll", place(state="dice", target="hub", dice="RRYGB=="), "roll RRYGB=="),
    ("later roll", place(state="dice", target="hub", dice="RRYGB==", rolls=1), "stop"),
    ("after the last roll", place(state="dice", target="hub", dice="RRYGB==", rolls=50), "stop"),
    (
        "a boost before a later roll",
        place(state="boost", target="hub", rolling="====", rolls=1, boost_every_roll=True),
        "boost -",
    ),
]


@pytest.mark.parametrize(("name", "state", "wanted"), DEFAULTS, ids=[row[0] for row in DEFAULTS])
def test_default(name: str, state: State, wanted: str) -> None:
    assert default(state) == wanted
    assert legal(state)[0] == wanted


class TestDegenerate:
    def test_an_empty_group_may_be_rolled_at(self) -> None:
        state = place(hub="", yards=["", "RYGB"], target="hub", state="boost")
        run(state, "boost -", "roll ====", "fall ====")
        shows(state, state="dice", caught="-")
        run(state, "roll ====", "fall ===R", "deck YY")
        shows(state, state="target", player=1)

    def test_every_die_bugs_up_an_empty_group(self) -> None:
        state = place(hub="", state="roll", target="hub", rolling="====", yards=[FULL, ""])
        (bust,) = run(state, "fall RYGB")
        assert bust["over"] == "RYGB"

    def test_a_catch_turn_may_empty_the_catch_and_roll_on(self) -> None:
        state = place(state="dice", target="catch", catch="RYGB", dice="=======", yards=[FULL, "RYGB"])
        run(state, "roll ====", "fall RYGB")
        shows(state, catch="-", caught="RYGB", state="dice")
        run(state, "roll RYGB", "fall B===")
        shows(state, state="keep", decides=1, catch="RYGB", caught="-")

    def test_the_whole_table_can_be_bugged_up_without_a_deck(self) -> None:
        state = place(hub="RRRRRRRR", yards=["", "", ""], deck=0)
        for turn in range(9):
            shows(state, turn=10 + turn, player=turn % 3, deck=0)
            run(state, "hub", "boost -")
            run(state, default(state), "fall YYYYYYY")

    def test_a_two_handed_chase(self) -> None:
        state = place(state="dice", target="hub", hub="RRRYYGGGBB", dice="=======")
        run(state, "roll ====", "fall RYGB", "stop")
        run(state, "catch", "boost -", "roll RYG=", "fall RY==", "stop", "keep G")
        shows(state, player=0, turn=12, catch="RYB", owner=1)
        run(state, "catch", "boost G", "roll ====", "fall ====", "stop", "keep -")
        shows(state, player=1, turn=13, catch="RYB", owner=0)


class TestRefusals:
    def test_an_illegal_move_names_what_may_be_played(self) -> None:
        state = place()
        with pytest.raises(IllegalMove, match=r"seat 0 may not play that now; it may play: hub$"):
            state.play({0: MUSHI.parse("catch")})

    def test_long_lists_are_cut(self) -> None:
        state = place(state="dice", target="hub", dice="RRYYGB=")
        with pytest.raises(IllegalMove, match=r"and 28 more$"):
            state.play({0: MUSHI.parse("stop")})

    def test_a_refused_move_changes_nothing(self) -> None:
        state = place()
        before = state.view(None)
        with pytest.raises(IllegalMove):
            state.play({0: MUSHI.parse("boost -")})
        assert state.view(None) == before

    @pytest.mark.parametrize("moves", [{1: 0}, {}, {0: 0, 1: 0}, {-1: 0}])
    def test_only_the_seat_that_decides(self, moves: dict[int, int]) -> None:
        with pytest.raises(NotYourTurn, match="seat 0 alone decides"):
            place().play(moves)

    def test_legal_and_default_are_for_the_seat_that_decides(self) -> None:
        state = place()
        for ask in (state.legal, state.default):
            with pytest.raises(NotYourTurn, match="seat 1 owes no decision; seat 0 alone decides"):
                ask(1)

    def test_nobody_decides_while_dice_fall(self) -> None:
        state = new(2)
        for seat in (-1, 0):
            with pytest.raises(NotYourTurn, match="no seat decides"):
                state.legal(seat)
            with pytest.raises(NotYourTurn, match="no seat decides"):
                state.play({seat: 0})
