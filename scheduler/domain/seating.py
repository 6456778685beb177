"""Who takes which seat at one table, so that everybody sits everywhere equally often."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random

Sat = Mapping[tuple[int, int], int]
"""How often somebody sat: (table size, seat) to games; what is missing is 0."""

STEEPNESS = 4
"""A seat taken once too often weighs as much as four that are taken evenly."""


def seat(players: Sequence[int], sat: Mapping[int, Sat], random: Random) -> tuple[int, ...]:
    """The players in seat order: the order that evens out best how often each sat where.

    Equally good orders are equally likely. All orders are tried, so 2 to 6 players.
    """
    order = list(players)
    random.shuffle(order)
    seats = range(len(order))
    costs = [_costs(sat.get(player, {}), len(order)) for player in order]
    best = min(permutations(seats), key=lambda taken: sum(costs[one][taken[one]] for one in seats))
    return tuple(player for _, player in sorted(zip(best, order, strict=True)))


def _costs(sat: Sat, size: int) -> list[int]:
    counts = [sat.get((size, place), 0) for place in range(size)]
    least = min(counts)
    return [STEEPNESS ** min(count - least, 20) for count in counts]
