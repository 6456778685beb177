"""The worked examples of the rules, by their names."""

from engine_service.core.game import State
from tests.unit.games.mushi.script import legal, over, place, run, shows


def m3(**changes: object) -> State:
    state = place(hub="RRRYYGGGBB", state="dice", target="hub", deck=60, **changes)  # type: ignore[arg-type]  # config keys
    run(state, "roll =======", "fall RRYB===")
    return state


def m4() -> State:
    state = m3()
    run(state, "roll RYB=", "fall GG=Y")
    return state


def test_m1_three_dice_on_two_cards() -> None:
    state = place(hub="YY", state="dice", target="hub", deck=60, dice="YY=====")
    (_, bust, *_) = run(state, "roll =====", "fall Y====")
    assert bust == {"event": "bust", "seat": 0, "dice": "YYY====", "over": "Y", "returned": "-"}


def test_m2_first_turn() -> None:
    state = place(turn=0, deck=70, heaps=["", ""])
    assert legal(state) == ["hub"]
    run(state, "hub", "boost -")
    shows(state, hub="RRRYYGGGBB", deck=70)
    assert legal(state) == ["roll =======", "roll ======", "roll =====", "roll ===="]


def test_m3_a_success() -> None:
    shows(m3(), caught="RRYB", hub="RYGGGB", dice="RRYB===", state="dice")


def test_m4_a_kept_die_captures_again() -> None:
    shows(m4(), dice="RYGG===", caught="RRRYYGGB", hub="GB", rolls=2)


def test_m6_collect_then_refill() -> None:
    state = m4()
    run(state, "stop", "hub")
    shows(state, state="keep", decides=0, catch="RRRYYGGB")
    assert max(len(text) for text in legal(state)) == len("keep RY")
    run(state, "keep RR", "deck GGGBBB")
    shows(state, yards=["RRRYGB", "RYGB"], hub="GGGGBBBB", deck=54, state="boost")
    assert state.view(0)["heaps"][0] == 6


def test_m6_with_two_cards_for_a_bar() -> None:
    state = m3(refill_per_bar=2)
    run(state, "roll RYB=", "fall GG=Y", "stop", "hub", "keep -", "deck GGGBBB")
    shows(state, hub="GGGGBBBB", deck=54)


def test_m7_a_stolen_catch() -> None:
    state = m3()
    run(state, "stop", "catch", "boost Y", "roll R===", "fall YR==")
    shows(state, dice="RRYYB==", caught="RRYYB", catch="-", hub="RYGGGB", deck=60)
    heaps = state.view(None)["heaps"]
    run(state, "stop")
    shows(state, state="target", player=0, owner=1, catch="RRYYB", heaps=heaps, hub="RYGGGB", deck=60)


def test_m10_the_end() -> None:
    state = place(hub="RRRRRR", catch="YYY", yards=["R", "RYGB"], heaps=["GG", "B"], deck=0)
    before = state.view(None)["heaps"]
    run(state, "hub")
    assert over(state).end == "normal"
    assert over(state).scores == [before[0], before[1] + 3]


def test_m11_a_boost_is_owed() -> None:
    state = place(hub="RRRRRR", yards=["RYB", "RYGB"], deck=0)
    run(state, "hub")
    assert legal(state) == ["boost RY", "boost RB", "boost YB", "boost RYB"]
    run(state, "boost YB")
    shows(state, state="dice", hub="RRRRRRYB")


def test_m13_equal_heaps_the_smaller_yard() -> None:
    heaps = ["RRRRRRYYYYYYGGGGGGBB", "RRRRYYYYGGGGBBBBBBBB"]
    state = place(hub="RYGB", yards=["RYG", "B"], heaps=heaps, deck=0, copies=12)
    run(state, "hub")
    assert (over(state).scores, over(state).ranks) == ([20, 20], [1, 0])
