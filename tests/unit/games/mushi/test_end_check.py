"""When a match ends, and what is asked for just before."""

import pytest

from tests.unit.games.mushi.script import over, place, run, shows

FULL = "RRYYGB"  # a yard at its limit


class TestEndCheck:
    """State 4: deck empty and hub below eight."""

    @pytest.mark.parametrize(
        ("hub", "yard", "ends", "owed"),
        [
            ("R" * 8, "", False, 0),
            ("R" * 7, "", True, 0),
            ("R" * 7, "B", False, 1),
            ("R" * 6, "B", True, 0),
            ("R" * 6, "YB", False, 2),
            ("R" * 2, "RRYYGB", False, 6),
            ("R", "RRYYGB", True, 0),
            ("", "RRYYGB", True, 0),
        ],
    )
    def test_deck_empty(self, hub: str, yard: str, ends: bool, owed: int) -> None:
        state = place(hub=hub, yards=[yard, "RYGB"], deck=0)
        run(state, "hub")
        if ends:
            assert over(state).end == "normal"
        else:
            shows(state, state="boost", owed=owed)

    def test_no_end_while_the_deck_gives(self) -> None:
        state = place(hub="", yards=["", "RYGB"], deck=9, dice="RRYYGGB")
        run(state, "hub", "deck BBBBBBBB")
        shows(state, state="boost", owed=0, deck=1)

    def test_the_catch_is_still_open(self) -> None:
        state = place(hub="", catch="RY", yards=["", "RYGB"], deck=0)
        run(state, "catch")
        shows(state, state="boost", owed=0, target="catch")

    @pytest.mark.parametrize(
        ("deck", "yard", "asked"), [(1, "", False), (2, "", True), (1, "B", True), (0, "B", False)]
    )
    def test_the_split_is_asked_unless_the_end_is_sure(self, deck: int, yard: str, asked: bool) -> None:
        state = place(hub="R" * 6, catch="RYB", yards=[yard, ""], deck=deck, dice="RRYYGGB")
        told = run(state, "hub")
        if asked:
            shows(state, state="keep", decides=1)
        else:
            assert told[1] == {"event": "keep", "seat": 1, "yard": "-", "heap": "RYB"}

    def test_a_sure_end_still_draws_the_last_cards(self) -> None:
        state = place(hub="R" * 5, catch="RYB", yards=["", "Y"], deck=1, dice="RRYYGG=")
        run(state, "hub", "deck B")
        assert over(state).end == "normal"
        shows(state, deck=0, hub="RRRRRB")
