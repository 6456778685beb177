"""What a stage looks like at a moment: what is to be played, what was, and who stands where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from .facts import Drawn, Match, Record
from .series import Settled, Wanted, settle
from .settings import Stage


@dataclass(frozen=True, slots=True)
class Line:
    """An entrant's line. ``rank``: 1 for the best, nobody shares one. ``group``: from 1; 0: there are none.

    ``values``: what decides, by name, the weightiest first, a greater value being better; only the
    last one, the lot (or in a knock-out the seed), can never be equal.
    """

    rank: int
    entrant: int
    group: int
    values: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Situation:
    """``wanted``: games that may be played now; ``draw``: a round to be recorded before its games are
    wanted; ``matches``: all so far, by round; ``settled``: those of them that are; ``lines``: best first."""

    wanted: tuple[Wanted, ...]
    matches: tuple[tuple[Match, ...], ...]
    settled: Mapping[Match, Settled]
    lines: tuple[Line, ...]
    is_over: bool
    draw: Drawn | None = None


@dataclass(slots=True)
class Walk:
    """Goes through a stage's matches in order, and gathers what is wanted and what is settled."""

    stage: Stage
    record: Record
    wanted: list[Wanted] = field(default_factory=list)
    matches: list[tuple[Match, ...]] = field(default_factory=list)
    settled: dict[Match, Settled] = field(default_factory=dict)

    def round(self, matches: Sequence[Match], cut: int | None) -> list[Settled] | None:
        """The outcomes of a round's matches; None while one is open."""
        self.matches.append(tuple(matches))
        outcomes = [settle(match, self.record, self.stage, cut) for match in matches]
        self.wanted += [one for one in outcomes if isinstance(one, Wanted)]
        settled = [one for one in outcomes if isinstance(one, Settled)]
        self.settled |= {one.match: one for one in settled}
        return settled if len(settled) == len(matches) else None

    def situation(self, lines: Sequence[Line], is_over: bool, draw: Drawn | None = None) -> Situation:
        return Situation(
            tuple(self.wanted), tuple(self.matches), dict(self.settled), tuple(lines), is_over, draw
        )


def lot(seed: str, entrant: int) -> Fraction:
    """The lot that ``entrant`` draws, below 1: the first 8 bytes of SHA-256 of ``seed/entrant``, over 2**64.

    With the event's published seed anybody can draw it again.
    """
    return Fraction(int.from_bytes(sha256(f"{seed}/{entrant}".encode()).digest()[:8]), 2**64)
