"""A match told on its page, against the SDK's telling of the same replay."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine_service.core.reading import Lie
from mamenoki.sdk.local import Table, match_seed, play_match
from mamenoki.sdk.replays import story
from tests.fixtures.garden import GAME, Picker
from web.boards import board_of
from web.boards.mushi import MushiBoard
from web.scenes import StoryTurn
from web.story import tell

SAMPLES = sorted((Path(__file__).parents[2] / "golden" / "shared").glob("mushi-*.jsonl"))


def lines_of(turns: Sequence[StoryTurn]) -> list[tuple[int, str]]:
    return [(line.step, line.sentence) for turn in turns for line in turn.lines]


def play(seats: int, dies_at: int = 0) -> bytes:
    bots = [Picker(seat + 1, dies_at if seat == 1 else 0) for seat in range(seats)]
    names = [f"house/bot{seat}@1" for seat in range(seats)]
    return play_match(Table("told", GAME, names, match_seed(3, seats)), bots).replay


def named(seats: int) -> tuple[tuple[str, str], ...]:
    return tuple(("house", f"bot{seat}") for seat in range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nothing_is_left_out_and_nothing_added(seats: int) -> None:
    replay = play(seats)
    turns = tell(replay, named(seats)).turns
    assert lines_of(turns) == [(step.n, text) for step in story(replay) for text in step.sentences]
    assert [turn.number for turn in turns] == list(range(len(turns)))
    assert turns[0].player is None
    anchors = [line.step for turn in turns for line in turn.lines if line.anchor]
    assert len(anchors) == len(set(anchors))
    assert set(anchors) == {step for step, _ in lines_of(turns)}


def test_there_are_samples() -> None:
    assert len(SAMPLES) == 2


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_samples_by_others_are_told(sample: Path) -> None:
    replay = sample.read_bytes()
    turns = tell(replay, (("a", "b"),) * 5).turns
    clock = [line.step for turn in turns for line in turn.lines if line.tone == "clock"]
    told = [(line.step, line.sentence) for turn in turns for line in turn.lines if line.tone != "clock"]
    expected = story(replay)
    said = [(step.n, text) for step in expected for text in step.sentences if "The clock moved" not in text]
    assert told == said
    assert clock == [step.n for step in expected if step.clock]
    assert clock


def test_a_turn_belongs_to_whoever_aims_and_ends_with_where_things_stand() -> None:
    turns = tell(play(3), named(3)).turns
    first = turns[1]
    assert first.player is not None
    assert first.lines[0].sentence == f"{first.player.name} goes for the hub."
    assert all(
        "goes for the hub" in turn.lines[0].sentence or "goes after" in turn.lines[0].sentence
        for turn in turns[1:]
    )
    assert [label for label, _ in turns[0].after] == ["deck", "hub", "bot0", "bot1", "bot2"]
    assert dict(turns[0].after)["bot1"] == "heap 0, yard 4"
    last = dict(turns[-1].after)
    scores = turns[-1].lines[-1].sentence
    for name in ("bot0", "bot1", "bot2"):
        assert f"{name} {last[name].split()[1].strip(',')}" in scores


def test_the_clock_is_named() -> None:
    said = [text for _, text in lines_of(tell(play(3, dies_at=5), named(3)).turns)]
    assert "The clock moves for bot1: seat given up." in said


def test_a_lie_is_not_told() -> None:
    replay = play(2).replace(b'"roll ', b'"rol ', 1)
    with pytest.raises(Lie):
        tell(replay, named(2))


@pytest.mark.parametrize(
    ("event", "pieces"),
    [
        ({"event": "roll", "seat": 0, "dice": "RRY=="}, "die-r die-r die-y die-bar die-bar"),
        ({"event": "keep", "seat": 0, "heap": "RG", "yard": "B"}, "bug-r bug-g bug-b"),
        ({"event": "boost", "seat": 0, "cards": "-", "to": "hub"}, ""),
        ({"event": "end", "scores": [1], "ranks": [0], "end": "normal"}, ""),
    ],
)
def test_pieces(event: dict[str, object], pieces: str) -> None:
    assert [f"{piece.kind}-{piece.symbol}" for piece in MushiBoard().pieces(event)] == pieces.split()


def test_only_the_yard_is_drawn_apart() -> None:
    drawn = MushiBoard().pieces({"event": "keep", "seat": 0, "heap": "RR", "yard": "BB"})
    assert [piece.css for piece in drawn] == ["red", "red", "blue apart", "blue"]


def test_a_game_without_a_board_is_told_in_one_chapter() -> None:
    plain = board_of("chess")
    assert plain.player_of_turn({"event": "move"}) is None
    assert (plain.pieces({}), plain.tone({}), plain.standings({}, [])) == ([], "", [])
    assert (plain.tie_rule, plain.tie_break({}, [0, 1])) == ("", "")
