"""The set-up: what is drawn, in which order, and who sees it."""

import pytest

from engine_service.core.game import Chance, Sighting, State
from tests.unit.games.seimi.script import legal, new, run, shows


def resolve(state: State, outcome: list[int]) -> list[Sighting]:
    assert isinstance(state.pending(), Chance)
    return state.resolve(outcome)


def draws(state: State) -> list[tuple[str, list[int]]]:
    """All that is drawn before the first decision, always the lowest."""
    found = []
    while isinstance(pending := state.pending(), Chance):
        found.append((pending.stream, pending.sizes))
        state.resolve([0] * len(pending.sizes))
    return found


@pytest.mark.parametrize(
    ("seats", "tokens", "cards", "deck"), [(3, 11, 22, 74), (4, 17, 28, 68), (5, 23, 34, 62)]
)
def test_first_roads_tokens_deck(seats: int, tokens: int, cards: int, deck: int) -> None:
    state = new(seats)
    assert draws(state) == [
        ("first", [seats]),
        ("roads", [8, 7, 6, 5, 4, 3]),
        ("tokens", list(range(23, 23 - tokens, -1))),
        ("deck", list(range(96, 96 - cards, -1))),
    ]
    shows(state, deck=deck, discards=0, hands=[6] * seats, state="acquire", monster=1, step=1, decides=0)
    assert [len(values) for values in state.view(None)["line"]] == [seats - 1] * 6


@pytest.mark.parametrize("start", [0, 1, 2])
def test_the_first_player_is_drawn_and_the_deal_begins_at_seat_0(start: int) -> None:
    state = new(3, hand=1, field=1)
    run(
        state,
        f"first {start}",
        "roads 4 4 3 3 2 2",
        "tokens 2 2 2 2 2 2 2 3 3 3 3",
        "deck dog-gun fly-gun parents fly-fist",
    )
    shows(state, start=start, decides=start, hands=["dog-gun", "fly-gun", "parents"], field="fly-fist")
    assert legal(state)[:2] == ["take deck", "take fly-fist"]


def test_what_is_shown() -> None:
    state = new(3, hand=2, field=1)
    assert [sighting.event for sighting in resolve(state, [2])] == [{"event": "first", "seat": 2}]
    (roads,) = run(state, "roads 1 1 2 2 3 3")
    assert roads == {"event": "roads", "lengths": [1, 1, 2, 2, 3, 3]}
    (tokens,) = run(state, "tokens 2 5 4 3 3 3 2 2 2 2 4")
    assert tokens == {"event": "tokens", "line": [[5, 2], [4, 3], [3, 3], [2, 2], [2, 2], [5, 4]]}
    shown = resolve(state, [95, 0, 0, 0, 0, 0, 0])
    assert [(sighting.audience, sighting.event) for sighting in shown] == [
        ([0], {"event": "hand", "seat": 0, "cards": ["fly-fist", "parents"]}),
        ([1], {"event": "hand", "seat": 1, "cards": ["fly-fist", "fly-fist"]}),
        ([2], {"event": "hand", "seat": 2, "cards": ["fly-fist", "fly-fist"]}),
        (None, {"event": "deal", "hands": [2, 2, 2], "field": ["fly-blade"], "deck": 89}),
        (None, {"event": "step", "monster": 1, "step": 1}),
    ]


def test_no_card_to_deal_is_no_draw() -> None:
    state = new(3, hand=0, field=0)
    assert [stream for stream, _ in draws(state)] == ["first", "roads", "tokens"]
    assert legal(state) == ["take deck"]


def test_readings() -> None:
    state = new(3)
    assert state.reading([2]) == {"faces": ["2"]}
    resolve(state, [2])
    assert state.reading([7, 6, 0, 0, 0, 0]) == {"faces": ["4", "4", "1", "1", "2", "2"]}
    resolve(state, [0] * 6)
    assert state.reading([22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])["faces"] == ["5", *["2"] * 7, "3", "3", "3"]
    resolve(state, [0] * 11)
    faces = state.reading([95, 0, 0, 0, 0, 0, 89])["faces"]
    assert faces == ["parents", *["fly-fist"] * 5, "parents"]
