"""A bot's process: started shut in, stopped outside its turns, ended within a bounded time.

The worker's child is bubblewrap (or, at the level inner, the bot itself). Bubblewrap tells
the process number of the sandbox's own init, whose only child is the bot. From its birth until
it has asked to, that init would outlive a bubblewrap that is killed, and wait for ever or run
the bot: so a bot begins only when its life is known to hang on ours, and a kill before then
goes to what bubblewrap has begun too.
"""

import asyncio
import json
import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from bot_runner.errors import SandboxBroke
from bot_runner.levels import Cell, Kind, command, seccomp_program
from bot_runner.pipes import readable
from bot_runner.places import Places

BOUND_S = 10.0
"""How long a sandbox may take to be set up, on a busy machine."""
_LOOK_S = 0.001
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
    ``begun``: whether the bot itself may run, which :meth:`begin` lets it.
    """

    def __init__(self, kind: Kind, places: Places, cell: Cell) -> None:
        self._kind = kind
        # No pipe: bubblewrap ends, and its child waits for it for ever, when it cannot tell a dead worker.
        self._status = os.memfd_create("status", os.MFD_CLOEXEC)
        seccomp = _readable_memory(seccomp_program(kind))
        try:
            self._child = _spawn(command(kind, places, cell, seccomp, self._status), (seccomp, self._status))
        except OSError as error:
            os.close(self._status)
            raise SandboxBroke(f"the sandbox cannot be started: {error}") from error
        finally:
            os.close(seccomp)
        self.stdin, self.stdout, self.stderr = _pipes_of(self._child)
        self.pid = self._child.pid
        self._life = os.pidfd_open(self.pid)
        self._bot: int | None = None
        self._stopped = self._closed = False
        self.begun = kind == "inner"
        self.killed = False

    async def begin(self) -> None:
        """Let the bot begin, once its life hangs on ours; its stdin may be written to from then on.

        Returns as well when the sandbox has ended before. SandboxBroke if it is not set up in time.
        """
        if self.begun:
            return
        try:
            async with asyncio.timeout(BOUND_S):
                await readable(self.stdout)
                while not self._open_gate():  # noqa: ASYNC110  the kernel tells nobody of it
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError:
            raise SandboxBroke(f"the sandbox was not set up in {BOUND_S:.0f} s") from None

    def begin_now(self) -> None:
        """The same without an event loop, for the probes of a machine."""
        if self.begun:
            return
        until = time.monotonic() + BOUND_S
        ready = select.select([self.stdout], [], [], BOUND_S)[0]
        while not (ready and self._open_gate()):
            if time.monotonic() > until:
                raise SandboxBroke(f"the sandbox was not set up in {BOUND_S:.0f} s")
            time.sleep(_LOOK_S)

    def _open_gate(self) -> bool:
        """Whether there is nothing more to wait for. Reads what the gate says, a newline, so that what
        comes next is the bot's."""
        if not self._is_bound():
            return self._child.poll() is not None
        self.begun = True
        if os.read(self.stdout, 1):
            os.write(self.stdin, b"go\n")
        return True

    def _is_bound(self) -> bool:
        """The sandbox's init takes its filter after it has asked to die with bubblewrap, which must be alive then."""
        init = self._news().get("child-pid")
        return isinstance(init, int) and _is_filtered(init) and self._child.poll() is None

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
            if not self.begun:
                self._kill_what_it_began()
            signal.pidfd_send_signal(self._life, signal.SIGKILL)

    def _kill_what_it_began(self) -> None:
        """First it is stopped, so that it begins nothing more."""
        signal.pidfd_send_signal(self._life, signal.SIGSTOP)
        os.waitid(os.P_PIDFD, self._life, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        for pid in _children(self.pid):
            os.kill(pid, signal.SIGKILL)  # its number is kept for it: the one that could bury it stands still

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
        told: dict[str, object] = {}
        whole, _, _ = os.pread(self._status, 4096, 0).rpartition(b"\n")  # it writes an object in pieces
        for line in whole.splitlines():
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


def _is_filtered(pid: int) -> bool:
    try:
        return "\nSeccomp:\t2\n" in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
