"""Somebody's turn on a continuous ladder, and how it reads. Pure."""

from dataclasses import dataclass

PLAYING, PLANNED, QUEUED = "playing", "planned", "queued"
WAITING, AWAY, PAUSED, ABSENT = "waiting", "away", "paused", "absent"

_UNITS = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"))
_ELSE = {
    PLAYING: "is playing now",
    WAITING: "plays as soon as enough others are free to sit with it",
    AWAY: "plays when its bots are connected and have a place free",
    PAUSED: "waits: the ladder plans no tables now",
    ABSENT: "is not on this ladder",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """When somebody plays next. ``state``:

    ``playing``  at ``table``, now
    ``planned``  at ``table``, ``place`` in the queue of all planned tables
    ``queued``   no table is planned yet; ``place`` in the ladder's queue
    ``waiting``  as ``queued``, but too few others are free now, so that there is no telling
    ``away``     it plays from its author's machine, which is not connected or has no place free
    ``paused``   the ladder plans no tables now
    ``absent``   it is not on the ladder

    ``wait_ms``: about how long; None: nothing was played yet by which to tell, or there is no telling.
    """

    state: str
    place: int = 0
    table: str = ""
    wait_ms: int | None = None


def clause(turn: Turn) -> str:
    """What is said of a player: ``plays in about 3 minutes, place 7 in the ladder's queue``."""
    if turn.state not in (PLANNED, QUEUED):
        return _ELSE[turn.state]
    queue = "among the planned tables" if turn.state == PLANNED else "in the ladder's queue"
    if turn.wait_ms is None:
        return f"has place {turn.place} {queue}; how long that takes is known when tables have been played"
    return f"plays in {about(turn.wait_ms)}, place {turn.place} {queue}"


def about(ms: int) -> str:
    """``a moment``, ``about 40 seconds``, ``about 3 minutes``: to the nearest of the largest unit that fits."""
    for size, unit in _UNITS:
        amount = round(ms / size)
        if amount > (1 if size > 1_000 else 0) or ms >= size:
            return f"about {amount} {unit}{'' if amount == 1 else 's'}"
    return "a moment"
