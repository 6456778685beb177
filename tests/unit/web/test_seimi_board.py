"""A match of seimi on its page: a chapter for each road and fight, its cards, and how things stand."""

from typing import Any

import pytest

from tests.golden.make import HERE
from tests.unit.web.test_ties import seated
from web.boards import board_of
from web.boards.board import Piece
from web.boards.seimi import SeimiBoard
from web.story import tell
from web.ties import tie_notes

REPLAY = (HERE / "seimi" / "rules-1" / "annotated-3.jsonl").read_bytes()
PLAYERS = tuple(("golden", f"player{seat}") for seat in range(3))


def test_a_chapter_is_a_road_or_a_fight() -> None:
    turns = tell(REPLAY, PLAYERS).turns
    firsts = [turn.lines[0].sentence for turn in turns[1:]]
    assert len(firsts) == 12
    assert all("step 1" in first for first in firsts[::2])
    assert all(first.startswith("The girl stands before") for first in firsts[1::2])
    assert all(turn.player is None for turn in turns)


def test_standings_after_a_fight() -> None:
    after = dict(tell(REPLAY, PLAYERS).turns[2].after)
    assert set(after) == {"deck", "field", "player0", "player1", "player2"}
    assert all(" in hand, " in after[f"player{seat}"] for seat in range(3))


@pytest.mark.parametrize(
    ("event", "pieces"),
    [
        ({"event": "take", "seat": 0, "card": "fly-blade"}, [("blade", "blue")]),
        ({"event": "take", "seat": 0, "card": None}, []),
        (
            {"event": "open", "seat": 0, "card": "dog-gun", "parents": True},
            [("parents", "green"), ("gun", "yellow")],
        ),
        ({"event": "refill", "cards": ["flesh-fist", "parents"]}, [("fist", "red"), ("parents", "green")]),
        ({"event": "done", "seat": 0}, []),
    ],
)
def test_cards_are_drawn(event: dict[str, Any], pieces: list[tuple[str, str]]) -> None:
    assert SeimiBoard().pieces(event) == [Piece("minion", *piece) for piece in pieces]


@pytest.mark.parametrize(
    ("event", "tone"),
    [
        ({"event": "award", "tokens": [None, 4, None]}, "good"),
        ({"event": "award", "tokens": [None, None, None]}, "bad"),
        ({"event": "step", "step": 2}, ""),
    ],
)
def test_tones(event: dict[str, Any], tone: str) -> None:
    assert SeimiBoard().tone(event) == tone


@pytest.mark.parametrize(("declared", "figures"), [([3, 8], ", 8 beats 3"), ([8, 8], ""), (None, "")])
def test_ties(declared: list[int] | None, figures: str) -> None:
    rule = board_of("seimi").tie_rule
    view: dict[str, Any] = {"declared": declared}
    assert tie_notes("seimi", seated([9, 9], [1, 0]), view) == [f"Tie-break at 9: {rule}{figures}."]
