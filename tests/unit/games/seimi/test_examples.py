"""The worked examples of the rules, by their names."""

from engine_service.core.game import Chance
from tests.unit.games.seimi.script import fall, fight, legal, new, place, run, shows

M5 = ["fly-blade 3 parents", "skeleton-fist 2", "flesh-blade 2", "dog-gun 3"]


def test_m1_five_players() -> None:
    state = new(5)
    fall(state, "first", ["0"])
    run(state, "roads 1 1 2 2 3 3")
    pending = state.pending()
    assert isinstance(pending, Chance)
    assert pending.sizes == list(range(23, 0, -1))
    state.resolve([0] * 23)
    line = state.view(None)["line"]
    assert [len(values) for values in line] == [4] * 6
    assert line[5] == [5, 5, 5, 5]
    assert sorted(value for values in line for value in values) == [2] * 7 + [3] * 5 + [4] * 6 + [5] * 6


def test_m3_a_from_the_field() -> None:
    state = place(hands=["parents " * 6, "", ""], field="fly-gun dog-gun parents parents", deck="dog-fist")
    run(state, "take dog-gun")
    shows(state, hands=[7, 0, 0], field="fly-gun parents parents", deck=1)


def test_m4_b_one_of_each() -> None:
    state = place(
        hands=["fly-fist " * 5 + "dog-gun", "", ""], field="fly-gun " * 4, deck="dog-fist flesh-fist"
    )
    run(state, "put dog-gun", "take fly-gun", "take deck", "deck dog-fist")
    shows(state, hands=[7, 0, 0], field="fly-gun fly-gun fly-gun dog-gun", deck=1, decides=1)


def test_m5_the_seeds_seven() -> None:
    _, told = fight([M5, [], []], monster=5)
    assert told[3] == {"event": "declare", "monster": 5, "declared": [7, 0, 0]}


def test_m6_the_seeds_pair() -> None:
    _, told = fight([M5, [], []], monster=2)
    assert told[3] == {"event": "declare", "monster": 2, "declared": [5, 0, 0]}


def test_m7_four_players() -> None:
    rows = [["fly-fist 5"], ["fly-fist 5"], ["fly-fist 5", "dog-gun 2"], []]
    state, told = fight(rows, start=1, line=[[5, 4, 2]] * 6)
    assert told[4]["declared"] == [5, 5, 7, 0]
    assert told[5] == {
        "event": "award",
        "monster": 1,
        "tokens": [2, 4, 5, None],
        "removed": [],
        "start": 2,
    }
    shows(state, tokens=[[2], [4], [5], []], start=2, decides=2)


def test_m8_three_players() -> None:
    state, _ = fight([["fly-fist 4"], ["dog-gun 2"], ["dog-fist 2"]], line=[[4, 3]] * 6)
    shows(state, declared=[4, 2, 2], tokens=[[4], [3], []], start=0)


def test_m11_replace_or_extend() -> None:
    hand = ["dog-fist dog-gun", "", ""]
    state = place(hands=hand, rows=[["dog-gun 2"], [], []], state="deploy", step=2, deck="fly-fist")
    assert legal(state) == ["done", "play dog-gun", "replace dog-fist"]
    twin = state.copy()
    run(state, "replace dog-fist")
    shows(state, rows=[["dog-fist 1"], [], []], discards=2)
    run(twin, "play dog-gun")
    shows(twin, rows=[["dog-gun 3"], [], []], discards=0)


def test_m12_what_parents_may_not() -> None:
    state = place(
        hands=["parents dog-gun", "", ""],
        rows=[["dog-gun 2"], [], []],
        state="deploy",
        step=2,
        deck="fly-fist",
    )
    assert legal(state) == ["done", "play dog-gun"]
    state = place(hands=["parents parents", "", ""], state="deploy", step=2, deck="fly-fist")
    assert legal(state) == ["done"]


def test_m13_rows_that_do_not_count_are_kept() -> None:
    state, told = fight([["fly-gun 3", "dog-gun 1"], ["fly-fist 1"], []], monster=4)
    assert told[3]["declared"] == [0, 1, 0]
    shows(state, rows=[["fly-gun 3", "dog-gun 1"], [], []], tokens=[[], [5], []])


def test_m16_a_road_of_one() -> None:
    state = place(monster=3, step=2, state="deploy", deck="fly-fist " * 4, start=1)
    run(state, "done", "done", "done")
    shows(state, state="acquire", monster=4, step=1, start=1, decides=1)
    run(state, *["take deck", "deck fly-fist"] * 3)
    shows(state, state="deploy", monster=4, step=2, start=1, decides=1)
