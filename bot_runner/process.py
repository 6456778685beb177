"""A bot's process: started shut in, stopped outside its turns, ended within a bounded time.

The worker's child is bubblewrap (or, at the level inner, the bot itself). Bubblewrap tells
the process number of the sandbox's own init, whose only child is the bot.
"""

import asyncio
import json
import os
import select
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bot_runner.errors import SandboxBroke
from bot_runner.levels import Cell, Kind, command, seccomp_program
from bot_runner.pipes import readable
from bot_runner.places import Places

GONE_S = 2.0
"""How long a killed process may take to be gone."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How the process ended; exactly one of the two is set. ``started``: whether the bot had run at all."""

    code: int | None
    signal: int | None
    started: bool


class Process:
    """Start it in the thread that lives as long as it may: the kernel kills it when that thread ends.

    ``stdin``, ``stdout`` and ``stderr`` are our ends of its pipes, for the caller to close.
    """

    def __init__(self, kind: Kind, places: Places, cell: Cell) -> None:
        self._kind = kind
        self._status, status = os.pipe2(os.O_CLOEXEC)
        seccomp = _readable_memory(seccomp_program(kind))
        try:
            self._child = _spawn(command(kind, places, cell, seccomp, status), (seccomp, status))
        except OSError as error:
            os.close(self._status)
            raise SandboxBroke(f"the sandbox cannot be started: {error}") from error
        finally:
            os.close(seccomp)
            os.close(status)
        self.stdin, self.stdout, self.stderr = _pipes_of(self._child)
        self.pid = self._child.pid
        self._life = os.pidfd_open(self.pid)
        self._told = b""
        self._bot: int | None = None
        self._stopped = self._closed = False
        self.killed = False

    def stop(self) -> None:
        """Let the bot not run. One that cannot be found yet, or any more, runs on."""
        self._stopped = self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run again."""
        if self._stopped:
            self._signal(signal.SIGCONT)
            self._stopped = False

    def kill(self) -> None:
        """Now, with all that it has started. Safe twice; :meth:`gone` waits for it."""
        self.killed = True
        if self._child.returncode is None:
            signal.pidfd_send_signal(self._life, signal.SIGKILL)

    async def gone(self, seconds: float) -> bool:
        """Wait until it has ended, at most so long; whether it has."""
        if self._child.poll() is not None:
            return True
        try:
            async with asyncio.timeout(seconds):
                await readable(self._life)
        except TimeoutError:
            return False
        return self._child.poll() is not None

    def gone_now(self, seconds: float = GONE_S) -> bool:
        """The same without an event loop, for the end of a worker."""
        select.select([self._life], [], [], seconds)
        return self._child.poll() is not None

    def ended(self) -> Ended:
        """How it ended, once it has."""
        code = self._child.returncode
        if self._kind == "inner":
            return Ended(code, None, True) if code >= 0 else Ended(None, -code, True)
        told = self._news().get("exit-code")
        if not isinstance(told, int):  # bubblewrap tells it of a program that it could start
            return Ended(None, -code, True) if code < 0 else Ended(code, None, False)
        return Ended(None, told - 128, True) if 128 < told <= 128 + 64 else Ended(told, None, True)

    def close(self) -> None:
        """Let go of what is held of an ended process."""
        self._closed = True
        for fd in (self._life, self._status, self._bot):
            if fd is not None:
                os.close(fd)
        self._bot = None

    def _signal(self, number: signal.Signals) -> bool:
        if self._bot is None and not self._closed:
            self._bot = self._find()
        if self._bot is None:
            return False
        try:
            signal.pidfd_send_signal(self._bot, number)
        except ProcessLookupError:
            return False
        return True

    def _find(self) -> int | None:
        """The bot's own process, held so that its number cannot come to mean another."""
        if self._kind == "inner":
            return os.dup(self._life)
        init = self._news().get("child-pid")
        if not isinstance(init, int):
            return None
        for pid in _children(init):
            try:
                found = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            if pid in _children(init):
                return found
            os.close(found)
        return None

    def _news(self) -> dict[str, object]:
        """What bubblewrap has told, its JSON objects in one."""
        os.set_blocking(self._status, False)
        try:
            while part := os.read(self._status, 4096):
                self._told += part
        except BlockingIOError:
            pass  # nothing more yet
        told: dict[str, object] = {}
        for line in self._told.splitlines():
            told.update(json.loads(line))
        return told


def _spawn(words: list[str], pass_fds: tuple[int, int]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=pass_fds,
        env={},
        cwd="/",
        bufsize=0,
        start_new_session=True,
    )


def _pipes_of(child: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    """Its pipes as descriptors of ours."""
    numbers = []
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is None:
            raise RuntimeError("a process was started without its pipes")
        numbers.append(os.dup(stream.fileno()))
        stream.close()
    return numbers[0], numbers[1], numbers[2]


def _readable_memory(data: bytes) -> int:
    """A descriptor from which a child reads ``data``."""
    fd = os.memfd_create("seccomp", os.MFD_CLOEXEC)
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
