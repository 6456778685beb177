"""TrueSkill for free-for-all tables of two to six seats; the one file that imports the package.

What the package gets wrong is put right here:

* A tie's result depends on the order of the arguments. Here the arguments have one
  canonical order, tied seats are rated in every order of a symmetric set and
  averaged, and tied equals get one and the same figure.
* A tie at draw probability zero, which forfeited seats of a game without ties can
  have, divides by zero. Such a table is rated with a small draw probability.
* A huge upset, or a huge favourite's win, leaves the range of floats. Such a table is
  rated again with sixty digits.

Figures are rounded to 1e-9, so that the last bits of a platform's ``exp`` do not
grow into another ranking elsewhere.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, product
from statistics import NormalDist
from typing import Any, NamedTuple

import trueskill

DRAW_PROBABILITY = 0.10
"""Between neighbours, in games that may tie: the package's own default."""

RARE_DRAW_PROBABILITY = 0.01
"""In a game that cannot tie, for a table at which forfeited seats share the last place."""

DIGITS = 9


class Skill(NamedTuple):
    """What is believed of a player's strength: a normal distribution."""

    mean: float
    deviation: float

    @property
    def shown(self) -> float:
        """The number shown everywhere: with 99.9 % certainty the player is no weaker."""
        return round(self.mean - 3 * self.deviation, DIGITS)


START = Skill(25.0, 25.0 / 3)
BETA = 25.0 / 6
"""How much one performance varies around a player's strength."""

TAU = 25.0 / 300
"""What every table adds to a deviation, so that nobody's figure freezes."""


def rate(skills: Sequence[Skill], placements: Sequence[int], may_tie: bool) -> list[Skill]:
    """The skills after one table, in the order given.

    ``placements``: 0 is best, equal is a tie. ``may_tie``: whether the game's rules
    know ties. The order of the arguments makes no difference to anybody's result.
    """
    if not 2 <= len(skills) <= 6 or len(skills) != len(placements):
        raise ValueError(f"{len(skills)} skills and {len(placements)} placements; a table has 2 to 6 of both")
    order = sorted(range(len(skills)), key=lambda seat: (placements[seat], *skills[seat]))
    canonical = [skills[seat] for seat in order]
    ranks = [placements[seat] for seat in order]
    rated = (
        _rate_ties(canonical, ranks, may_tie)
        if len(set(ranks)) < len(ranks)
        else _rate(canonical, ranks, may_tie)
    )
    result = [START] * len(skills)
    for seat, skill in zip(order, rated, strict=True):
        result[seat] = Skill(round(skill.mean, DIGITS), round(skill.deviation, DIGITS))
    return result


def _rate_ties(skills: list[Skill], ranks: list[int], may_tie: bool) -> list[Skill]:
    """The average over the arrangements of every group of tied seats."""
    known: dict[tuple[Skill, ...], list[Skill]] = {}
    results: list[list[Skill]] = [[] for _ in skills]
    for arrangement in _arrangements(ranks):
        arranged = tuple(skills[seat] for seat in arrangement)
        if arranged not in known:
            known[arranged] = _rate(arranged, ranks, may_tie)
        for seat, skill in zip(arrangement, known[arranged], strict=True):
            results[seat].append(skill)
    return _level_equals(skills, ranks, [_average(skills) for skills in results])


def _arrangements(ranks: list[int]) -> Iterator[list[int]]:
    """Orders of the seats in which each tied group goes through its rotations, forwards and backwards.

    For two or three tied seats these are all their orders; for more, every seat
    stands at every place equally often, which is what the fairness of a tie needs.
    """
    groups = [list(group) for _, group in groupby(range(len(ranks)), key=ranks.__getitem__)]
    for chosen in product(*(_rotations(group) for group in groups)):
        yield [seat for group in chosen for seat in group]


def _rotations(group: list[int]) -> list[list[int]]:
    turned = [group[start:] + group[:start] for start in range(len(group))]
    return turned + [turn[::-1] for turn in turned] if len(group) > 2 else turned


def _level_equals(skills: list[Skill], ranks: list[int], rated: list[Skill]) -> list[Skill]:
    """Gives tied equals, who are neighbours in canonical order, their common average."""
    level: list[Skill] = []
    for _, group in groupby(range(len(skills)), key=lambda seat: (ranks[seat], skills[seat])):
        seats = list(group)
        level += [_average([rated[seat] for seat in seats])] * len(seats)
    return level


def _average(skills: Sequence[Skill]) -> Skill:
    if len(set(skills)) == 1:
        return skills[0]
    count = len(skills)
    return Skill(math.fsum(s.mean for s in skills) / count, math.fsum(s.deviation for s in skills) / count)


def _rate(skills: Sequence[Skill], ranks: Sequence[int], may_tie: bool) -> list[Skill]:
    """One run of the package, in floats if they suffice."""
    has_tie = len(set(ranks)) < len(ranks)
    draws = DRAW_PROBABILITY if may_tie else RARE_DRAW_PROBABILITY if has_tie else 0.0
    try:
        return _run(_environment(draws, exact=False), skills, ranks)
    except (FloatingPointError, OverflowError, ValueError, ZeroDivisionError):
        return _run(_environment(draws, exact=True), skills, ranks)


def _run(environment: Any, skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    groups = [(trueskill.Rating(*skill),) for skill in skills]
    rated = [Skill(group[0].mu, group[0].sigma) for group in environment.rate(groups, ranks=ranks)]
    if not all(math.isfinite(mean) and 0 < deviation < math.inf for mean, deviation in rated):
        raise FloatingPointError(f"rating {skills} placed {ranks} gives {rated}")
    return rated


@lru_cache(maxsize=8)
def _environment(draws: float, exact: bool) -> Any:
    backend = _exact_backend() if exact else (_cdf, _pdf, _ppf)
    return trueskill.TrueSkill(*START, beta=BETA, tau=TAU, draw_probability=draws, backend=backend)


_ROOT_2 = math.sqrt(2)
_PEAK = 1 / math.sqrt(2 * math.pi)


# The C library's erfc is right to the last bits, down to x = -37, and several times
# faster than the package's polynomial, which is right to 1e-7.
def _cdf(x: float, _erfc: Callable[[float], float] = math.erfc) -> float:
    return 0.5 * _erfc(-x / _ROOT_2)


def _pdf(x: float, _exp: Callable[[float], float] = math.exp) -> float:
    return _PEAK * _exp(-x * x / 2)


@lru_cache(maxsize=64)
def _ppf(x: float) -> float:
    return NormalDist().inv_cdf(x)


def _exact_backend() -> tuple[Any, Any, Any]:
    """Sixty digits, in a context of its own: the global one belongs to all threads."""
    import mpmath  # type: ignore[import-untyped]  # costs 0.2 s, and few processes ever need it

    context = mpmath.mp.clone()
    context.dps = 60
    return context.ncdf, context.npdf, _ppf
