"""What is meant by what a person types."""

import pytest

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


def test_few_moves_are_listed_and_many_told_by_their_kinds() -> None:
    assert AIMS.lines() == ["  1  hub", "  2  catch"]
    assert CARDS.lines() == ["  play 1", "  play 3", "  play 4"], "a number means the card, not a place"
    assert len(MIXED.legal) > FEW
    assert MIXED.lines() == [
        "stop",
        f"roll R, roll RR, roll RRR, roll RRRR, … roll {'R' * 29} (29 of them; `list roll`)",
    ]
    assert len(MIXED.numbered("")) == 30
    assert MIXED.numbered("stop") == ["  1  stop"]
    assert MIXED.numbered("keep") == []
