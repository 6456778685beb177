"""The worked examples of the rules, by their names."""

import pytest

from engine_service.core.game import Chance
from tests.unit.games.beanstalk.script import kinds, legal, new, over, place, run, shows


def test_m1_batted_do_not_move_the_rest_by_support() -> None:
    state = new(4)
    told = run(state, "support 35214", "play 3155")
    assert told[1:] == [
        {"event": "commit", "cards": [3, 1, 5, 5]},
        {"event": "card_batting", "card": 5, "members": [2, 3]},
        {"event": "move", "member": 0, "from": 0, "to": 5, "castle": False},
        {"event": "move", "member": 1, "from": 0, "to": 2, "castle": False},
    ]
    shows(state, squares=[5, 2, 0, 0], turn=1)


def test_m2_the_row_rotates() -> None:
    state = new(4)
    run(state, "support 35214", "play 3155")
    shows(state, support=[5, 2, 1, 4, 3], hands=[[1, 2, 4, 5], [2, 3, 4, 5], [1, 2, 3, 4], [1, 2, 3, 4]])


def test_m3_square_batting() -> None:
    state = place([4, 7, 0], down=[1], support="21345", held={0: "silver", 1: "silver gold"})
    told = run(state, "play 355")
    assert told[-1] == {"event": "square_batting", "member": 0, "other": 1, "square": 7}
    shows(state, squares=[0, 0, 0], directions=["up", "up", "up"], covered=[1, 2, 0])


def test_m4_the_castle_turns_a_move_round() -> None:
    state = place([8, 1, 0], support="21534")
    told = run(state, "play 544", "draw gamble", "gamble gold")
    shows(state, squares=[7, 1, 0], directions=["down", "up", "up"])
    moves = [(event["from"], event["to"]) for event in told if event["event"] == "move"]
    assert moves == [(8, 10), (10, 7)]


def test_m7_home_with_enough_ends_the_match_at_once() -> None:
    state = place([2, 5, 0], down=[0], support="31245", held={0: "gold silver silver"})
    told = run(state, "play 321")
    assert kinds(told) == ["commit", "move", "end"]
    assert (over(state).end, over(state).scores, over(state).ranks) == ("normal", [9, 0, 0], [0, 1, 1])
    shows(state, squares=[0, 5, 0])


def test_m8_two_groups() -> None:
    state = place([1, 2, 3, 4])
    told = run(state, "play 1133")
    assert [event["members"] for event in told[1:]] == [[0, 1], [2, 3]]
    shows(state, squares=[1, 2, 3, 4], support=[5, 2, 1, 4, 3])


@pytest.mark.parametrize(("stolen", "points"), [("gold", 5), ("silver", 2)])
def test_m9_the_loot_counts_instead_of_the_thief(stolen: str, points: int) -> None:
    state = place([3, 4, 5], armed={0: 1}, held={0: "thief", 1: "silver gold"})
    run(state, "play 441")
    theft = state.pending()
    assert isinstance(theft, Chance)
    assert (theft.stream, theft.sizes) == ("theft", [2])
    run(state, f"theft {stolen} 1")
    shows(state, seat=0, points=[points, None, None], covered=[0, 1, 0], looted=[1, 0, 0])
    shows(state, seat=1, points=[None, 7 - points, None])


@pytest.mark.parametrize(("cards", "victim"), [("412", "silver gold"), ("441", "")], ids=["alone", "poor"])
def test_m10_an_idle_thief_stays_at_one_point_for_ever(cards: str, victim: str) -> None:
    state = place([3, 4, 5], armed={0: 1}, held={0: "thief", 1: victim})
    told = run(state, f"play {cards}")
    assert {"event": "idle", "member": 0, "thieves": 1} in told
    run(state, "play 333")
    shows(state, seat=0, armed=[0, 0, 0], looted=[0, 0, 0], points=[1, None, None])


def test_m12_no_square_batting_on_castle_and_ground() -> None:
    state = place([8, 9, 1, 4], down=[2, 3], support="25134")
    told = run(state, "play 3412", "draw stable", "stable silver", "draw stable", "stable silver")
    shows(state, squares=[10, 10, 0, 0], directions=["down", "down", "up", "up"])
    assert "square_batting" not in kinds(told)


def test_m13_after_the_fifth_turn() -> None:
    state = place([1, 2, 3], turn=14, hands=["1", "1", "1"], support="35214")
    run(state, "play 111")
    shows(state, state="support", hands=[[1, 2, 3, 4, 5]] * 3, turn=15)
    run(state, "support 12345")
    shows(state, state="commit", support=[1, 2, 3, 4, 5])


def test_m14_the_last_card_is_forced() -> None:
    state = place([1, 2, 3], turn=14, hands=["2", "3", "4"])
    assert [legal(state, seat) for seat in range(3)] == [["play 2"], ["play 3"], ["play 4"]]


def test_m17_the_longest_move() -> None:
    state = place([0, 2, 3], support="51234")
    run(state, "play 511")
    shows(state, squares=[7, 2, 3])
