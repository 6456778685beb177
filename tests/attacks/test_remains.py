"""What is left after many matches between uploaded bots: nothing."""

from pathlib import Path

import pytest

from tests.fixtures.bots import HONEST, Arena, play


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.slow
async def test_two_hundred_matches_leave_nothing(arena: Arena) -> None:
    for index in range(200):
        bots = arena.bot(HONEST, 0), arena.bot(HONEST, 1)
        played = await play(*bots, seed=index.to_bytes(32, "big"))
        assert (played.died, played.outcome.forfeits) == ({}, {})
        arena.check_clean()


async def test_ten_matches_leave_nothing(arena: Arena) -> None:
    files = open_files()
    for index in range(10):
        bots = arena.bot(HONEST, 0), arena.bot(HONEST, 1)
        played = await play(*bots, seed=index.to_bytes(32, "big"))
        assert (played.died, played.outcome.forfeits) == ({}, {})
        arena.check_clean()
    assert open_files() <= files
