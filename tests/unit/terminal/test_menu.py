"""What is meant by what a person types."""

import pytest

from mamenoki.terminal.boards.board import WIDTH
from mamenoki.terminal.menu import FEW, Menu, Misread

AIMS = Menu(["hub", "catch"])
BOOSTS = Menu(["boost -", "boost R", "boost RY", "boost RYG"])
CARDS = Menu(["play 1", "play 3", "play 4"])
MIXED = Menu(["stop", *(f"roll {'R' * count}" for count in range(1, 30))])


@pytest.mark.parametrize(
    ("menu", "typed", "move"),
    [
        (AIMS, "hub", "hub"),
        (AIMS, "2", "catch"),
        (AIMS, "  HUB ", "hub"),
        (BOOSTS, "1", "boost -"),
        (BOOSTS, "boost ry", "boost RY"),
        (BOOSTS, "boost  YR", "boost RY"),
        (BOOSTS, "gyr", "boost RYG"),
        (BOOSTS, "-", "boost -"),
        (CARDS, "3", "play 3"),
        (CARDS, "play 4", "play 4"),
        (MIXED, "stop", "stop"),
        (MIXED, "3", "roll RR"),
    ],
)
def test_a_move_is_meant(menu: Menu, typed: str, move: str) -> None:
    assert menu.meant(typed) == move


@pytest.mark.parametrize(
    ("menu", "typed", "said"),
    [
        (AIMS, "hbu", "'hbu' may not be played now; did you mean hub?"),
        (AIMS, "3", "there is no move 3; they are numbered 1 to 2"),
        (AIMS, "0", "there is no move 0; they are numbered 1 to 2"),
        (AIMS, "xyz", "'xyz' may not be played now; `list` shows all that may"),
        (CARDS, "2", "'2' may not be played now; `list` shows all that may"),
        (CARDS, "play", "'play' may not be played now; did you mean play 1, play 3, play 4?"),
        (
            MIXED,
            "roll",
            "did you mean roll R, roll RR, roll RRR, roll RRRR, roll RRRRR, roll RRRRRR and 23 more?",
        ),
        (MIXED, "RR", "'RR' may not be played now"),
    ],
)
def test_what_is_no_move_says_what_could_be_meant(menu: Menu, typed: str, said: str) -> None:
    with pytest.raises(Misread) as error:
        menu.meant(typed)
    assert said in str(error.value)


ANAGRAMS = Menu(["go ab", "go ba"])


def test_letters_in_another_order_never_mean_another_move() -> None:
    assert [ANAGRAMS.meant(typed) for typed in ("go ab", "go ba")] == ["go ab", "go ba"]
    with pytest.raises(Misread, match="'AB' could be go ab or go ba"):
        ANAGRAMS.meant("AB")


@pytest.mark.parametrize("typed", ["9" * 5000, "x" * 100_000, "list" * 20])
def test_no_line_is_too_long_to_be_answered(typed: str) -> None:
    with pytest.raises(Misread, match="characters are no move"):
        AIMS.meant(typed)


def test_a_number_that_names_no_move_suggests_those_that_begin_so() -> None:
    slots = Menu([f"flip {slot}" for slot in (10, 11, 20)])
    with pytest.raises(Misread, match="did you mean flip 10, flip 11\\?"):
        slots.meant("1")


def test_a_list_takes_any_case_and_is_no_wider_than_a_narrow_terminal() -> None:
    assert BOOSTS.numbered("BOOST ry") == ["  3  boost RY", "  4  boost RYG"]
    keeps = Menu([f"keep {'RYGB' * count}" for count in range(1, 40)])
    assert all(
        len(line) <= WIDTH for line in MIXED.lines() + Menu([f"flip {n}" for n in range(45)]).numbered("")
    )
    assert len(keeps.numbered("")) == 39, "what is wide stands alone"
    slots = Menu([f"flip {slot}" for slot in range(45)]).numbered("")
    assert len(slots) == 9
    assert slots[0].split() == [word for slot in range(5) for word in ("flip", str(slot))]


def test_few_moves_are_listed_and_many_told_by_their_kinds() -> None:
    assert AIMS.lines() == ["  1  hub", "  2  catch"]
    assert CARDS.lines() == ["  play 1", "  play 3", "  play 4"], "a number means the card, not a place"
    assert len(MIXED.legal) > FEW
    assert MIXED.lines() == [
        "stop",
        "roll R, roll RR, roll RRR, roll RRRR, …",
        f"roll {'R' * 29}",
        "(29 of them; `list roll`)",
    ]
    assert MIXED.numbered("stop") == ["  1  stop"]
    assert MIXED.numbered("keep") == []
