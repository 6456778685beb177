"""A season's life, and its divisions: who plays among whom, who goes up and down.

**States.** ``draft``: only the organiser sees a use for it, nobody joins. ``open``: players join
until the first round. ``running``: rounds begin by the schedule. ``paused``: none does, those
under way are played. ``closing``: no further round begins; the season ends with the last one
under way. ``closed``: the standings are final.

**Divisions.** Division 1 is the highest. In a first season players are put into them by rating.
After a season the best ``movers`` of each division go up and the worst go down, at most a third
of the smaller of the two; whoever has left makes room for the next below; newcomers come in at
the bottom, by rating. Then the field is cut into divisions of equal size again, as near to the
wanted size as it goes, so that a division may take somebody from the one below to be full.

Pure.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

DRAFT, OPEN, RUNNING, PAUSED, CLOSING, CLOSED = "draft", "open", "running", "paused", "closing", "closed"

STEPS: Mapping[str, tuple[frozenset[str], str]] = {
    "publish": (frozenset({DRAFT}), OPEN),
    "pause": (frozenset({OPEN, RUNNING}), PAUSED),
    "resume": (frozenset({PAUSED}), RUNNING),
    "close": (frozenset({DRAFT, OPEN, RUNNING, PAUSED}), CLOSING),
}
"""What an organiser may do with a season: from which states, and to which."""

UP, STAYS, DOWN = 1, 0, -1


@dataclass(frozen=True, slots=True)
class Finish:
    """Where somebody ended: ``rank`` from 1 in its division; ``move``: UP, STAYS or DOWN."""

    player: int
    division: int
    rank: int
    move: int = STAYS


def move_all(divisions: Sequence[Sequence[int]], movers: int, gone: Collection[int] = ()) -> list[Finish]:
    """Everybody's finish, given each division's players, best first. ``gone``: those who left; they stay put."""
    finishes = []
    for at, players in enumerate(divisions):
        there = [player for player in players if player not in gone]
        up = set(there[: _movers(divisions, at - 1, movers)])
        down = set(there[len(there) - _movers(divisions, at, movers) :])
        for rank, player in enumerate(players, 1):
            move = UP if player in up else DOWN if player in down else STAYS
            finishes.append(Finish(player, at + 1, rank, move))
    return finishes


def divide(
    last: Sequence[Finish], entrants: Collection[int], skills: Mapping[int, float], size: int, least: int
) -> list[list[int]]:
    """The divisions of a new season, highest first, each player in one.

    ``last``: how the season before ended, empty for the first. ``size``: wanted players in a division,
    0: all in one; ``least``: fewer than so many cannot play a round. ``skills``: of newcomers, 0 if not there.
    """
    field = set(entrants)
    stayed = [finish for finish in last if finish.player in field]
    known = [finish.player for finish in sorted(stayed, key=_standing)]
    new = sorted(field.difference(known), key=lambda player: (-skills.get(player, 0.0), player))
    order = known + new
    count = max(1, min(round(len(order) / size), len(order) // least)) if size else 1
    return _cut(order, count)


def _movers(divisions: Sequence[Sequence[int]], above: int, movers: int) -> int:
    """How many change places between a division and the next below it."""
    if above < 0 or above + 1 >= len(divisions):
        return 0
    return min(movers, len(divisions[above]) // 3, len(divisions[above + 1]) // 3)


def _standing(finish: Finish) -> tuple[int, int, int]:
    """Where somebody stands in a new season: who came down ahead of who stayed, they of who came up."""
    return finish.division - finish.move, finish.move, finish.rank


def _cut(order: Sequence[int], count: int) -> list[list[int]]:
    """Into so many parts of equal size, the higher ones longer by one where it does not divide."""
    size, longer = divmod(len(order), count)
    parts, start = [], 0
    for part in range(count):
        end = start + size + (part < longer)
        parts.append(list(order[start:end]))
        start = end
    return parts
