"""Who meets whom: Berger tables, Swiss draws, gauntlets."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise
from random import Random

import networkx

from scheduler.domain.rounds import Past, Wish, plan_round

from .laying import table_sizes
from .settings import Stage

Pair = frozenset[int]
NEAR = 24
"""How far down the order a Swiss looks for somebody to meet, before it looks everywhere."""
SPREAD = 3
"""How many tables up and down a Swiss of more seats looks for somebody to swap with."""


def berger(players: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """The rounds of a round robin for two at a table, as the Berger tables have them; with an odd number
    one has a bye in each round, everybody once. The first of a pair has the first seat."""
    ring: list[int | None] = [*players]
    if len(ring) % 2:
        ring.append(None)
    count = len(ring)
    rounds = []
    for number in range(count - 1):
        order = [(number * (count // 2) + step) % (count - 1) for step in range(count - 1)]
        pairs = [(ring[order[0]], ring[-1])] if number % 2 == 0 else [(ring[-1], ring[order[0]])]
        pairs += [(ring[order[i]], ring[order[-i]]) for i in range(1, count // 2)]
        rounds.append([tuple(one for one in pair if one is not None) for pair in pairs])
    return rounds


def all_meet(players: Sequence[int], stage: Stage, seed: int) -> list[list[tuple[int, ...]]]:
    """The rounds of a round robin at tables of three and more: everybody plays once a round, and all
    meet about equally often."""
    count = stage.rounds or -(-(len(players) - 1) // (stage.seats - 1))
    met: Counter[tuple[int, int]] = Counter()
    rounds = []
    for number in range(count):
        wish = Wish(1, stage.seats, stage.least, stage.most)
        tables = plan_round(players, wish, Past(met), seed + number)
        met.update(pair for table in tables for pair in combinations(sorted(table), 2))
        rounds.append(tables)
    return rounds


def gauntlet(players: Sequence[int], stage: Stage) -> list[tuple[int, ...]]:
    """One round: the heroes with a table's rest of challengers, until all have been there."""
    heroes, rest = tuple(players[: stage.heroes]), players[stage.heroes :]
    room = stage.seats - len(heroes)
    most = len(rest) // max(1, stage.least - len(heroes))
    tables = max(1, min(-(-len(rest) // room), most))
    size, longer = divmod(len(rest), tables)
    cuts = [i * size + min(i, longer) for i in range(tables + 1)]
    return [(*heroes, *rest[a:b]) for a, b in pairwise(cuts)]


def swiss_pairs(
    order: Sequence[int], scores: Mapping[int, int], met: Collection[Pair], had_bye: Collection[int]
) -> list[tuple[int, ...]] | None:
    """A Swiss round for two at a table, or None if there is none without a repeat or a second bye.

    ``order``: best first; ``scores``: in units that are all whole. Nobody meets anybody again. Who
    meets is as near in score as it can be; among equals the upper half meets the lower half. With an
    odd number the last that has had none has the bye, or the next last with whom the others still pair.
    """
    if len(order) % 2 == 0:
        return _matched(order, scores, met)
    for free in [one for one in reversed(order) if one not in had_bye]:
        pairs = _matched([one for one in order if one != free], scores, met)
        if pairs is not None:
            return [*pairs, (free,)]
    return None


def _matched(
    order: Sequence[int], scores: Mapping[int, int], met: Collection[Pair]
) -> list[tuple[int, ...]] | None:
    for reach in (NEAR, len(order)):
        pairs = networkx.max_weight_matching(_graph(order, scores, met, reach), maxcardinality=True)
        if 2 * len(pairs) == len(order):
            place = {one: at for at, one in enumerate(order)}
            return sorted(
                (tuple(sorted(pair, key=place.__getitem__)) for pair in pairs), key=lambda p: place[p[0]]
            )
    return None


def _graph(
    order: Sequence[int], scores: Mapping[int, int], met: Collection[Pair], reach: int
) -> "networkx.Graph[int]":
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(order)
    half = _halves(order, scores)
    for i, one in enumerate(order):
        for j in range(i + 1, min(len(order), i + 1 + reach)):
            if Pair((one, order[j])) not in met:
                gap = scores[one] - scores[order[j]]
                graph.add_edge(one, order[j], weight=-(gap * gap * len(order) * 4 + abs(j - i - half[one])))
    return graph


def _halves(order: Sequence[int], scores: Mapping[int, int]) -> dict[int, int]:
    """Half the number of those who are level with each."""
    level = Counter(scores[one] for one in order)
    return {one: max(1, min(NEAR, level[scores[one]] // 2)) for one in order}


def swiss_tables(order: Sequence[int], met: Mapping[Pair, int], stage: Stage, seed: int) -> list[list[int]]:
    """A Swiss round at tables of three and more: neighbours in the order (best first) sit together,
    swapped with near tables while that makes for fewer repeats."""
    tables: list[list[int]] = []
    at = 0
    for size in table_sizes(len(order), stage):
        tables.append(list(order[at : at + size]))
        at += size
    if met:
        random = Random(seed)  # a draw must come out the same twice; it is no secret
        for here in range(len(tables)):
            _part(tables, here, met, random)
    return tables


def _part(tables: list[list[int]], here: int, met: Mapping[Pair, int], random: Random) -> None:
    """Swaps whoever has met somebody at its table with somebody near, while there are fewer repeats for it."""
    near = [i for i in range(here - SPREAD, here + SPREAD + 1) if i != here and 0 <= i < len(tables)]
    random.shuffle(near)
    for place, one in enumerate(tables[here]):
        if not _cost(one, tables[here], met):
            continue
        for there in sorted(near, key=lambda i: abs(i - here)):
            if _try_swap(tables[here], place, tables[there], met):
                break


def _try_swap(here: list[int], place: int, there: list[int], met: Mapping[Pair, int]) -> bool:
    one = here[place]
    for other_place, other in enumerate(there):
        before = _cost(one, here, met) + _cost(other, there, met)
        after = _cost(one, [o for o in there if o != other], met) + _cost(
            other, [o for o in here if o != one], met
        )
        if after < before:
            here[place], there[other_place] = other, one
            return True
    return False


def _cost(one: int, company: Sequence[int], met: Mapping[Pair, int]) -> int:
    return sum(met.get(Pair((one, other)), 0) ** 2 for other in company if other != one)
