"""What holds at every step of every game, whatever is played and under any settings."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine_service.core.game import Chance, State, Turn, View
from engine_service.games.mushi import MUSHI
from tests.unit.games.course import random_course
from tests.unit.games.mushi.script import config, counts, new

ODD: list[dict[str, Any]] = [
    {},
    {"boost_every_roll": True},
    {"refill_per_bar": 2},
    {"copies": 5},
    {"copies": 7, "dice": 12, "min_reroll": 1, "yard_limit": 12, "consolation": 12},
    {"copies": 60, "hub_start": 40, "hub_floor": 40, "refill_per_bar": 5, "turn_limit": 40},
    {"dice": 3, "min_reroll": 12, "roll_limit": 1},
    {"dice": 1, "hub_floor": 1, "yard_limit": 4, "consolation": 0, "refill_per_bar": 0},
]
CASES = [(seats, changes) for seats in (2, 3, 4, 5) for changes in ODD]


def play(seats: int, changes: dict[str, Any], seed: int) -> Iterator[tuple[State, list[View]]]:
    """A random game, step by step: the position and all that has been told."""
    return random_course(new(seats, **changes), seed)


def some(steps: Iterator[tuple[State, list[View]]]) -> Iterator[tuple[State, list[View]]]:
    """The first hundred steps, and then one in eleven: random games are long."""
    for number, step in enumerate(steps):
        if number < 100 or number % 11 == 0:
            yield step


def mixes(told: list[View], seats: int) -> list[list[int]]:
    """The heaps' mixes as whoever remembers knows them."""
    heaps = [[0, 0, 0, 0] for _ in range(seats)]
    for event in told:
        if event["event"] == "keep":
            heaps[event["seat"]] = add(heaps[event["seat"]], counts(event["heap"]))
    return heaps


def add(*many: list[int]) -> list[int]:
    return [sum(column) for column in zip(*many, strict=True)]


@pytest.mark.parametrize(("seats", "changes"), CASES)
def test_every_card_is_somewhere(seats: int, changes: dict[str, Any]) -> None:
    copies = config(**changes)["copies"]
    for state, told in some(play(seats, changes, seed=seats)):
        view = state.view(None)
        heaps = mixes(told, seats)
        assert [sum(heap) for heap in heaps] == view["heaps"]
        shown = add(view["hub"], view["catch"], view["caught"], *view["yards"], *heaps)
        assert max(shown) <= copies
        assert 4 * copies - sum(shown) == view["deck"]
        assert deck_mix(state) in (None, [copies - n for n in shown])
        assert sum(view["dice"]) == config(**changes)["dice"]


def deck_mix(state: State) -> list[int] | None:
    """The deck's mix, seen through the readings of a pending draw; None if none is pending."""
    pending = state.pending()
    if not isinstance(pending, Chance) or pending.stream != "deck":
        return None
    return counts("".join(state.reading([index])["faces"][0] for index in range(pending.sizes[0])))


@pytest.mark.parametrize(("seats", "changes"), CASES)
def test_whoever_remembers_all_imagines_the_truth(seats: int, changes: dict[str, Any]) -> None:
    for state, told in some(play(seats, changes, seed=10 + seats)):
        for seat in (0, seats - 1):
            twin = MUSHI.imagine("standard", config(**changes), seats, seat, state.view(seat), told, never)
            alike(state, twin)
            assert deck_mix(state) == deck_mix(twin)


def never(size: int) -> int:
    raise AssertionError("nothing was hidden")


