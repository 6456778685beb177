"""The worked examples of the rules, M1 to M16."""

import pytest

from tests.unit.games.morumori.script import faces_of, legal, over, place, run, shows

REST = "1 1 2 2 miss"  # slots that the examples do not name


def test_m1_a_one_meets_target_1_and_leaves() -> None:
    state = place(f"1 {REST}", target=1)
    run(state, "flip 0")
    shows(state, state="take", target=2)
    assert legal(state) == ["take 0"]
    run(state, "take 0")
    shows(state, state="flip", target=2, player=1, piles=[["1"], []], scores=[1, 0], slots=". ? ? ? ? ?")


def test_m2_a_four_is_too_much_and_stays_in_its_slot() -> None:
    state = place(f"4 {REST}", target=1, coop=True)
    run(state, "flip 0")
    shows(state, state="flip", target=1, lives=3, player=1, slots="? ? ? ? ? ?")
    assert faces_of(state)[0] == "4"


def test_m3_without_duplicates_one_of_the_two_is_chosen() -> None:
    state = place(f"3 4 {REST}", target=7)
    run(state, "flip 0 1")
    assert legal(state) == ["take 0", "take 1"]
    run(state, "take 1")
    shows(state, piles=[["4"], []], slots="? . ? ? ? ? ?")


def test_m4_a_third_copy_stays() -> None:
    state = place(f"2 2 2 {REST}", target=6)
    run(state, "flip 2 0 1")
    shows(state, piles=[["2"], []], slots=". 2 2 ? ? ? ? ?")
    assert legal(state) == ["take 1", "take 2"]
    run(state, "take 2")
    shows(state, piles=[["2", "2"], []], slots=". ? . ? ? ? ? ?")
    assert faces_of(state)[1] == "2"


def test_m6_a_doubled_five_meets_ten() -> None:
    state = place(f"5 x2 {REST}", target=10)
    run(state, "flip 0 1", "take 0", "scatter 2 3 4 5", "fall 1 x2 2 1 2")
    shows(state, piles=[["5"], []], target=11, player=1, slots=". ? ? ? ? ? ?")
    assert faces_of(state) == [".", "1", "x2", "2", "1", "2", "miss"]


def test_m7_a_doubled_five_is_too_much_for_nine() -> None:
    state = place(f"5 x2 {REST}", target=9)
    told = run(state, "flip 0 1")
    assert told[-1] == {
        "event": "failure",
        "seat": 0,
        "why": "over",
        "total": 10,
        "target": 9,
        "lives": None,
    }
    run(state, "scatter 2 3 4 5", "fall x2 1 1 2 2")
    shows(state, target=9, player=1, slots="? ? ? ? ? ? ?")
    assert faces_of(state) == ["5", "x2", "1", "1", "2", "2", "miss"]


def test_m9_a_zero_resets_the_sum_and_not_the_table() -> None:
    state = place(f"4 0 5 {REST}", target=5)
    told = run(state, "flip 0 1 2")
    assert [(event["total"], event["up"]) for event in told if event["event"] == "flip"] == [
        (4, 1),
        (0, 2),
        (5, 3),
    ]
    assert legal(state) == ["take 0", "take 2"]
    run(state, "take 0")
    shows(state, state="companion", mixed=[1], owed=4)


def test_m10_an_equals_completes_the_sum_and_leaves() -> None:
    state = place(f"4 3 = {REST}", target=9)
    run(state, "flip 0 1 2")
    shows(state, discard=["="])
    assert legal(state) == ["take 0", "take 1"]


def test_m11_an_equals_alone() -> None:
    state = place(f"= {REST}", target=9)
    run(state, "flip 0")
    shows(state, state="flip", player=1, target=10, discard=["="], piles=[[], []], slots=". ? ? ? ? ?")


def test_m12_a_miss_is_turned_down_where_it_lies() -> None:
    state = place(f"5 miss {REST}", target=12, coop=True)
    told = run(state, "flip 0 1")
    shows(state, state="flip", lives=3, player=1)
    assert told[-2]["why"] == "miss"
    assert faces_of(state) == ["5", "miss", *REST.split()]


def test_m14_the_last_good_life() -> None:
    state = place(f"9 {REST}", target=8, coop=True, lives=1, seats=3)
    run(state, "flip 0")
    assert (over(state).end, over(state).scores, over(state).ranks) == ("normal", [7, 7, 7], [0, 0, 0])


def test_m16_the_cards_of_the_last_target_score_nothing() -> None:
    state = place(f"8 7 {REST}", target=15, piles=["1 2", "4"])
    run(state, "flip 0 1")
    assert (over(state).end, over(state).scores, over(state).ranks) == ("normal", [3, 4], [1, 0])
    shows(state, piles=[["1", "2"], ["4"]], slots="8 7 ? ? ? ? ?", target=15)


@pytest.mark.parametrize("lives", [1, 4])
def test_a_special_on_the_last_life_is_not_scattered(lives: int) -> None:
    state = place(f"x2 9 {REST}", target=8, coop=True, lives=lives)
    run(state, "flip 0 1")
    shows(state, state="over" if lives == 1 else "companion")
