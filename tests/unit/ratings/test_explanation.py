"""The sentence that explains a change."""

import pytest

from ratings.explanation import Seat, explain
from ratings.trueskill_model import Skill


def at(placement: int, mean: float) -> Seat:
    return Seat(placement, Skill(mean, 2.0))


ME = 25.0
CASES = [
    (2, [(0, 20.0), (1, 21.0), (3, 25.0)], "third of four behind two weaker players: -1.2"),
    (0, [(1, 28.0)], "first of two ahead of a stronger player: -1.2"),
    (1, [(0, 25.5)], "second of two behind an equal player: -1.2"),
    (1, [(0, 30.0), (2, 20.0)], "second of three behind a stronger player: -1.2"),
    (1, [(0, 30.0), (2, 30.0)], "second of three ahead of a stronger player: -1.2"),
    (0, [(1, 20.0), (2, 21.0), (3, 18.0)], "first of four ahead of three weaker players: -1.2"),
    (0, [(0, 28.0), (0, 18.0)], "level first of three level with two players: -1.2"),
    (1, [(1, 28.0), (0, 29.0), (3, 12.0), (4, 13.0)], "level second of five behind a stronger player: -1.2"),
    (5, [(n, 10.0 * n) for n in range(5)], "sixth of six behind five players: -1.2"),
]


@pytest.mark.parametrize(("placement", "others", "wanted"), CASES)
def test_a_result(placement: int, others: list[tuple[int, float]], wanted: str) -> None:
    before, after = Skill(ME, 2.0), Skill(ME - 1.2, 2.0)
    seats = [at(*other) for other in others]
    assert explain("result", before, after, at(placement, ME), seats) == wanted


def test_a_corrected_result_says_so() -> None:
    found = explain("correction", Skill(25, 2), Skill(26, 2), at(0, 25), [at(1, 25)])
    assert found == "first of two ahead of an equal player (corrected): +1.0"


def test_a_small_move_is_no_change() -> None:
    assert explain("result", Skill(25, 2), Skill(25.01, 2), at(0, 25), [at(1, 5)]).endswith(": no change")


@pytest.mark.parametrize(("kind", "words"), [("new_version", "new version"), ("season_reset", "new season")])
def test_what_was_no_table(kind: str, words: str) -> None:
    found = explain(kind, Skill(25, 1), Skill(25, 3))
    assert words in found
    assert found.endswith(": -6.0")
