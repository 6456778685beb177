"""The two shared replays, made by a separate program from the same rules, run through our positions."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine_service.core.game import Chance, State, Turn, configure
from engine_service.games.morumori import MORUMORI
from tests.unit.games.morumori.script import VERSUS, over

SHARED = Path(__file__).parents[3] / "golden" / "shared"


@pytest.mark.parametrize("name", ["morumori-coop-2", "morumori-versus-3"])
def test_replays(name: str) -> None:
    head, *steps, end = [json.loads(line) for line in (SHARED / f"{name}.jsonl").read_text().splitlines()]
    assert (head["rules"], head["config"]) == (MORUMORI.card.rules, configure(VERSUS, {}))
    state = MORUMORI.new(head["variant"], head["config"], head["seats"])
    for number, step in enumerate(steps):
        assert step["n"] == number
        follow_chance(state, step) if "chance" in step else follow_moves(state, step)
    result = over(state)
    assert (result.end, result.scores, result.ranks) == (end["end"], end["scores"], end["ranks"])


def follow_chance(state: State, step: dict[str, Any]) -> None:
    pending = state.pending()
    assert isinstance(pending, Chance), step
    outcome = [index for index, _ in step["draw"]]
    assert (pending.stream, pending.sizes) == (step["chance"], [size for _, size in step["draw"]]), step
    reading = {key: list(step[key]) for key in ("slots", "faces") if key in step}
    assert state.reading(outcome) == reading, step
    state.resolve(outcome)


def follow_moves(state: State, step: dict[str, Any]) -> None:
    pending = state.pending()
    assert isinstance(pending, Turn), step
    moves = {int(seat): MORUMORI.parse(text) for seat, text in step["moves"].items()}
    assert list(moves) == pending.seats, step
    for seat, code in moves.items():
        assert code in state.legal(seat), step
    state.play(moves)
