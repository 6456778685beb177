"""Small drawings as numbers for an SVG; the templates write the elements.

Everything is rounded to tenths, so that a page stays small and the same data draw
the same picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

CURVE_POINTS = 160


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight map of the values ``low`` to ``high`` onto the length ``size``."""

    low: float
    high: float
    size: float

    def at(self, value: float) -> float:
        """Where a value lies; outside values stay at the ends."""
        share = (value - self.low) / (self.high - self.low)
        return round(min(max(share, 0.0), 1.0) * self.size, 1)


def spanning(values: Sequence[float], size: float, least: float = 1.0) -> Scale:
    """A scale over all the values, at least ``least`` wide; 0 to 1 when there are none."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    return Scale(low, high, size)


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating with its doubt: from ``low`` to ``high`` the skill surely lies, ``mean`` is the best guess."""

    low: float
    mean: float
    high: float


def bar(scale: Scale, mean: float, deviation: float) -> Bar:
    """Mean and three deviations on either side."""
    return Bar(scale.at(mean - 3 * deviation), scale.at(mean), scale.at(mean + 3 * deviation))


def bar_scale(ratings: Sequence[tuple[float, float]], size: float = 100.0) -> Scale:
    """One scale for the bars of a page, given (mean, deviation) of each."""
    ends = [mean + side * 3 * deviation for mean, deviation in ratings for side in (-1, 1)]
    return spanning(ends, size)


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating over its changes: a line for what is shown, one for the mean, their gap as an area."""

    width: float
    height: float
    shown: str
    mean: str
    doubt: str
    ticks: tuple[Tick, ...]
    marks: tuple[Tick, ...]
    last: Dot


@dataclass(frozen=True, slots=True)
class Point:
    """One step of a rating; ``mark`` labels what deserves a line of its own, as a new version."""

    mean: float
    deviation: float
    mark: str = ""

    @property
    def shown(self) -> float:
        return self.mean - 3 * self.deviation


def thin(points: Sequence[Point], limit: int = CURVE_POINTS) -> list[Point]:
    """At most about ``limit`` points: first, last, every marked one, and an even choice of the rest."""
    if len(points) <= limit:
        return list(points)
    step = (len(points) - 1) / (limit - 1)
    chosen = {round(index * step) for index in range(limit)}
    return [point for index, point in enumerate(points) if index in chosen or point.mark]


def curve(points: Sequence[Point], width: float = 420.0, height: float = 180.0) -> Curve | None:
    """The picture of a rating's history, oldest first; None for fewer than two points."""
    if len(points) < 2:
        return None
    kept = thin(points)
    across = Scale(0, len(kept) - 1, width)
    up = spanning([value for point in kept for value in (point.shown, point.mean)], height, least=2.0)
    shown = [(across.at(index), round(height - up.at(point.shown), 1)) for index, point in enumerate(kept)]
    mean = [(across.at(index), round(height - up.at(point.mean), 1)) for index, point in enumerate(kept)]
    return Curve(
        width=width,
        height=height,
        shown=path(shown),
        mean=path(mean),
        doubt=f"{path(mean)}{path(shown[::-1]).replace('M', 'L', 1)}Z",
        ticks=tuple(Tick(round(height - up.at(value), 1), f"{value:g}") for value in round_values(up)),
        marks=tuple(Tick(shown[index][0], point.mark) for index, point in enumerate(kept) if point.mark),
        last=Dot(*shown[-1], title=f"{kept[-1].shown:.1f}"),
    )


def path(places: Sequence[tuple[float, float]]) -> str:
    """SVG path data through the places."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places)


def round_values(scale: Scale) -> list[float]:
    """Two to six round values inside a scale, for its grid lines."""
    spread = scale.high - scale.low
    step = next(step for step in _steps() if spread / step <= 5)
    first = -(-scale.low // step)
    values = [(first + index) * step for index in range(7)]
    return [value for value in values if value <= scale.high]


def _steps() -> list[float]:
    return [base * 10.0**power for power in range(-1, 12) for base in (1, 2, 5)]
