"""What is left after many matches between uploaded bots: nothing."""

import asyncio
from pathlib import Path

import pytest

from bot_runner.errors import BotDied
from mamenoki.sdk import Decision
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


async def test_is_ended_by_the_worker(arena: Arena) -> None:
    """Before it is asked, and while it is asked: it says so, and says so again."""
    early, late = arena.bot(HONEST, 0), arena.bot(HONEST, 1)
    await early.end()
    asking = asyncio.create_task(late.choose(Decision(1, ["a"], {}, [], None, 0)))
    await asyncio.sleep(0)
    await late.end()
    for _ in range(2):
        with pytest.raises(BotDied, match="ended: the worker"):
            await early.choose(Decision(1, ["a"], {}, [], None, 0))
    with pytest.raises(BotDied, match="ended: the worker"):
        await asking
    with pytest.raises(BotDied, match="ended: the worker"):
        await late.choose(Decision(2, ["a"], {}, [], None, 0))
