"""How strong a player is by table size and seat."""

from collections.abc import Iterable, Sequence

from web.models import SeatStrength, SizeStrength

Sitting = tuple[int, Sequence[int]]
"""A player's seat, and everybody's placement (0 best, equal is a tie)."""


def strengths(sittings: Iterable[Sitting]) -> list[SizeStrength]:
    """A line for each table size that was played, the smallest first."""
    shares: dict[int, list[list[float]]] = {}
    for seat, placements in sittings:
        size = len(placements)
        if size > 1:
            seats = shares.setdefault(size, [[] for _ in range(size)])
            seats[seat].append(share(seat, placements))
    return [_line(size, shares[size]) for size in sorted(shares)]


def share(seat: int, placements: Sequence[int]) -> float:
    """The share of its opponents that a seat left behind, half for each that was level: 0 to 1."""
    mine = placements[seat]
    behind = sum(other > mine for other in placements)
    level = sum(other == mine for other in placements) - 1
    return (behind + level / 2) / (len(placements) - 1)


def _line(size: int, seats: Sequence[Sequence[float]]) -> SizeStrength:
    every = [share for shares in seats for share in shares]
    return SizeStrength(size, [_mean(shares) if shares else None for shares in seats], _mean(every))


def _mean(shares: Sequence[float]) -> SeatStrength:
    return SeatStrength(len(shares), sum(shares) / len(shares))