def alike(state: State, twin: State) -> None:
    assert twin.view(1) == state.view(1)
    one, other = state.pending(), twin.pending()
    assert type(one) is type(other)
    assert fields(one) == fields(other)
    if isinstance(one, Turn):
        assert state.legal(one.seats[0]) == twin.legal(one.seats[0])
        assert state.default(one.seats[0]) == twin.default(one.seats[0])


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_whoever_came_late_imagines_what_may_be(seats: int) -> None:
    chance = random.Random(seats)
    for state, told in some(play(seats, {}, seed=20 + seats)):
        late = told[len(told) // 2 :]
        twin = MUSHI.imagine("standard", config(), seats, 0, state.view(0), late, chance.randrange)
        alike(state, twin)


def test_what_is_hidden_is_drawn() -> None:
    state, _ = next(islice(play(2, {}, seed=5), 600, None))
    assert sum(state.view(0)["heaps"]) > 4
    drawn: list[int] = []

    def draw(size: int) -> int:
        drawn.append(size)
        return size - 1

    MUSHI.imagine("standard", config(), 2, 0, state.view(0), [], draw)
    hidden = sum(state.view(0)["heaps"]) + state.view(0)["deck"]
    assert drawn == list(range(hidden, state.view(0)["deck"], -1))


CONTRADICTIONS: list[tuple[str, dict[str, Any], list[View], str]] = [
    ("heap", {}, [{"event": "keep", "seat": 1, "yard": "-", "heap": "RR"}], "more than the 0 cards"),
    ("hub", {"hub": [23, 0, 0, 0]}, [], "more cards of a colour"),
    ("deck", {"deck": 69}, [], "70 cards are left for a deck of 69"),
]


@pytest.mark.parametrize(
    ("name", "changes", "told", "why"), CONTRADICTIONS, ids=[c[0] for c in CONTRADICTIONS]
)
def test_contradictions_are_refused(name: str, changes: View, told: list[View], why: str) -> None:
    state, _ = next(islice(play(2, {}, seed=1), 2, None))
    view = state.view(0) | changes
    with pytest.raises(ValueError, match=why):
        MUSHI.imagine("standard", config(), 2, 0, view, told, never)


@pytest.mark.parametrize("changes", [{}, {"boost_every_roll": True}])
def test_a_copy_goes_its_own_way(changes: dict[str, Any]) -> None:
    for state, _ in some(play(3, changes, seed=3)):
        before = state.view(None)
        twin = state.copy()
        alike(state, twin)
        pending = twin.pending()
        if isinstance(pending, Turn):
            twin.play({pending.seats[0]: twin.legal(pending.seats[0])[-1]})
        elif isinstance(pending, Chance):
            twin.resolve([size - 1 for size in pending.sizes])
        assert state.view(None) == before


def test_pending_stays_the_same_object_until_something_happens() -> None:
    for state, _ in play(2, {}, seed=4):
        assert state.pending() is state.pending()


def test_a_changed_list_of_legal_moves_harms_nobody() -> None:
    state, _ = next(islice(play(2, {}, seed=4), 2, None))
    state.legal(state.view(None)["decides"]).clear()
    assert state.legal(state.view(None)["decides"])


@pytest.mark.parametrize(("seats", "changes"), CASES[::3])
def test_views_and_events_are_plain_and_built_anew(seats: int, changes: dict[str, Any]) -> None:
    for state, told in islice(play(seats, changes, seed=30), 400):
        assert state.view(0) | {"seat": None} == state.view(None)
        assert plain(state.view(0))
        assert all(plain(event) for event in told[-3:])
        state.view(0)["yards"][0][0] += 1
        assert state.view(0) == state.view(0)
        assert state.view(1)["yards"] == state.view(0)["yards"]


def plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(plain(item) for item in value)
    return value is None or type(value) in (bool, int, str)


@pytest.mark.parametrize(("seats", "changes"), CASES)
def test_every_move_reads_and_writes(seats: int, changes: dict[str, Any]) -> None:
    for state, _ in islice(play(seats, changes, seed=40), 300):
        pending = state.pending()
        if isinstance(pending, Turn):
            codes = state.legal(pending.seats[0])
            assert len(set(codes)) == len(codes)
            assert [MUSHI.parse(MUSHI.format(code)) for code in codes] == codes


@pytest.mark.parametrize(("seats", "changes"), CASES)
def test_every_event_makes_a_sentence(seats: int, changes: dict[str, Any]) -> None:
    *_, (_, told) = play(seats, changes, seed=50)
    for event in told:
        sentence = MUSHI.tell(event, lambda seat: f"Player{seat}")
        assert sentence[-1] in ".!"
        assert "\n" not in sentence
        assert "seat" not in event or f"Player{event['seat']}" in sentence


def fields(one: object) -> dict[str, Any]:
    """Every field of an object, whether its class is compiled or not."""
    names = [name for name in dir(one) if not name.startswith("_")]
    return {name: getattr(one, name) for name in names if not callable(getattr(one, name))}
