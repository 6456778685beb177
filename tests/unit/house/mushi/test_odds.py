"""The tables of odds against plain enumeration."""

from itertools import product

import pytest

from mamenoki.house.mushi.odds import add_evenly, odds, pack, parts, rerolls, room, total

SIDES = "RYGB=="


def enumerate_odds(left: tuple[int, ...], rolled: int) -> list[float]:
    """The chance of each number of bugs by looking at every outcome of the dice."""
    found = [0] * (rolled + 1)
    for outcome in product(SIDES, repeat=rolled):
        fallen = [outcome.count(colour) for colour in "RYGB"]
        if all(n <= most for n, most in zip(fallen, left, strict=True)):
            found[sum(fallen)] += 1
    return [float(n) / float(6**rolled) for n in found]


@pytest.mark.parametrize("left", [(9, 9, 9, 9), (0, 0, 0, 0), (1, 2, 0, 3), (0, 5, 0, 0), (2, 2, 2, 2)])
@pytest.mark.parametrize("rolled", [1, 4, 5])
def test_odds(left: tuple[int, ...], rolled: int) -> None:
    wanted = enumerate_odds(left, rolled)
    found = list(odds(pack(left), rolled))
    assert found == pytest.approx(wanted[: len(found)])
    assert not any(wanted[len(found) :])


def test_seven_dice_at_one_colour() -> None:
    assert sum(odds(pack([9, 0, 0, 0]), 7)) == pytest.approx(0.5**7)


@pytest.mark.parametrize(
    ("group", "kept", "left"),
    [
        ([3, 2, 3, 2], [0, 0, 0, 0], [3, 2, 3, 2]),
        ([3, 2, 3, 2], [2, 0, 1, 0], [1, 2, 2, 2]),
        ([1, 1, 1, 1], [1, 1, 1, 0], [0, 0, 0, 1]),
        ([3, 2, 3, 0], [0, 0, 0, 1], None),
        ([0, 9, 9, 9], [1, 0, 0, 0], None),
    ],
)
def test_room(group: list[int], kept: list[int], left: list[int] | None) -> None:
    assert room(pack(group), pack(kept)) == (-1 if left is None else pack(left))


def test_rerolls_name_the_rolled_and_count_the_kept() -> None:
    found = {one.text: one for one in rerolls((2, 0, 1, 0, 4), 4)}
    assert len(found) == sum(r + g + b >= 4 for r in range(3) for g in range(2) for b in range(5))
    assert found["roll R===="] == (pack([1, 0, 1, 0]), 2, 5, "roll R====")
    assert found["roll RRG===="] == (0, 0, 7, "roll RRG====")


def test_parts() -> None:
    assert sorted(parts(pack([1, 0, 2, 0]))) == sorted(pack([r, 0, g, 0]) for r in range(2) for g in range(3))


@pytest.mark.parametrize(("cards", "wanted"), [(0, [3, 0, 1, 2]), (2, [3, 1, 2, 2]), (5, [4, 2, 2, 3])])
def test_cards_to_come_are_spread(cards: int, wanted: list[int]) -> None:
    assert add_evenly(pack([3, 0, 1, 2]), cards) == pack(wanted)
    assert total(pack(wanted)) == 6 + cards
