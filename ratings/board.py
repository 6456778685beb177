"""How a line of a leaderboard is read: is its figure settled, and which way does it go?"""

from storage.ratings import StandingRow

PROVISIONAL_GAMES = 10
"""A figure from fewer rated games than this is provisional,"""

PROVISIONAL_DEVIATION = 3.0
"""and so is one with a greater deviation, as after a new version."""


def is_provisional(row: StandingRow) -> bool:
    """May this figure still move far?"""
    return row.games < PROVISIONAL_GAMES or row.deviation > PROVISIONAL_DEVIATION


def trend(row: StandingRow) -> float:
    """How far ``shown`` has moved over the last ten rated games, or over all if they are fewer."""
    return row.shown - row.shown_before
