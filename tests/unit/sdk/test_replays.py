"""A replay told in sentences."""

import json

import pytest

from engine_service.core.replay import Lie
from mamenoki.house import make
from mamenoki.sdk import Bot
from mamenoki.sdk.local import Table, match_seed, play_match
from mamenoki.sdk.replays import short_names, story
from tests.unit.sdk.bots import First, Raises


def replay(seats: int, bots: list[Bot] | None = None) -> bytes:
    table = Table("m", "mushi", [f"local/bot-{seat}@1" for seat in range(seats)], match_seed(5, 0))
    return play_match(table, bots or [make("mushi", "random", {}) for _ in range(seats)]).replay


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_event_has_a_sentence_a_public_view_and_its_number(seats: int) -> None:
    lines = replay(seats)
    steps = story(lines)
    assert [step.n for step in steps] == list(range(len(lines.splitlines()) - 2))
    assert all(step.sentences and step.view for step in steps)
    assert all(sentence.endswith((".", "!", ").")) for step in steps for sentence in step.sentences)


def test_views_are_plain_data_and_each_its_own() -> None:
    steps = story(replay(2))
    assert json.loads(json.dumps([step.view for step in steps])) == [step.view for step in steps]
    assert steps[0].view is not steps[1].view
    assert steps[3].view != steps[-1].view


def test_where_the_clock_moved_is_told_with_the_reason() -> None:
    steps = story(replay(2, [First(), Raises(2)]))
    clocked = [step for step in steps if step.clock]
    assert clocked[0].clock == {1: "crash"}
    assert clocked[0].sentences[-1] == "(The clock moved for bot-1: the bot died.)"
    assert clocked[1].clock == {1: "forfeited"}


def test_a_lie_is_not_told() -> None:
    lines = replay(2).replace(b'"dice/0"', b'"dice/9"', 1)
    with pytest.raises(Lie):
        story(lines)


def test_names_are_short_where_that_is_clear() -> None:
    assert short_names(["house/greedy@1", "ann/bot@2", "bob/bot@1"]) == ["greedy", "ann/bot@2", "bob/bot@1"]
    assert short_names(["a/b@1", "a/b@1"]) == ["a/b@1 (seat 0)", "a/b@1 (seat 1)"]
    assert short_names(["ann/person"]) == ["person"]
