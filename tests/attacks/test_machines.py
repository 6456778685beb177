"""The machine around the bots: workers that are killed, sandboxes that cannot be had, users that are shared.

What a level promises it keeps or the worker refuses to run bots at all, and says why.
"""

import asyncio
import ctypes
import json
import os
import platform
import select
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot_runner import places, process
from bot_runner.bundles.bundle import digest_of
from bot_runner.errors import NoSlot, SandboxBroke, SandboxMissing
from bot_runner.levels import KINDS, Kind
from bot_runner.runner import Runner
from bot_runner.seccomp.program import MACHINES, Deny, Unless, assemble
from bot_runner.slots import Slots, processes_of
from tests.attacks.children import in_a_child, told_by, wait_until
from tests.fixtures.bots import (
    BUSY,
    FIRST_UID,
    HONEST,
    Arena,
    play,
    rival,
    seat_of,
    settings,
)
from tests.fixtures.bots import PATIENT as LIMITS

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives seats users of their own")
ORDINARY = 61_990
"""A user that the tests become."""


@needs_root
def test_what_outlives_a_bot_is_killed_before_its_user_is_used_again(folder: Path) -> None:
    slots = Slots(FIRST_UID, 1, folder / "users")
    uid = slots.take()
    ready, up = os.pipe()

    def linger() -> None:
        os.setresuid(uid, uid, uid)
        os.setsid()
        os.write(up, b"x")
        signal.pause()

    child = in_a_child(linger)
    assert os.read(ready, 1) == b"x"
    slots.give_back(uid)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert slots.take() == uid
    slots.close()
    for fd in (ready, up):
        os.close(fd)


@needs_root
def test_no_two_workers_share_a_user(folder: Path) -> None:
    ours, theirs = (Slots(FIRST_UID, 3, folder / "users") for _ in range(2))
    taken = [ours.take(), theirs.take(), ours.take()]
    assert len(set(taken)) == 3
    with pytest.raises(NoSlot, match="all"):
        theirs.take()
    ours.give_back(taken[0])
    assert theirs.take() == taken[0]
    ours.close()
    theirs.close()


@needs_root
def test_a_user_with_a_name_is_not_taken(folder: Path) -> None:
    with pytest.raises(SandboxMissing, match="is nobody"):
        Slots(65_534, 1, folder / "users")


@needs_root
def test_root_never_runs_a_bot_as_itself(opened_arena: Arena) -> None:
    assert opened_arena.runner.level.own_user
    assert opened_arena.runner.level.value == f"{opened_arena.kind}+user"
    bot = opened_arena.bot(BUSY)
    try:
        bot._process.begin_now()
        select.select([bot._process.stderr], [], [])
        assert Path(f"/proc/{bot.pid}").stat().st_uid >= FIRST_UID
    finally:
        bot.end_now()


def test_without_bubblewrap_nothing_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(places, "find_spec", lambda name: None)
    with pytest.raises(SandboxMissing, match="install bubblewrap") as missing:
        Runner(settings("namespaces", folder), lambda _: HONEST)
    assert "install util-linux" in str(missing.value)


def test_a_wrong_bubblewrap_is_found_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does nothing but start the program never says that a sandbox stands: no bot begins."""
    fake = folder / "bwrap"
    fake.write_text('#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n')
    fake.chmod(0o755)
    for name in places.TOOLS:
        (folder / name).symlink_to(shutil.which(name) or "/nonexistent")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(process, "BOUND_S", 0.5)
    with pytest.raises(SandboxMissing, match="not set up"):
        Runner(settings("namespaces", folder / "bots"), lambda _: HONEST)


def refuse_namespaces() -> None:
    """Be as in a container whose seccomp profile allows no namespaces."""
    machine = MACHINES[platform.machine()]
    new_user = Unless(0, 0x10000000, 0)
    code = assemble([Deny(("unshare", "setns", "mount")), Deny(("clone",), argument=new_user)], machine)

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))

    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert libc.prctl(22, 2, ctypes.byref(Program(len(code) // 8, code)), 0, 0) == 0


def opening(kind: Kind, folder: Path, tell: Callable[[str], None]) -> None:
    try:
        runner = Runner(settings(kind, folder), lambda _: HONEST)
    except SandboxMissing as missing:
        tell(f"refused: {missing}")
        return
    tell(f"level {runner.level.value}")
    runner.close_now()


def test_in_a_container_without_namespaces(opened_arena: Arena, folder: Path) -> None:
    """The level namespaces is refused with the reason and never replaced by a weaker one; inner holds."""

    def work(tell: Callable[[str], None]) -> None:
        refuse_namespaces()
        opening(opened_arena.runner.level.kind, folder, tell)

    told = told_by(work)
    if opened_arena.kind == "inner":
        assert told.startswith("level inner")
    else:
        assert told.startswith("refused:")
        assert "inner" in told, "what else there is"


@needs_root
@pytest.mark.parametrize("kind", KINDS)
def test_an_ordinary_user_is_told_what_is_not_limited(kind: Kind, folder: Path) -> None:
    """Bots are shut in all the same, without users of their own, and the level says so."""
    os.chown(folder, ORDINARY, ORDINARY)
    "".encode("cp437")  # what zip archives need of Python's own files, while they can be reached

    def work(tell: Callable[[str], None]) -> None:
        os.setgroups([])
        os.setresgid(ORDINARY, ORDINARY, ORDINARY)
        os.setresuid(ORDINARY, ORDINARY, ORDINARY)
        sys.executable = "/usr/bin/python3"  # ours may lie where this user cannot go
        runner = Runner(settings(kind, folder), lambda _: HONEST)

        async def match() -> dict[int, str]:
            bot = runner.bot(digest_of(HONEST), seat_of("m", 0, 2, LIMITS))
            return (await play(bot, rival())).outcome.forfeits

        forfeits = asyncio.run(match())
        tell(json.dumps([runner.level.value, runner.level.unlimited, len(forfeits), runner.running]))
        runner.close_now()

    missing = ["a user of its own for each seat"]
    if kind == "inner":
        missing.append("how many threads a bot has")
    assert json.loads(told_by(work)) == [kind, missing, 0, 0]
    assert wait_until(lambda: not processes_of(ORDINARY), 1.0)


@needs_root
def test_a_folder_that_seats_cannot_enter(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o700)
    with pytest.raises(SandboxMissing, match="cannot enter"):
        Runner(settings("inner", tmp_path / "closed" / "bots"), lambda _: HONEST)


def test_a_folder_of_somebody_else(folder: Path) -> None:
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    with pytest.raises(SandboxMissing, match="nobody else can write"):
        Runner(settings("inner", folder / "open"), lambda _: HONEST)


async def test_a_sandbox_that_breaks_later_is_our_fault(arena: Arena) -> None:
    """Not the bot's: the error says so by its kind, and nothing is forfeited for it."""
    if arena.kind != "namespaces":
        pytest.skip("the level inner has no program that could break")
    stolen = arena.runner._places.client
    bot = None
    hidden = stolen.with_name("hidden")
    stolen.rename(hidden)
    try:
        bot = arena.bot(HONEST)
        with pytest.raises(SandboxBroke, match="client"):
            await play(bot, rival())
    finally:
        hidden.rename(stolen)
        if bot is not None:
            await bot.end()


def test_python_is_where_bots_see_it(opened_arena: Arena) -> None:
    """A bot's interpreter is the system's: ours may lie in a place that holds our secrets."""
    found = opened_arena.runner._places.interpreter("python3")
    assert found is not None
    assert found.startswith("/usr/")
    assert sys.prefix == "/usr" or not Path(found).is_relative_to(sys.prefix)
