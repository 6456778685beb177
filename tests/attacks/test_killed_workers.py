"""Workers that are killed: no bot outlives its own."""

import asyncio
import os
import random
import select
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot_runner.bundles.bundle import digest_of
from bot_runner.levels import KINDS, Kind
from bot_runner.runner import Runner
from bot_runner.slots import processes_of
from tests.attacks.children import in_a_child, wait_until
from tests.fixtures.bots import (
    BUSY,
    FIRST_UID,
    HONEST,
    seat_of,
    settings,
)
from tests.fixtures.bots import PATIENT as LIMITS

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives seats users of their own")


@needs_root
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stopped", [False, True])
def test_a_killed_workers_bots_die_with_it(kind: Kind, folder: Path, stopped: bool) -> None:
    """kill -9 of a worker: no bot is alive a second later, running or stopped, and its folders are swept."""
    reader, writer = os.pipe()

    def work() -> None:
        runner = Runner(settings(kind, folder), lambda _: BUSY)
        bots = [runner.bot(digest_of(BUSY), seat_of("m", seat, 2, LIMITS)) for seat in range(2)]
        for bot in bots:
            bot._process.begin_now()
            select.select([bot._process.stderr], [], [])  # it is up
            if stopped:
                bot._process.stop()
        os.write(writer, b"ready")
        signal.pause()

    worker = in_a_child(work)
    os.close(writer)
    assert os.read(reader, 5) == b"ready"
    os.close(reader)
    users = [uid for uid in range(FIRST_UID, FIRST_UID + 8) if processes_of(uid)]
    assert len(users) == 2
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    assert wait_until(lambda: not any(map(processes_of, users)), 1.0)
    assert len(list((folder / "bundles").glob("shelf-*"))) == 1
    runner = Runner(settings(kind, folder), lambda _: HONEST)
    assert len(list((folder / "bundles").glob("shelf-*"))) == 1, (
        "the dead worker's shelf is gone, ours is there"
    )
    runner.close_now()


def bots_until_killed(kind: Kind, folder: Path, tell: Callable[[], object]) -> None:
    """A worker's bots, one after another, each begun and left running."""
    runner = Runner(replace(settings(kind, folder), users_folder=folder / "users"), lambda _: BUSY)

    async def begin() -> None:
        tell()
        for seat in range(8):
            runner.bot(digest_of(BUSY), seat_of("m", seat, 8, LIMITS)).start(seat_of("m", seat, 8, LIMITS))
            await asyncio.sleep(0.002)
        await asyncio.Event().wait()

    asyncio.run(begin())


def kill_a_worker_after(ms: float, kind: Kind, folder: Path) -> None:
    reader, writer = os.pipe()
    worker = in_a_child(lambda: bots_until_killed(kind, folder, lambda: os.write(writer, b"ready")))
    os.close(writer)
    assert os.read(reader, 5) == b"ready"
    os.close(reader)
    select.select([], [], [], ms / 1000)
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    users = range(FIRST_UID, FIRST_UID + 8)
    assert wait_until(lambda: not any(map(processes_of, users)), 1.0), f"killed after {ms} ms"


@needs_root
@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_killed_while_bots_begin(kind: Kind, folder: Path) -> None:
    for ms in (1, 7, 20):
        kill_a_worker_after(ms, kind, folder)


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_killed_at_any_moment(kind: Kind, folder: Path) -> None:
    dice = random.Random(5)
    for _ in range(100):
        kill_a_worker_after(dice.uniform(0, 60), kind, folder)
