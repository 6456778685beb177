"""What is imagined after scatters: everything that may be, and nothing that cannot."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine_service.core.game import State, View
from engine_service.games.morumori import MORUMORI
from engine_service.games.morumori.memory import Memory
from tests.unit.games.morumori.script import FACES, config, faces_of, mix, place

Told = list[View]


def peek(**cards: str) -> View:
    """``peek(_0="5")``: the 5 in slot 0 is shown."""
    return {
        "event": "peek",
        "slots": [int(key[1:]) for key in cards],
        "faces": list(cards.values()),
    }


def scatter(*slots: int) -> View:
    return {"event": "scatter", "seat": 0, "slots": list(slots)}


def flip(slot: int, face: str) -> View:
    return {"event": "flip", "seat": 0, "slot": slot, "face": face, "total": 0}


def imagined(cards: str, told: Told, times: int = 300) -> set[str]:
    """All that was imagined to lie in the slots of so many cards, in so many tries."""
    faces, found = cards.split(), set[str]()
    for seed in range(times):
        memory = Memory([True] * len(faces), [FACES.index(face) for face in faces], Random(seed).randrange)
        for event in told:
            memory.watch(event)
        found.add(" ".join(FACES[face] for face in memory.faces()))
    return found


# cards, what was told, everything that may lie in the slots then
KNOWN: list[tuple[str, str, Told, set[str]]] = [
    ("nothing is known", "1 2", [], {"1 2", "2 1"}),
    ("one is known, and so the other", "1 2", [peek(_0="2")], {"2 1"}),
    ("equal cards", "1 1 2", [flip(0, "1")], {"1 1 2", "1 2 1"}),
    ("a scatter mixes what is known", "1 2 3", [peek(_0="1", _1="2"), scatter(0, 1)], {"1 2 3", "2 1 3"}),
    (
        "what is found again leaves one place for the other",
        "1 2 3",
        [peek(_0="1", _1="2"), scatter(0, 1), flip(1, "1")],
        {"2 1 3"},
    ),
    (
        "what comes out must have gone in",
        "1 2 3",
        [scatter(0, 1), flip(0, "1"), flip(1, "2")],
        {"1 2 3"},
    ),
    (
        "what is not in the mix stays outside",
        "1 2 3 4",
        [peek(_0="1", _1="2"), scatter(0, 2), flip(0, "3")],
        {"3 2 1 4"},
    ),
    (
        "through two mixes",
        "1 2 3 4",
        [peek(_0="1", _1="2", _2="3"), scatter(0, 1), scatter(1, 2), flip(2, "1")],
        {"2 3 1 4"},
    ),
    (
        "through two mixes, the other way",
        "1 2 3 4",
        [peek(_0="1", _1="2", _2="3"), scatter(0, 1), scatter(1, 2), flip(0, "1")],
        {"1 2 3 4", "1 3 2 4"},
    ),
    (
        "a card not seen before comes out of the second mix",
        "1 2 3 4",
        [peek(_0="1"), scatter(0, 1), scatter(1, 2), flip(0, "4"), flip(2, "1")],
        {"4 2 1 3", "4 3 1 2"},
    ),
    (
        "three mixes in a ring",
        "1 2 3",
        [peek(_0="1", _1="2", _2="3"), scatter(0, 1), scatter(1, 2), scatter(0, 2), flip(0, "3")],
        {"3 1 2", "3 2 1"},
    ),
]


@pytest.mark.parametrize(("name", "cards", "told", "wanted"), KNOWN, ids=[row[0] for row in KNOWN])
def test_all_that_may_be_and_nothing_else(name: str, cards: str, told: Told, wanted: set[str]) -> None:
    assert imagined(cards, told) == wanted


CANNOT: list[tuple[str, str, Told, str]] = [
    ("a second copy", "1 2 3", [flip(0, "1"), flip(1, "1")], "a 1 is shown in slot 1"),
    ("another face", "1 2 3", [flip(0, "1"), flip(0, "2")], "a 2 is shown in slot 0"),
    (
        "out of nowhere",
        "1 2 3",
        [peek(_0="1", _1="2"), scatter(0, 1), flip(0, "3")],
        "a 3 is shown in slot 0",
    ),
    (
        "an empty slot",
        "1 2 3",
        [{"event": "take", "seat": 0, "slot": 0, "face": "1", "pile": 0}, flip(0, "1")],
        "slot 0, which is empty",
    ),
]


@pytest.mark.parametrize(("name", "cards", "told", "why"), CANNOT, ids=[row[0] for row in CANNOT])
def test_what_cannot_be_is_refused(name: str, cards: str, told: Told, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        imagined(cards, told, times=1)


def test_places_in_a_mix_are_equally_likely() -> None:
    counts = {"1 2 3": 0, "3 2 1": 0}
    draw = Random(5).randrange
    for _ in range(600):
        memory = Memory([True] * 3, [0, 1, 2], draw)
        for event in (peek(_0="1", _2="3"), scatter(0, 2)):
            memory.watch(event)
        counts[" ".join(FACES[face] for face in memory.faces())] += 1
    assert min(counts.values()) > 240


Change = Callable[[View, Told], Any]

CONTRADICTIONS: list[tuple[str, Change, str]] = [
    ("a card too many has left", lambda view, told: view["discard"].append("9"), "cannot lie in"),
    ("more of a face than there are", lambda view, told: view["discard"].append("8"), "more cards of a face"),
    ("a face that is not there", lambda view, told: told[0]["faces"].__setitem__(0, "8"), "a 8 is shown"),
]


@pytest.mark.parametrize(("name", "change", "why"), CONTRADICTIONS, ids=[row[0] for row in CONTRADICTIONS])
def test_contradictions_are_refused(name: str, change: Change, why: str) -> None:
    state: State = place("9 9 1", target=3)
    view, told = state.view(0), [peek(_0="9")]
    change(view, told)
    with pytest.raises(ValueError, match=why):
        MORUMORI.imagine("versus", config(mix=mix("9 9 1")), 2, 0, view, told, Random(1).randrange)


def test_cards_that_are_up_are_known_to_whoever_came_late() -> None:
    state = place("1 2 3 9", target=9)
    state.play({0: 2})
    twin = MORUMORI.imagine(
        "versus", config(mix=mix("1 2 3 9")), 2, 1, state.view(1), [], Random(3).randrange
    )
    assert faces_of(twin)[2] == "3"
