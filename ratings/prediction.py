"""Who will come where: the chances of every place for a table of two to six.

A player's performance at a table is normal around its mean, with the variance of
its rating and of one performance together; who performs best comes first. The
chance of a place is an integral over one performance of how many others are above
it. It is summed over an even grid, which for functions as smooth as these, and
zero at both ends, is exact to some 1e-13: no sampling, the same figures every time.
Ties are left out: they split into the places that they span.
"""

import math
from collections.abc import Sequence

from .trueskill_model import BETA, Skill

_REACH = 9.0  # standard deviations at either side; what is beyond has a chance of 1e-18
_STEPS_A_DEVIATION = 8  # of the narrowest performance


def predict(skills: Sequence[Skill]) -> list[list[float]]:
    """For each player, in the order given, its chances of places 0, 1, …; they sum to 1."""
    if not 2 <= len(skills) <= 6:
        raise ValueError(f"a table has 2 to 6 players, not {len(skills)}")
    spreads = [math.hypot(skill.deviation, BETA) for skill in skills]
    means = [skill.mean for skill in skills]
    return [_places(player, means, spreads) for player in range(len(skills))]


def _places(player: int, means: Sequence[float], spreads: Sequence[float]) -> list[float]:
    step = min(spreads) / _STEPS_A_DEVIATION
    half = math.ceil(_REACH * spreads[player] / step)
    weights = [math.exp(-((i * step / spreads[player]) ** 2) / 2) for i in range(-half, half + 1)]
    rows = [_above(player, means[player] + i * step, means, spreads) for i in range(-half, half + 1)]
    sums = [
        math.fsum(w * row[place] for w, row in zip(weights, rows, strict=True)) for place in range(len(means))
    ]
    total = math.fsum(sums)
    return [chance / total for chance in sums]


def _above(player: int, performance: float, means: Sequence[float], spreads: Sequence[float]) -> list[float]:
    """The chances that 0, 1, … others perform better than that."""
    chances = [1.0]
    for other, (mean, spread) in enumerate(zip(means, spreads, strict=True)):
        if other != player:
            better = math.erfc((performance - mean) / (spread * math.sqrt(2))) / 2
            chances = _with_one_more(chances, better)
    return chances


def _with_one_more(chances: Sequence[float], better: float) -> list[float]:
    stays = [chance * (1 - better) for chance in chances] + [0.0]
    rises = [0.0] + [chance * better for chance in chances]
    return [a + b for a, b in zip(stays, rises, strict=True)]
