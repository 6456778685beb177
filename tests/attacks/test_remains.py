"""What is left after many matches between uploaded bots: nothing."""

import asyncio
import random
import time
from pathlib import Path

import pytest

from bot_runner.errors import BotDied
from mamenoki.sdk import Decision
from tests.fixtures.bots import HONEST, Arena, play


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.slow
@pytest.mark.timeout(600)
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


async def test_is_killed_at_any_moment(arena: Arena) -> None:
    """From its sandbox's first system call to its first turn: at once, nothing of it is left, and it says so."""
    dice = random.Random(7)
    for _ in range(100):
        bot = arena.bot(HONEST)
        bot.start(bot.seat)
        asking = asyncio.create_task(bot.choose(Decision(1, ["a"], {}, [], None, 0)))
        await asyncio.sleep(dice.uniform(0, 0.03))
        began = time.monotonic()
        await bot.end()
        said = await asyncio.gather(asking, return_exceptions=True)
        assert time.monotonic() - began < 1
        assert said == ["a"] or "the worker" in str(said[0])
        arena.check_clean()
