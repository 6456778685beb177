"""What a seat knows and what it does not: sightings, and positions imagined from them."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine_service.core.game import Chance, Over, Sighting, State, Turn, View
from engine_service.games.seimi import SEIMI
from tests.unit.games.seimi.script import cards, config, new, place

ODD: list[dict[str, Any]] = [
    {},
    {"field_refill": True},
    {"copies": 2, "parents": 4, "hand": 3, "field": 2},
    {"copies": 1, "parents": 2, "hand": 2, "field": 2, "field_refill": True},
]
CASES = [(seats, changes) for seats in (3, 4, 5) for changes in ODD]


def play(seats: int, changes: dict[str, Any], seed: int) -> Iterator[tuple[State, list[Sighting]]]:
    """A random game, step by step: the position and all that has been shown."""
    dice, state, shown = random.Random(seed), new(seats, **changes), list[Sighting]()
    while True:
        yield state, shown
        pending = state.pending()
        if isinstance(pending, Over):
            return
        if isinstance(pending, Turn):
            (seat,) = pending.seats
            shown += state.play({seat: dice.choice(state.legal(seat))})
        else:
            shown += state.resolve([dice.randrange(size) for size in pending.sizes])


def told(shown: list[Sighting], seat: int) -> list[View]:
    return [one.event for one in shown if one.audience is None or seat in one.audience]


def imagined(
    state: State, shown: list[Sighting], seats: int, seat: int, changes: Any, dice: random.Random
) -> State:
    return SEIMI.imagine(
        "standard", config(**changes), seats, seat, state.view(seat), told(shown, seat), dice.randrange
    )


def whereabouts(state: State, seats: int) -> Counter[str]:
    """Every card of a position but those of deck and discards."""
    view = state.view(None)
    found: Counter[str] = Counter(view["field"])
    for seat in range(seats):
        found.update(state.view(seat)["hand"])
        for row in view["rows"][seat]:
            found[f"{row['kind']}-{row['ability']}"] += row["cards"] - row["parents"]
            found["parents"] += row["parents"]
    return found


def deck_mix(state: State) -> Counter[str] | None:
    """The deck's mix, seen through the readings of a pending single draw; None if none is pending."""
    pending = state.pending()
    if not isinstance(pending, Chance) or pending.stream != "deck" or len(pending.sizes) > 1:
        return None
    return Counter(state.reading([index])["faces"][0] for index in range(pending.sizes[0]))


@pytest.mark.parametrize(("seats", "changes"), CASES)
def test_every_card_is_somewhere(seats: int, changes: dict[str, Any]) -> None:
    settings = config(**changes)
    pack = 16 * settings["copies"] + settings["parents"]
    for state, _ in play(seats, changes, seed=seats):
        view, found = state.view(None), whereabouts(state, seats)
        assert found.total() + view["deck"] + view["discards"] == pack
        assert all(found[card] <= settings["copies"] for card in found if card != "parents")
        assert found["parents"] <= settings["parents"]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_token_is_somewhere(seats: int) -> None:
    removed = 0
    for state, shown in play(seats, {}, seed=seats):
        view = state.view(None)
        if view["line"][0] or view["monster"] > 1:
            removed = sum(len(s.event["removed"]) for s in shown if s.event["event"] == "award")
            assert sum(view["won"]) + removed + sum(map(len, view["line"])) == 6 * (seats - 1)


@pytest.mark.parametrize(("seats", "changes"), CASES)
def test_imagined_cards_are_where_they_may_be(seats: int, changes: dict[str, Any]) -> None:
    """The same cards altogether, the seat's own where they are, and the public ones in their hands."""
    dice = random.Random(seats)
    for number, (state, shown) in enumerate(play(seats, changes, seed=10 + seats)):
        if number < 4 or number % 5:
            continue
        for seat in range(seats):
            twin = imagined(state, shown, seats, seat, changes, dice)
            assert twin.view(seat) == state.view(seat)
            assert type(twin.pending()) is type(state.pending())
            for owner, known in enumerate(known_cards(shown, seats)):
                assert not known - Counter(twin.view(owner)["hand"])
            mix = deck_mix(twin)
            if mix is not None and not state.view(None)["deck"]:
                assert mix == deck_mix(state), "a deck made from the discards holds no secret"


def known_cards(shown: list[Sighting], seats: int) -> list[Counter[str]]:
    """What each seat took from the field and has not shown since."""
    known: list[Counter[str]] = [Counter() for _ in range(seats)]
    for event in (one.event for one in shown):
        if event["event"] == "take" and event["card"] is not None:
            known[event["seat"]][event["card"]] += 1
        elif event["event"] in ("put", "play", "open", "replace"):
            known[event["seat"]] -= Counter([event["card"], *["parents"] * bool(event.get("parents"))])
    return known


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_shuffles_are_remembered(seats: int) -> None:
    """After a shuffle of discards, no imagined deck or hand contradicts what was discarded and drawn."""
    changes, dice, late = {"copies": 2, "parents": 4, "hand": 3, "field": 2}, random.Random(3), 0
    for seed in range(6):
        for state, shown in play(seats, changes, seed=seed):
            pending = state.pending()
            if not isinstance(pending, Turn) or not shuffles(shown, changes):
                continue
            late += 1
            if late % 7:
                continue
            for seat in range(seats):
                twin = imagined(state, shown, seats, seat, changes, dice)
                check_deck(twin, shuffles(shown, changes)[-1])
    assert late > 50


