"""What a match came to, for standings and ratings."""

from collections.abc import Container, Sequence

from engine_service.core.game import Over


class Outcome:
    """A finished match.

    ``scores`` and ``ranks`` follow from the rules alone. ``placements`` puts forfeited
    seats on a shared last rank. ``forfeits`` says why, by seat. ``strikes`` counts the
    moves that the clock played for each seat before it was forfeited. ``moves`` counts all
    answers. With ``all_forfeited`` the table is void.
    """

    def __init__(self, over: Over, forfeits: dict[int, str], strikes: list[int], moves: int) -> None:
        self.end = over.end
        self.scores = over.scores
        self.ranks = over.ranks
        self.placements = placements(over.ranks, forfeits)
        self.forfeits = forfeits
        self.strikes = strikes
        self.moves = moves
        self.all_forfeited = len(forfeits) == len(over.ranks)


def placements(ranks: Sequence[int], forfeited: Container[int]) -> list[int]:
    """For each seat the number of seats strictly better, forfeited seats sharing the last rank."""
    standing = [rank for seat, rank in enumerate(ranks) if seat not in forfeited]
    return [
        len(standing) if seat in forfeited else sum(other < rank for other in standing)
        for seat, rank in enumerate(ranks)
    ]
