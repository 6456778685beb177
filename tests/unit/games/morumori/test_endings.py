"""How matches end, scores and ranks, the three criteria, degenerate cases."""

import pytest

from tests.unit.games.morumori.script import mix, new, over, place, run, shows

# piles, start seat, ranks: a success at the last target ends the match at once
RANKS: list[tuple[str, list[str], int, list[int]]] = [
    ("the larger sum", ["5", "4"], 0, [0, 1]),
    ("the larger sum, whatever the number of cards", ["9", "1 2 3"], 0, [0, 1]),
    ("more cards among equal sums", ["5", "1 4"], 0, [1, 0]),
    ("the later seat among equals", ["5", "5"], 0, [1, 0]),
    ("later is counted from the start seat", ["5", "5"], 1, [0, 1]),
    ("around the table", ["5", "5", "5", "5"], 2, [1, 0, 3, 2]),
    ("nobody has anything", ["", "", ""], 0, [2, 1, 0]),
    ("all criteria at once", ["4", "1 3", "5", "4"], 1, [2, 1, 0, 3]),
]


@pytest.mark.parametrize(("name", "piles", "start", "ranks"), RANKS, ids=[row[0] for row in RANKS])
def test_ranks(name: str, piles: list[str], start: int, ranks: list[int]) -> None:
    state = place("9 6 3", target=15, piles=piles, seats=len(piles), start=start)
    told = run(state, "flip 0 1")
    result = over(state)
    assert (result.end, result.ranks) == ("normal", ranks)
    assert result.scores == [sum(int(card) for card in pile.split()) for pile in piles]
    assert told[-2] == {"event": "success", "seat": 0, "target": 15, "slots": [], "faces": [], "lives": None}
    assert told[-1] == {
        "event": "end",
        "end": "normal",
        "scores": result.scores,
        "ranks": ranks,
        "coop": False,
    }


def test_an_equals_may_end_it_too() -> None:
    state = place("= 6 3", target=15)
    run(state, "flip 0")
    shows(state, state="over", discard=[], slots="= ? ?", end="normal", ranks=[1, 0])


def test_the_two_hundredth_turn() -> None:
    state = place("5 9", target=4, turn=199, piles=["2 1", "4"])
    told = run(state, "flip 0")
    assert (over(state).end, over(state).scores, over(state).ranks) == ("turn_limit", [3, 4], [1, 0])
    assert [event["event"] for event in told] == ["flip", "failure", "end"]
    shows(state, turn=200, state="over", slots="? ?")


def test_the_two_hundredth_turn_is_played_to_its_end() -> None:
    state = place("4 0 9 9 9 9 9", target=4, turn=199)
    run(state, "flip 1 0", "take 0", "scatter 2 3 4 5")
    shows(state, state="scatter")
    run(state, "fall 0 9 9 9 9")
    assert (over(state).end, over(state).scores) == ("turn_limit", [4, 0])


def test_a_last_target_in_the_last_turn_is_a_normal_end() -> None:
    state = place("8 7", target=15, turn=199)
    run(state, "flip 0 1")
    assert over(state).end == "normal"


@pytest.mark.parametrize("coop", [False, True])
def test_no_card_left_when_a_turn_begins(coop: bool) -> None:
    state = place("4", target=4, coop=coop)
    run(state, "flip 0", "take 0")
    assert (over(state).end, over(state).scores) == ("normal", [4, 4] if coop else [4, 0])


def test_a_perfect_match() -> None:
    state = place("9 9 2 0 1", target=20, coop=True, lives=1, seats=2)
    told = run(state, "flip 3 0 1 2")
    assert (over(state).end, over(state).scores, over(state).ranks) == ("normal", [20, 20], [0, 0])
    shows(state, target=20, slots="9 9 2 0 ?", discard=[])
    assert told[-1] == {"event": "end", "end": "normal", "scores": [20, 20], "ranks": [0, 0], "coop": True}


def test_a_solo_match_that_reaches_nothing() -> None:
    state = new(1, "coop", mix=mix("miss miss miss"), peek=0)
    run(state, "first 0", "layout miss miss miss", "flip 0", "flip 0", "flip 1", "flip 2")
    assert (over(state).end, over(state).scores, over(state).ranks) == ("normal", [0], [0])
