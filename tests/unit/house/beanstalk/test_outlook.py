"""The reckonings behind the choices, against figures worked out by hand and against the rules."""

import random
from typing import Any

import pytest

from engine_service.core.game import Chance, Over, Turn, configure
from engine_service.games import find
from mamenoki.house.beanstalk.memory import Memory
from mamenoki.house.beanstalk.outlook import Visits, shares, way
from mamenoki.house.beanstalk.strong import mix
from mamenoki.house.beanstalk.turn import Course, Scene

GAME, VARIANT = find("beanstalk/standard")
CONFIG = configure(VARIANT, {})


def test_visits() -> None:
    visits = Visits({"stable": {"silver": 3, "thief": 1}, "gamble": {}}, 3)
    assert [visits.needed(points) for points in (3, 9, 2, 1)] == [0, 0, 1, 1.25]
    assert visits.needed(0) == 1 + 0.75 * 1 + 0.25 * 1.25
    assert visits.needed(1.5) == 1.125
    assert visits.after("stable", 1) == 0.25


def test_visits_take_the_better_deck() -> None:
    assert Visits({"stable": {"bronze": 1}, "gamble": {"gold": 1}}, 5).needed(0) == 1
    assert Visits({"stable": {}, "gamble": {}}, 8).needed(0) == 16


@pytest.mark.parametrize(
    ("square", "falls", "visits", "steps"),
    [(4, True, 0, 4), (4, False, 1, 16), (4, True, 1, 24), (4, False, 0, 16), (0, False, 2, 40)],
)
def test_way(square: int, falls: bool, visits: float, steps: float) -> None:
    assert way(square, falls, visits, 10) == steps


def test_shares() -> None:
    assert shares([7.0, 7.0], 12) == [0.5, 0.5]
    near, far = shares([10.0, 22.0], 12)
    assert near / far == pytest.approx(2.718281828)
    assert near + far == pytest.approx(1)


def test_mix() -> None:
    assert mix([-1.0, -2.0]) == [0.5, 0.5]
    assert mix([3.0, -2.0, 1.0]) == [0.75, 0.0, 0.25]


class TestMemory:
    def test_unknown_cards_count_their_mean(self) -> None:
        memory = Memory(0, 3, CONFIG)
        memory.add(
            [
                {"event": "treasure", "member": 1, "deck": "gamble", "treasure": None},
                {"event": "treasure", "member": 0, "deck": "gamble", "treasure": None},
                {"event": "found", "seat": 0, "treasure": "gold"},
                {"event": "treasure", "member": 1, "deck": "stable", "treasure": None},
                {"event": "treasure", "member": 2, "deck": "gamble", "treasure": "tornado"},
            ]
        )
        assert memory.unseen["gamble"] == {"gold": 1, "silver": 2, "bronze": 2, "thief": 0, "tornado": 1}
        assert memory.mean("gamble") == pytest.approx((5 + 4 + 2) / 5)
        assert memory.mean("stable") == 2
        view = {"points": [5, None, None], "tornados": [0, 0, 1], "thieves": [0, 0, 0], "looted": [0, 0, 0]}
        assert memory.points(view) == pytest.approx([5, 2.2 + 2, 1])

    def test_a_theft_takes_from_all_evenly(self) -> None:
        memory = Memory(0, 3, CONFIG)
        draw = {"event": "treasure", "member": 1, "treasure": None}
        memory.add([{**draw, "deck": "stable"}, {**draw, "deck": "gamble"}])
        memory.add([{"event": "theft", "member": 2, "from": 1, "treasure": None}])
        assert memory.drawn[1] == {"stable": 0.5, "gamble": 0.5}


def scene_of(view: dict[str, Any], config: dict[str, Any]) -> Scene:
    return Scene(view, config, Memory(0, 3, config), 12)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("changes", [{}, {"ground_stop": True, "batted_return_wins": False}])
def test_the_course_of_a_turn_is_that_of_the_rules(seats: int, changes: dict[str, Any]) -> None:
    """Every turn of some matches: where the pieces stand after it, whichever treasures come."""
    dice, config, turns = random.Random(seats), configure(VARIANT, changes), 0
    for _ in range(6):
        state = GAME.new("standard", config, seats)
        while not isinstance(pending := state.pending(), Over):
            if isinstance(pending, Chance):
                state.resolve([dice.randrange(size) for size in pending.sizes])
                continue
            view = state.view(0)
            moves = {seat: dice.choice(state.legal(seat)) for seat in pending.seats}
            if view["state"] == "draw":
                state.play(moves)
                continue
            npc = [dice.choice(view["hands"][seats])] if seats == 2 else []
            course = Course(scene_of(view, config), [*moves.values(), *npc])
            is_won = 0.0 in course.run()  # as far as the seat can expect
            state.play(moves)
            while state.view(None)["state"] in ("npc", "theft", "draw", "treasure"):
                step(state, npc, dice)
            if not is_won and not isinstance(state.pending(), Over):
                turns += 1
                after = state.view(None)
                assert course.squares == after["squares"]
                assert ["down" if one else "up" for one in course.falls] == after["directions"]
    assert turns > 100


def step(state: Any, npc: list[int], dice: random.Random) -> None:
    pending = state.pending()
    if isinstance(pending, Turn):
        state.play({pending.seats[0]: state.legal(pending.seats[0])[0]})
    elif pending.stream == "npc":
        state.resolve([state.view(None)["hands"][-1].index(npc[0])])
    else:
        state.resolve([dice.randrange(size) for size in pending.sizes])
