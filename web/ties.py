"""Why players with equal scores stand in different places: what their game looked at next."""

from collections.abc import Sequence
from itertools import groupby

from web.boards import board_of
from web.boards.board import View
from web.models import SeatLine, by_place

UNKNOWN_RULE = "the game's rules decide"


def broken_ties(seats: Sequence[SeatLine]) -> list[list[SeatLine]]:
    """Groups of equal scores in different places, each winners first; the highest score first.

    A forfeited seat is last whatever it scored, so it is in no group.
    """
    placed = [seat for seat in by_place(seats) if seat.score is not None and seat.forfeit is None]
    ordered = sorted(placed, key=lambda seat: seat.score or 0, reverse=True)
    groups = [list(group) for _, group in groupby(ordered, key=lambda seat: seat.score)]
    return [group for group in groups if len({seat.placement for seat in group}) > 1]


def tie_notes(game: str, seats: Sequence[SeatLine], end: View | None = None) -> list[str]:
    """A sentence for each tie that was broken; ``end``, the last public view, lets it name the figures."""
    return [_note(game, group, end) for group in broken_ties(seats)]


def _note(game: str, group: Sequence[SeatLine], end: View | None) -> str:
    board = board_of(game)
    figures = board.tie_break(end, [seat.seat for seat in group]) if end is not None else ""
    why = f"{board.tie_rule or UNKNOWN_RULE}{figures and ', '}{figures}"
    return f"Tie-break at {group[0].score}: {why}."
