"""What the engine counts: plain ints on the hot path, read by the collector in ``metrics``."""

from bisect import bisect_left
from dataclasses import dataclass, field


class Spread:
    """A histogram: how many values were at most each bound, and their sum."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[int, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0

    def add(self, value: int) -> None:
        """Counts one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


MOVE_MS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000)
LAG_MS = (1, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 15_000, 60_000)


class GameTally:
    """The moves of one game: how many, and how long they took."""

    __slots__ = ("move_ms", "moves")

    def __init__(self) -> None:
        self.moves = 0
        self.move_ms = Spread(MOVE_MS)


@dataclass(slots=True)
class Tallies:
    """Everything counted since the engine began. Keys are label values; none is a player's name."""

    games: dict[str, GameTally] = field(default_factory=dict)
    started: dict[tuple[str, str], int] = field(default_factory=dict)
    finished: dict[tuple[str, str, str], int] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    voids: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    forfeits: dict[str, int] = field(default_factory=dict)
    presence_failures: int = 0
    gaps: int = 0
    lag_ms: Spread = field(default_factory=lambda: Spread(LAG_MS))

    def game(self, game: str) -> GameTally:
        """The tally of that game."""
        return self.games.setdefault(game, GameTally())


def count(counts: dict[str, int], key: str) -> None:
    """One more of these."""
    counts[key] = counts.get(key, 0) + 1
