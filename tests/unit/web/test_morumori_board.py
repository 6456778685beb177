"""A match of morumori on its page: turns, how things stand after each, what breaks ties."""

from typing import Any

import pytest

from tests.golden.make import HERE
from tests.unit.web.test_ties import seated
from web.boards import board_of
from web.boards.morumori import MorumoriBoard
from web.story import tell
from web.ties import tie_notes

REPLAY = (HERE / "morumori" / "rules-1" / "annotated-3.jsonl").read_bytes()
PLAYERS = tuple(("golden", f"player{seat}") for seat in range(3))


def test_a_turn_begins_with_its_first_card_and_ends_with_its_scatter() -> None:
    turns = tell(REPLAY, PLAYERS).turns
    players = [turn.player.name if turn.player else None for turn in turns]
    assert players == [None, *(f"player{seat}" for seat in (2, 0, 1, 2, 0, 1, 2, 0, 1, 2))]
    assert turns[2].lines[0].sentence.endswith("turns up slot 0: 0, 0 in all.")
    assert turns[2].lines[-2].sentence.startswith("The cards of slots 0, 1, 2, 9 and 17 are mixed")


def test_standings_after_a_turn() -> None:
    turns = tell(REPLAY, PLAYERS).turns
    assert turns[4].after == (
        ("target", "2"),
        ("cards left", "17"),
        ("player0", "0 from 0 cards"),
        ("player1", "0 from 0 cards"),
        ("player2", "1 from 1 card"),
    )


def test_standings_of_a_team() -> None:
    replay = (HERE / "morumori" / "rules-1" / "coop-2.jsonl").read_bytes()
    turns = tell(replay, PLAYERS[:2]).turns
    assert [label for label, _ in turns[1].after] == ["target", "cards left", "Good lives"]


@pytest.mark.parametrize(("kind", "tone"), [("success", "good"), ("failure", "bad"), ("flip", "")])
def test_tones(kind: str, tone: str) -> None:
    assert MorumoriBoard().tone({"event": kind}) == tone


@pytest.mark.parametrize(
    ("piles", "ranks", "figures"),
    [
        ([["4"], ["1", "3"]], [1, 0], ", 2 cards beats 1 card"),
        ([["4"], ["4"]], [1, 0], ", 1 card as number 2 beats 1 card as number 1"),
    ],
)
def test_ties(piles: list[list[str]], ranks: list[int], figures: str) -> None:
    view: dict[str, Any] = {"lives": None, "piles": piles, "start": 0}
    rule = board_of("morumori").tie_rule
    assert tie_notes("morumori", seated([4, 4], ranks), view) == [f"Tie-break at 4: {rule}{figures}."]
