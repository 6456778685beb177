"""How fast a round of a large event is drawn, over the least that any draw must do.

Each field has played some rounds with results by lot. The floor puts it in the order of its scores and
cuts it into tables, whoever met whom before: a draw that repeats what it should not.
"""

import time
from collections.abc import Callable, Sequence
from random import Random

from benchmarks.table import Ratio
from scheduler.domain.events.facts import Ended, Fact
from scheduler.domain.events.laying import table_sizes
from scheduler.domain.events.settings import SWISS, Stage
from scheduler.domain.events.situation import Line
from scheduler.domain.events.stage import look

FIELDS = ((300, 2, 4), (300, 4, 4), (10_000, 4, 2))
"""(entrants, seats, rounds that have been played)."""
SEED = "bench"
REPEATS = 3


def played(entrants: int, stage: Stage, rounds: int) -> list[Fact]:
    """The facts of a Swiss in which so many rounds have ended."""
    random, facts = Random(entrants), list[Fact]()
    for _ in range(rounds):
        drawn = look(range(entrants), stage, facts, SEED).draw
        assert drawn is not None
        facts.append(drawn)
        for match in drawn.matches:
            if len(match.company) > 1:
                order = random.sample(match.company, len(match.company))
                facts.append(Ended(match, 1, {one: place for place, one in enumerate(order)}))
    return facts


def cut(lines: Sequence[Line], stage: Stage) -> list[list[int]]:
    """The field by score, cut into tables."""
    order = [line.entrant for line in sorted(lines, key=lambda line: -line.values["score"])]
    tables, at = [], 0
    for size in table_sizes(len(order), stage):
        tables.append(order[at : at + size])
        at += size
    return tables


def fastest(act: Callable[[], object]) -> float:
    """Seconds of the quickest of some runs."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return min(times)


def run() -> list[Ratio]:
    return [_ratio(*field) for field in FIELDS]


def _ratio(entrants: int, seats: int, rounds: int) -> Ratio:
    stage = Stage(SWISS, seats, rounds=rounds + 1)
    facts = played(entrants, stage, rounds)
    lines = look(range(entrants), stage, facts, SEED).lines
    ours = 1 / fastest(lambda: look(range(entrants), stage, facts, SEED))
    floor = 1 / fastest(lambda: cut(lines, stage))
    name = f"Swiss of {entrants:,} at tables of {seats}: fold and draw of round {rounds + 1} ÷ sort and cut"
    return Ratio(name, "rounds/s", ours, floor)
