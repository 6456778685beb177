"""The numbers behind the small drawings."""

import pytest

from web import drawing
from web.drawing import Point


def test_bars_share_one_scale() -> None:
    scale = drawing.bar_scale([(25.0, 8.0), (30.0, 1.0)])
    assert drawing.bar(scale, 25.0, 8.0) == drawing.Bar(0.0, 50.0, 100.0)
    narrow = drawing.bar(scale, 30.0, 1.0)
    assert 50 < narrow.low < narrow.mean < narrow.high < 100


def test_a_single_certain_rating_is_in_the_middle() -> None:
    scale = drawing.bar_scale([(25.0, 0.0)])
    assert drawing.bar(scale, 25.0, 0.0).mean == 50.0


@pytest.mark.parametrize("points", [[], [Point(25, 8)]])
def test_no_curve_of_less_than_two_points(points: list[Point]) -> None:
    assert drawing.curve(points) is None


def test_curve() -> None:
    curve = drawing.curve([Point(25, 8), Point(26, 7, "version 2"), Point(27, 6)], width=100, height=50)
    assert curve is not None
    assert curve.shown == "M0 50L50 42.3L100 34.6"
    assert curve.mean == "M0 3.8L50 1.9L100 0"
    assert curve.doubt == "M0 3.8L50 1.9L100 0L100 34.6L50 42.3L0 50Z"
    assert [(mark.at, mark.label) for mark in curve.marks] == [(50.0, "version 2")]
    assert (curve.last.x, curve.last.y, curve.last.title) == (100.0, 34.6, "9.0")


def test_long_histories_are_thinned_but_keep_ends_and_marks() -> None:
    points = [Point(float(n), 1.0, "v" if n == 1234 else "") for n in range(5000)]
    kept = drawing.thin(points)
    assert len(kept) <= drawing.CURVE_POINTS + 1
    assert kept[0] == points[0]
    assert kept[-1] == points[-1]
    assert points[1234] in kept


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]), (-3.2, 27.9, [0, 10, 20]), (24.9, 26.9, [25, 25.5, 26, 26.5])],
)
def test_grid_lines_are_round_and_few(low: float, high: float, values: list[float]) -> None:
    assert drawing.round_values(drawing.Scale(low, high, 100)) == pytest.approx(values)