def shuffles(shown: list[Sighting], changes: dict[str, Any]) -> list[Counter[str]]:
    """The cards of each deck made from discards, as anybody may remember them."""
    settings = config(**changes)
    deck, discards, found = 16 * settings["copies"] + settings["parents"], Counter[str](), []
    for event in (one.event for one in shown):
        if event["event"] == "deal":
            deck = event["deck"]
        elif event["event"] == "take" and event["card"] is None:
            if not deck:
                found.append(discards)
                deck, discards = discards.total(), Counter()
            deck -= 1
        discards = discards + Counter(event.get("gone", [])) if event["event"] == "replace" else discards
        discards = discards + Counter(event["cards"]) if event["event"] == "loss" else discards
    return found


def check_deck(state: State, made_from: Counter[str]) -> None:
    """The deck, as a draw from it would show it, holds nothing but what it was made from."""
    pending = state.pending()
    assert isinstance(pending, Turn)
    (seat,) = pending.seats
    take = SEIMI.parse("take deck")
    if state.view(None)["deck"] and take in state.legal(seat):
        twin = state.copy()
        twin.play({seat: take})
        mix = deck_mix(twin)
        assert mix is not None
        assert not mix - made_from


def test_what_others_drew_may_be_anything_that_is_not_seen() -> None:
    """Seat 0 imagines seat 1's drawn card: each card of the deck, as often as it is there."""
    state = place(field="dog-gun", deck="fly-fist fly-fist fly-fist fly-blade", served=1)
    seen = Counter[str]()
    settings = config()
    events = sightings_of(state)
    events += [sighting.event for sighting in state.play({1: SEIMI.parse("take deck")})]
    events += [sighting.event for sighting in state.resolve([3]) if sighting.audience is None]
    dice = random.Random(1)
    for _ in range(400):
        twin = SEIMI.imagine("standard", settings, 3, 0, state.view(0), events, dice.randrange)
        seen.update(twin.view(1)["hand"])
    assert seen.total() == 400
    assert 240 < seen["fly-fist"] < 360
    assert seen["fly-blade"] == 400 - seen["fly-fist"]


def sightings_of(state: State) -> list[View]:
    """What seat 0 was shown before a position that ``place`` made of a field and a deck alone."""
    view = state.view(0)
    deck = cards("fly-fist fly-fist fly-fist fly-blade")
    pack = Counter(dict.fromkeys(FACES, 5)) + Counter({"parents": 16}) - Counter(deck)
    return [
        {"event": "hand", "seat": 0, "cards": []},
        {"event": "deal", "hands": [0, 0, 0], "field": sorted(pack.elements()), "deck": view["deck"]},
    ]


FACES = [f"{k}-{a}" for k in ("fly", "skeleton", "flesh", "dog") for a in ("fist", "blade", "gun", "psychic")]


CONTRADICTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("hands", {"hands": [6, 7, 6]}, "for hands"),
    ("deck", {"deck": 70}, "for the deck"),
    ("discards", {"discards": 1}, "for the discards"),
    ("won", {"won": [0, 1, 0]}, "for tokens won"),
]


@pytest.mark.parametrize(
    ("changes", "why"), [row[1:] for row in CONTRADICTIONS], ids=[r[0] for r in CONTRADICTIONS]
)
def test_contradictions_are_refused(changes: View, why: str) -> None:
    state, shown = next(islice(play(3, {}, seed=1), 4, None))
    view = state.view(0) | changes
    with pytest.raises(ValueError, match=why):
        SEIMI.imagine("standard", config(), 3, 0, view, told(shown, 0), lambda size: 0)


def test_cards_that_cannot_have_been_drawn_are_refused() -> None:
    state, shown = next(islice(play(3, {}, seed=1), 4, None))
    lie = [{"event": "put", "seat": 1, "card": "fly-fist"}] * 7
    with pytest.raises(ValueError, match="cannot have drawn"):
        SEIMI.imagine("standard", config(), 3, 0, state.view(0), [*told(shown, 0), *lie], lambda size: 0)


def test_a_spectator_and_others_see_no_hand() -> None:
    for state, _ in play(3, {}, seed=2):
        view = state.view(None)
        assert (view["hand"], view["tokens"]) == (None, None)
        for seat in range(3):
            mine = state.view(seat)
            assert mine | {"seat": None, "hand": None, "tokens": None} == view
