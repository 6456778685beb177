"""The formats in which everybody plays on, as they stand."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from .draws import Pair, all_meet, berger, gauntlet, swiss_pairs, swiss_tables
from .facts import Drawn, Match, Record
from .settings import GAUNTLET, SWISS, Stage
from .situation import Line, Situation, Walk
from .tables import byes_of, table_of


def look(entrants: Sequence[int], stage: Stage, record: Record, seed: str) -> Situation:
    """The stage as it stands. ``entrants``: best seed first; ``seed``: the event's published one.

    Rounds are drawn one after another; a draw stands once it is recorded.
    """
    walk = Walk(stage, record)
    rounds = record.rounds(entrants)
    for number in sorted(rounds):
        if walk.round(rounds[number], None) is None and stage.format == SWISS:
            return walk.situation(_lines(entrants, stage, walk, seed), False)
    lines = _lines(entrants, stage, walk, seed)
    following = None if walk.wanted else _next(entrants, stage, record, lines, seed)
    return walk.situation(lines, not walk.wanted and following is None, following)


def groups_of(entrants: Sequence[int], stage: Stage) -> list[list[int]]:
    """The groups, each best seed first: dealt to and fro."""
    groups: list[list[int]] = [[] for _ in range(stage.groups)]
    for at, one in enumerate(entrants):
        turn, place = divmod(at, stage.groups)
        groups[place if turn % 2 == 0 else -1 - place].append(one)
    return groups


def _lines(entrants: Sequence[int], stage: Stage, walk: Walk, seed: str) -> list[Line]:
    settled = list(walk.settled.values())
    if stage.groups == 1:
        return table_of(entrants, settled, seed)
    tables = []
    for number, group in enumerate(groups_of(entrants, stage), 1):
        inside = set(group)
        ours = [one for one in settled if inside >= set(one.match.company)]
        tables.append(table_of(group, ours, seed, number))
    return [line for table in tables for line in table]


def _next(
    entrants: Sequence[int], stage: Stage, record: Record, lines: Sequence[Line], seed: str
) -> Drawn | None:
    """The round to be drawn now; None: there is no other."""
    number = len(record.rounds(entrants)) + 1
    if stage.format == SWISS:
        companies = _swiss(entrants, stage, record, lines, number, seed) if number <= stage.rounds else None
    else:
        companies = _scheduled(entrants, stage, number, seed)
    if not companies:
        return None
    matches = tuple(Match(f"R{number}.{i}", tuple(one)) for i, one in enumerate(companies, 1))
    return Drawn(number, matches, frozenset(entrants))


def _scheduled(entrants: Sequence[int], stage: Stage, number: int, seed: str) -> list[tuple[int, ...]]:
    """A round of a schedule that hangs on nothing that is played."""
    if stage.format == GAUNTLET:
        return gauntlet(entrants, stage) if number == 1 else []
    tables: list[tuple[int, ...]] = []
    for group in groups_of(entrants, stage):
        if len(group) < stage.least:
            continue
        rounds = berger(group) if stage.seats == 2 else all_meet(group, stage, _number(seed))
        tables += rounds[number - 1] if number <= len(rounds) else []
    return tables


def _swiss(
    entrants: Sequence[int], stage: Stage, record: Record, lines: Sequence[Line], number: int, seed: str
) -> Sequence[Sequence[int]] | None:
    order = [line.entrant for line in lines if line.entrant not in record.gone]
    if len(order) < stage.least:
        return None
    drawn = [match for matches in record.rounds(entrants).values() for match in matches]
    met = Counter(_pairs(drawn))
    if stage.seats > 2:
        return swiss_tables(order, met, stage, _number(seed) + number)
    scores = {line.entrant: int(2 * line.values["score"]) for line in lines}
    return swiss_pairs(order, scores, met, byes_of(drawn))


def _pairs(matches: Iterable[Match]) -> Iterable[Pair]:
    return (Pair(pair) for match in matches for pair in combinations(match.company, 2))


def _number(seed: str) -> int:
    return int.from_bytes(seed.encode()) % 2**63


def best(lines: Iterable[Line], through: int) -> list[int]:
    """The best of each group: the groups' firsts, then their seconds, and so on, each rank by its values."""
    chosen = [line for line in lines if line.rank <= through]
    chosen.sort(key=lambda line: (line.rank, [-value for value in line.values.values()]))
    return [line.entrant for line in chosen]
