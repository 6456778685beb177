"""How a stage is played."""

from dataclasses import dataclass

ROUND_ROBIN, SWISS, SINGLE, DOUBLE, GAUNTLET = (
    "round-robin",
    "swiss",
    "single-elimination",
    "double-elimination",
    "gauntlet",
)
FORMATS = (ROUND_ROBIN, SWISS, SINGLE, DOUBLE, GAUNTLET)


class StageError(ValueError):
    """Settings by which no stage can be played; the message says which and what could be."""


@dataclass(frozen=True, slots=True)
class Stage:
    """``seats``: the wanted table; ``least`` to ``most``: what the game allows.

    ``advance``: how many of a knock-out's table go on (always at least one does not).
    ``best_of``: games of a match; ``extra``: games more where they leave open who goes on.
    ``rounds``: of a Swiss, or of a round robin at tables of three and more (0: as many as it takes to
    have met everybody, about). ``groups``: a round robin's; ``heroes``: the best seeds of a gauntlet,
    who meet all the others. ``through``: how many go on to the next stage, of each group.
    ``no_show_ms``: how long a table waits for whoever does not come; then it counts without, and they
    are last.
    """

    format: str
    seats: int
    least: int = 2
    most: int = 6
    advance: int = 1
    best_of: int = 1
    extra: int = 2
    rounds: int = 0
    groups: int = 1
    heroes: int = 1
    through: int = 0
    no_show_ms: int = 600_000

    def __post_init__(self) -> None:
        _need(self.format in FORMATS, f"there is no format {self.format!r}; there are {', '.join(FORMATS)}")
        _need(
            2 <= self.least <= self.seats <= self.most <= 6,
            f"tables have {self.least} to {self.most} seats, not {self.seats}",
        )
        _need(
            self.most >= 2 * self.least - 1 or self.least == 2,
            "this game's tables cannot take any number of players",
        )
        _need(
            1 <= self.advance < self.seats,
            f"of {self.seats} at a table 1 to {self.seats - 1} go on, not {self.advance}",
        )
        _need(
            self.format != DOUBLE or self.advance + self.least - 1 <= self.most,
            f"a grand final of {self.advance} and {self.least - 1} more does not fit {self.most} seats; let fewer advance",
        )
        _need(
            1 <= self.best_of <= 15 and 0 <= self.extra <= 15, "a match has 1 to 15 games, and 0 to 15 more"
        )
        _need(self.format != SWISS or self.rounds >= 1, "a Swiss needs its number of rounds")
        _need(
            0 <= self.rounds <= 100 and self.groups >= 1 and self.through >= 0,
            "rounds, groups and through are counts",
        )
        _need(1_000 <= self.no_show_ms <= 30 * 86_400_000, "a table waits from a second to thirty days")
        _need(1 <= self.heroes < self.seats, f"a gauntlet's table has 1 to {self.seats - 1} heroes")

    def check_entrants(self, count: int) -> None:
        """StageError unless so many can play this stage."""
        _need(
            count >= self.groups * self.least,
            f"{count} entrants do not fill {self.groups} table(s) of {self.least}",
        )
        if self.format == SWISS and self.seats == 2:
            _need(
                2 * self.rounds <= count,
                f"{count} entrants can meet anew for {count // 2} rounds, not {self.rounds}; take fewer, or a round robin",
            )


def _need(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise StageError(otherwise)
