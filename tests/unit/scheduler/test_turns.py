"""How a turn reads."""

import pytest

from scheduler.domain.turns import ABSENT, PLANNED, PLAYING, QUEUED, Turn, about, clause


@pytest.mark.parametrize(
    ("turn", "wanted"),
    [
        (Turn(QUEUED, 7, wait_ms=170_000), "plays in about 3 minutes, place 7 in the ladder's queue"),
        (Turn(PLANNED, 2, "T1", 0), "plays in a moment, place 2 among the planned tables"),
        (
            Turn(QUEUED, 1),
            "has place 1 in the ladder's queue; how long that takes is known when tables have been played",
        ),
        (Turn(PLAYING, table="T1", wait_ms=0), "is playing now"),
        (Turn(ABSENT), "is not on this ladder"),
    ],
)
def test_a_turn_is_a_clause(turn: Turn, wanted: str) -> None:
    assert clause(turn) == wanted


@pytest.mark.parametrize(
    ("ms", "wanted"),
    [
        (0, "a moment"),
        (499, "a moment"),
        (1_000, "about 1 second"),
        (59_400, "about 59 seconds"),
        (60_000, "about 1 minute"),
        (89_000, "about 1 minute"),
        (91_000, "about 2 minutes"),
        (3_600_000, "about 1 hour"),
        (40 * 3_600_000, "about 2 days"),
    ],
)
def test_times_are_round(ms: int, wanted: str) -> None:
    assert about(ms) == wanted
