"""What a seat imagines: all that it cannot know is drawn, all that it knows is kept."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine_service.core.game import Chance, Over, State, View
from engine_service.games.beanstalk import BEANSTALK
from tests.unit.games.beanstalk.script import config, new, place, run, shows


class Match:
    """A match and what each seat has been shown of it."""

    def __init__(self, state: State, seats: int, **changes: Any) -> None:
        self.state, self.seats, self.changes = state, seats, changes
        self.told: list[list[View]] = [[] for _ in range(seats)]

    def step(self, moves_or_outcome: Any) -> None:
        act = self.state.resolve if isinstance(self.state.pending(), Chance) else self.state.play
        for sighting in act(moves_or_outcome):
            for seat in range(self.seats):
                if sighting.audience is None or seat in sighting.audience:
                    self.told[seat].append(sighting.event)

    def imagine(self, seat: int, draw: Callable[[int], int]) -> State:
        view = self.state.view(seat)
        return BEANSTALK.imagine(
            "standard", config(**self.changes), self.seats, seat, view, self.told[seat], draw
        )

    def guesses(self, seat: int, of: int, key: str = "treasures", times: int = 60) -> set[tuple[int, ...]]:
        """What ``seat`` imagines that the seat ``of`` has, over many tries."""
        dice = random.Random(7)
        return {tuple(self.imagine(seat, dice.randrange).view(of)[key][of]) for _ in range(times)}


def drawn(deck: str, kind: str, **changes: Any) -> Match:
    """Seat 1 of three has just drawn that card, on the second turn."""
    match = Match(new(3, n=8, **changes), 3, n=8, **changes)
    match.step([4, 0, 0, 0, 0])  # 5 1 2 3 4
    match.step({0: 1, 1: 5, 2: 1})
    match.step({0: 2, 1: 4, 2: 2})
    match.step({1: 6 if deck == "stable" else 7})
    faces = [match.state.copy().reading([index])["faces"][0] for index in range(8)]
    match.step([faces.index(kind)])
    return match


def test_gamble_may_be_anything_that_lies_face_down() -> None:
    match = drawn("gamble", "gold")
    assert match.guesses(seat=0, of=1) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    assert match.guesses(seat=1, of=1) == {(1, 0, 0)}


def test_stable_can_only_be_silver() -> None:
    assert drawn("stable", "silver").guesses(seat=0, of=1) == {(0, 1, 0)}


def test_what_one_knows_to_be_gone_is_not_imagined() -> None:
    match = drawn("gamble", "bronze", gamble={"gold": 1, "bronze": 1, "tornado": 6})
    assert match.guesses(seat=2, of=1) == {(1, 0, 0), (0, 0, 1)}
    seen = match.told[2]
    index = next(i for i, event in enumerate(seen) if event["event"] == "treasure")
    view = match.state.view(2)
    view["decks"]["gamble"] -= 1
    view["covered"][2] += 1
    view["treasures"][2] = [1, 0, 0]
    view["points"][2] = 5
    more: list[View] = [
        {"event": "treasure", "member": 2, "deck": "gamble", "treasure": None},
        {"event": "found", "seat": 2, "treasure": "gold"},
    ]
    told = [*seen[:index], *more, *seen[index:]]
    dice = random.Random(1)
    for _ in range(20):
        settings = config(**match.changes)
        state = BEANSTALK.imagine("standard", settings, 3, 2, view, told, dice.randrange)
        assert state.view(1)["treasures"][1] == [0, 0, 1]


def test_nobody_is_imagined_to_have_won_already() -> None:
    """Seat 1 has come home with one card and did not win with five points: it is no gold."""
    match = drawn("gamble", "silver", win_points=5)
    for cards in ({0: 3, 1: 3, 2: 3}, {0: 4, 1: 2, 2: 4}, {0: 5, 1: 1, 2: 5}):
        match.step(cards)
    assert isinstance(match.state.pending(), Chance)
    assert (1, 0, 0) in match.guesses(seat=0, of=1)
    match.step([0, 0, 0, 0, 0])
    while match.state.view(None)["directions"][1] == "down":
        cards = {seat: match.state.legal(seat)[0] for seat in (0, 2)}
        match.step({**cards, 1: match.state.legal(1)[-1]})
    assert match.guesses(seat=0, of=1) == {(0, 1, 0), (0, 0, 1)}
    assert match.guesses(seat=2, of=1) == {(0, 1, 0), (0, 0, 1)}


def stolen() -> Match:
    """Seat 0's thief has taken seat 1's silver; seat 1 has another card from gamble."""
    draws: list[View] = [{"event": "treasure", "member": 0, "deck": "stable", "treasure": "thief"}]
    match = Match(place([3, 4, 5], armed={0: 1}, held={0: "thief", 1: "silver bronze"}), 3)
    for seat in range(3):
        match.told[seat] += [
            {"event": "move", "member": 0, "from": 0, "to": 3, "castle": False},
            *draws,
            {"event": "treasure", "member": 1, "deck": "gamble", "treasure": None},
            *([{"event": "found", "seat": 1, "treasure": "bronze"}] if seat == 1 else []),
            {"event": "treasure", "member": 1, "deck": "stable", "treasure": None},
            *([{"event": "found", "seat": 1, "treasure": "silver"}] if seat == 1 else []),
        ]
    match.step({0: 2, 1: 2, 2: 1})
    match.step([0])
    return match


def test_thief_and_victim_know_the_loot_the_others_guess() -> None:
    match = stolen()
    assert match.guesses(seat=0, of=0, key="loot") == {(0, 1, 0)}
    assert match.guesses(seat=1, of=0, key="loot") == {(0, 1, 0)}
    assert match.guesses(seat=2, of=0, key="loot") == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    assert match.guesses(seat=1, of=1) == {(0, 0, 1)}
    assert match.guesses(seat=0, of=1) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_nothing_is_drawn_where_nothing_is_hidden() -> None:
    match = drawn("stable", "thief")

    def never(size: int) -> int:
        raise AssertionError("something was drawn")

    assert match.imagine(0, never).view(0) == match.state.view(0)


@pytest.mark.parametrize(
    ("key", "value"),
    [("covered", [0, 2, 0]), ("treasures", [[1, 0, 0], None, None]), ("decks", {"stable": 8, "gamble": 8})],
)
def test_contradictions_are_refused(key: str, value: Any) -> None:
    match = drawn("gamble", "gold")
    view = match.state.view(0) | {key: value}
    with pytest.raises(ValueError, match="the sightings do not lead to what the view shows"):
        BEANSTALK.imagine("standard", config(n=8), 3, 0, view, match.told[0], random.Random(1).randrange)


def test_missing_sightings_are_noticed() -> None:
    match = drawn("gamble", "gold")
    with pytest.raises(ValueError, match="the sightings do not lead to what the view shows"):
        BEANSTALK.imagine("standard", config(n=8), 3, 0, match.state.view(0), [], random.Random(1).randrange)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_step_of_some_matches(seats: int) -> None:
    """Chance's turns and the end too, which the laws of knowledge leave out."""
    for seed in range(4):
        dice = random.Random(seed)
        match = Match(new(seats), seats)
        while True:
            for seat in range(seats):
                twin = match.imagine(seat, dice.randrange)
                assert twin.view(seat) == match.state.view(seat)
                assert type(twin.pending()) is type(match.state.pending())
            pending = match.state.pending()
            if isinstance(pending, Over):
                break
            if isinstance(pending, Chance):
                match.step([dice.randrange(size) for size in pending.sizes])
            else:
                match.step({seat: dice.choice(match.state.legal(seat)) for seat in pending.seats})


def test_a_copy_goes_its_own_way() -> None:
    state = place([3, 4, 5], armed={0: 1}, held={0: "thief", 1: "silver"})
    before = state.view(0)
    twin = state.copy()
    run(twin, "play 221", "theft silver 1")
    assert state.view(0) == before
    shows(twin, seat=0, looted=[1, 0, 0])
