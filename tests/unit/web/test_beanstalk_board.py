"""A match of beanstalk on its page: turns that are everybody's, and how things stand after each."""

from typing import Any

import pytest

from tests.golden.make import HERE
from tests.unit.web.test_ties import seated
from web.boards import board_of
from web.boards.beanstalk import BeanstalkBoard
from web.story import tell
from web.ties import tie_notes

REPLAY = (HERE / "beanstalk" / "rules-1" / "annotated-3.jsonl").read_bytes()
PLAYERS = tuple(("golden", f"player{seat}") for seat in range(3))


def test_a_turn_begins_with_the_cards_and_is_nobodys() -> None:
    turns = tell(REPLAY, PLAYERS).turns
    assert [turn.number for turn in turns] == list(range(10))
    assert all(turn.player is None for turn in turns)
    assert all(turn.lines[0].sentence.startswith("The cards are turned up") for turn in turns[1:])
    assert turns[0].lines[0].sentence.startswith("The support cards lie")


def test_standings_after_a_turn() -> None:
    turns = tell(REPLAY, PLAYERS).turns
    assert turns[4].after == (
        ("decks", "stable 4, gamble 7"),
        ("support", "3 1 4 2 5"),
        ("player0", "1 ↑, 1 treasure"),
        ("player1", "4 ↑, 0 treasures"),
        ("player2", "0 ↑, 1 treasure"),
    )


def test_the_npc_stands_there_too() -> None:
    replay = (HERE / "beanstalk" / "rules-1" / "standard-2.jsonl").read_bytes()
    turns = tell(replay, PLAYERS[:2]).turns
    assert [label for label, _ in turns[1].after] == ["decks", "support", "player0", "player1", "NPC"]


@pytest.mark.parametrize(
    ("kind", "tone"), [("card_batting", "bad"), ("square_batting", "bad"), ("treasure", "good"), ("move", "")]
)
def test_tones(kind: str, tone: str) -> None:
    assert BeanstalkBoard().tone({"event": kind}) == tone


@pytest.mark.parametrize(("end", "figures"), [("normal", ""), ("turn_limit", ", square 3 beats square 7")])
def test_ties(end: str, figures: str) -> None:
    view: dict[str, Any] = {"end": end, "squares": [7, 3]}
    rule = board_of("beanstalk").tie_rule
    assert tie_notes("beanstalk", seated([4, 4], [1, 0]), view) == [f"Tie-break at 4: {rule}{figures}."]
