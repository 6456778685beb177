"""What a page says of equal scores in different places."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine_service.core.replay import walk
from engine_service.games import GAMES
from tests.unit.web.test_story import SAMPLES, named
from web.boards.mushi import MushiBoard
from web.models import SeatLine
from web.story import tell
from web.ties import broken_ties, tie_notes

YARDS = [[3, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 6], [1, 1, 1, 0]]


def line(seat: int, placement: int | None, score: int | None, forfeit: str | None = None) -> SeatLine:
    return SeatLine(seat, "house", f"bot{seat}", 1, placement, score, forfeit)


def seated(scores: Sequence[int], placements: Sequence[int]) -> list[SeatLine]:
    return [line(seat, *both) for seat, both in enumerate(zip(placements, scores, strict=True))]


@pytest.mark.parametrize(
    ("scores", "placements", "groups"),
    [
        ([5, 4, 3], [0, 1, 2], []),
        ([5, 5, 3], [0, 0, 2], []),
        ([5, 5, 3], [1, 0, 2], [[1, 0]]),
        ([5, 5, 5], [0, 2, 0], [[0, 2, 1]]),
        ([5, 9, 5, 9], [3, 0, 2, 1], [[1, 3], [2, 0]]),
    ],
)
def test_only_equal_scores_in_different_places(
    scores: list[int], placements: list[int], groups: list[list[int]]
) -> None:
    found = broken_ties(seated(scores, placements))
    assert [[seat.seat for seat in group] for group in found] == groups


def test_a_forfeit_and_a_table_in_play_break_no_tie() -> None:
    assert broken_ties([line(0, 0, 5), line(1, 1, 5, "the bot crashed")]) == []
    assert broken_ties([line(0, None, None), line(1, None, None)]) == []


def test_the_note_names_what_is_known() -> None:
    seats = seated([14, 14], [1, 0])
    assert tie_notes("chess", seats) == ["Tie-break at 14: the game's rules decide."]
    assert tie_notes("chess", seats, {}) == ["Tie-break at 14: the game's rules decide."]
    assert tie_notes("mushi", seats) == ["Tie-break at 14: the smaller front yard decides."]
    (note,) = tie_notes("mushi", seats, {"yards": YARDS})
    assert note == "Tie-break at 14: the smaller front yard decides, yard 1 beats yard 3."


def test_equal_yards_are_named_once() -> None:
    assert MushiBoard().tie_break({"yards": YARDS}, [1, 0, 3, 2]) == "yard 1 beats yard 3 beats yard 6"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_story_ends_with_the_last_public_view(sample: Path) -> None:
    replay = sample.read_bytes()
    *_, last = walk(replay, GAMES).steps()
    assert tell(replay, named(5)).end == last.state.view(None)
    assert last.state.view(None)["ranks"] is not None
