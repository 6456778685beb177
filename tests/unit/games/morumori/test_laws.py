"""What holds at every step of every match, whatever is played and under any settings."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine_service.core.game import Over, State, Turn, View
from engine_service.games.morumori import MORUMORI
from tests.unit.games.course import random_course
from tests.unit.games.morumori.script import FACES, config, faces_of, mix, new

SPECIAL = mix("1 1 1 2 2 2 3 3 4 9 = = x2 x2 x2 0 0 0 miss")

ODD: list[dict[str, Any]] = [
    {},
    {"mix": SPECIAL, "peek": 19, "companions": 9},
    {"mix": SPECIAL, "peek": 0, "companions": 0},
    {"mix": mix("1 1 1 1 2 2 2 3 3 ="), "peek": 2, "houses": 60, "lives": 20},
]
CASES = [
    (variant, seats, changes)
    for variant, counts in (("versus", (2, 6)), ("coop", (1, 4)))
    for seats in counts
    for changes in ODD
]
every_case = pytest.mark.parametrize(("variant", "seats", "changes"), CASES)


def play(variant: str, seats: int, changes: dict[str, Any], seed: int) -> Iterator[tuple[State, list[View]]]:
    """A random match, step by step: the position and all that has been told."""
    return random_course(new(seats, variant, **changes), seed)


def at_flips(steps: Iterator[tuple[State, list[View]]], every: int) -> Iterator[tuple[State, list[View]]]:
    """Some of the steps at which a card is to be turned up."""
    flips = (step for step in steps if step[0].view(None)["state"] == "flip")
    yield from (step for number, step in enumerate(flips) if number % every == 0)


@every_case
def test_every_card_is_somewhere(variant: str, seats: int, changes: dict[str, Any]) -> None:
    cards = config(**changes)["mix"]
    for state, _ in at_flips(play(variant, seats, changes, seed=seats), every=3):
        view = state.view(None)
        gone = [*view["discard"], *(face for pile in view["piles"] for face in pile)]
        lying = [face for face in faces_of(state) if face != "."]
        assert {face: (gone + lying).count(face) for face in FACES} == cards
        assert not {"x2", "0", "miss"} & set(gone)
        assert len(lying) == len([shown for shown in view["slots"] if shown])


@every_case
def test_a_view_shows_what_is_up_and_nothing_else(variant: str, seats: int, changes: dict[str, Any]) -> None:
    for state, told in play(variant, seats, changes, seed=10 + seats):
        view = state.view(0)
        shown = {slot for slot, text in enumerate(view["slots"]) if text not in ("?", None)}
        assert shown == set(view["up"])
        assert view | {"seat": None} == state.view(None)
        for event in told[-4:]:
            assert event["event"] in ("peek", "success") or "faces" not in event
            assert event["event"] in ("flip", "take") or "face" not in event


@every_case
def test_equal_sightings_make_equal_views_whatever_lies_below(
    variant: str, seats: int, changes: dict[str, Any]
) -> None:
    """Before anything was seen, every layout looks the same."""
    views = []
    for seed in range(5):
        chance, state = random.Random(seed), new(seats, variant, **changes | {"peek": 0})
        state.resolve([0])
        told = state.resolve(
            [chance.randrange(size) for size in range(sum(config(**changes)["mix"].values()), 0, -1)]
        )
        views.append([state.view(0), [sighting.event for sighting in told], state.legal(0)])
    assert all(view == views[0] for view in views)


@every_case
def test_what_was_seen_and_not_scattered_lies_where_it_lay(
    variant: str, seats: int, changes: dict[str, Any]
) -> None:
    chance = random.Random(seats)
    for state, told in at_flips(play(variant, seats, changes, seed=20 + seats), every=9):
        twin = MORUMORI.imagine(variant, config(**changes), seats, 0, state.view(0), told, chance.randrange)
        assert twin.view(0) == state.view(0)
        true, imagined = faces_of(state), faces_of(twin)
        assert sorted(true) == sorted(imagined)
        for slot, face in remembered(told).items():
            assert true[slot] == imagined[slot] == face


def remembered(told: list[View]) -> dict[int, str]:
    """The faces that everybody knows, by their slots."""
    known: dict[int, str] = {}
    for event in told:
        if event["event"] == "peek":
            known |= dict(zip(event["slots"], event["faces"], strict=True))
        elif event["event"] == "flip":
            known[event["slot"]] = event["face"]
        elif event["event"] in ("scatter", "success", "take"):
            for slot in event["slots"] if "slots" in event else [event["slot"]]:
                known.pop(slot, None)
    return known


@every_case
def test_whoever_came_late_imagines_what_may_be(variant: str, seats: int, changes: dict[str, Any]) -> None:
    chance = random.Random(seats)
    for state, told in at_flips(play(variant, seats, changes, seed=30 + seats), every=7):
        turns = [number for number, event in enumerate(told) if event["event"] == "turn"]
        late = told[chance.choice(turns) :]
        twin = MORUMORI.imagine(variant, config(**changes), seats, 0, state.view(0), late, chance.randrange)
        assert twin.view(None) == state.view(None)


@every_case
def test_a_copy_goes_its_own_way(variant: str, seats: int, changes: dict[str, Any]) -> None:
    for state, _ in play(variant, seats, changes, seed=40 + seats):
        before, twin = state.view(None), state.copy()
        assert twin.view(None) == before
        pending = twin.pending()
        if isinstance(pending, Turn):
            assert twin.legal(pending.seats[0]) == state.legal(pending.seats[0])
            twin.play({pending.seats[0]: twin.legal(pending.seats[0])[-1]})
        elif not isinstance(pending, Over):
            twin.resolve([size - 1 for size in pending.sizes])
        assert state.view(None) == before


def test_turns_are_as_many_as_the_rules_allow() -> None:
    """Coop: 38 and the lives at most; versus: the limit."""
    for seed in range(40):
        *_, (state, _) = play("coop", 3, {}, seed)
        assert state.view(None)["turn"] <= 38 + 4
    *_, (state, _) = play("versus", 3, {"mix": mix("9 9 9 miss")}, 1)
    assert (state.view(None)["turn"], state.view(None)["end"]) == (200, "turn_limit")
