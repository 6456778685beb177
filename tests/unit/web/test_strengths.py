"""Shares by table size and seat, counted by hand."""

import pytest

from web.models import SeatStrength
from web.reading.strengths import share, strengths


@pytest.mark.parametrize(
    ("seat", "placements", "wanted"),
    [(0, (0, 1), 1), (1, (0, 1), 0), (0, (0, 0), 0.5), (1, (0, 1, 2, 2), 2 / 3), (3, (0, 1, 2, 2), 1 / 6)],
)
def test_a_share(seat: int, placements: tuple[int, ...], wanted: float) -> None:
    assert share(seat, placements) == pytest.approx(wanted)


def test_lines_are_by_size_and_have_a_place_for_every_seat() -> None:
    two, three = strengths([(0, (0, 1)), (0, (1, 0)), (2, (1, 2, 0))])
    assert (two.size, three.size) == (2, 3)
    assert two.seats == [SeatStrength(2, 0.5), None]
    assert three.seats == [None, None, SeatStrength(1, 1.0)]
    assert two.together == SeatStrength(2, 0.5)


def test_a_table_for_one_says_nothing() -> None:
    assert strengths([(0, (0,))]) == []
    assert strengths([]) == []
