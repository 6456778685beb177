"""A stage as a fold of its facts, and what a correction would change."""

from collections.abc import Sequence
from dataclasses import dataclass

from . import knockout, league
from .facts import Fact, Match, fold
from .settings import DOUBLE, SINGLE, Stage
from .situation import Line, Situation


def look(entrants: Sequence[int], stage: Stage, facts: Sequence[Fact], seed: str) -> Situation:
    """The stage as it stands after those facts. ``entrants``: best seed first; ``seed``: the published one.

    Where the answer has a ``draw``, record it as a fact and look again.
    """
    record = fold(facts)
    if stage.format in (SINGLE, DOUBLE):
        return knockout.look(entrants, stage, record)
    return league.look(entrants, stage, record, seed)


def through(situation: Situation, stage: Stage) -> list[int]:
    """Who goes on to the next stage, its best seed first; ``stage.through`` 0: everybody."""
    return league.best(situation.lines, stage.through or len(situation.lines))


@dataclass(frozen=True, slots=True)
class Moved:
    """An entrant whose rank changes."""

    entrant: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Difference:
    """``lost``: matches that were (being) played and are not part of the stage any more; ``new``: those
    that take their place; ``moved``: ranks that change; ``reopens``: a stage that was over is not."""

    lost: tuple[Match, ...]
    new: tuple[Match, ...]
    moved: tuple[Moved, ...]
    reopens: bool


def difference(before: Situation, after: Situation) -> Difference:
    """What is another thing afterwards."""
    old = [match for matches in before.matches for match in matches]
    now = [match for matches in after.matches for match in matches]
    ranks = {(line.entrant, line.group): line.rank for line in before.lines}
    return Difference(
        tuple(match for match in old if match not in now),
        tuple(match for match in now if match not in old),
        tuple(
            _moved(line, ranks) for line in after.lines if ranks.get((line.entrant, line.group)) != line.rank
        ),
        before.is_over and not after.is_over,
    )


def _moved(line: Line, ranks: dict[tuple[int, int], int]) -> Moved:
    return Moved(line.entrant, ranks.get((line.entrant, line.group), 0), line.rank)
