"""The processes of one machine: started, watched, started again, stopped.

For a laptop and for tests; on Kubernetes the cluster does this work.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

GUARD = Path(__file__).with_name("guard.py")
FIRST_PAUSE = 0.2  # seconds before a dead process is started again; doubles up to the last
LAST_PAUSE = 5.0
STEADY = 10.0  # seconds of life after which the pause is short again


def start_guarded(
    command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """The command in a session of its own, which dies with this process; ``log`` gets all that it prints.

    Call from the main thread (see ``guard.py``). Without an environment it gets this process's.
    """
    guarded = [sys.executable, "-I", "-S", str(GUARD), str(os.getpid()), *command]
    with log.open("ab") as output:
        return subprocess.Popen(
            guarded,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=None if environment is None else dict(environment),
            start_new_session=True,
        )


@dataclass(slots=True)
class Process:
    """One command that is kept alive. ``log`` gets all that it prints."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    grace: float = 10.0  # seconds between SIGTERM and SIGKILL
    is_base: bool = False  # others need it to end in order, so it is stopped after them
    starts: int = 0
    asked: bool = False
    running: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_after: float = 0.0
    pause: float = field(default=FIRST_PAUSE)

    @property
    def pid(self) -> int | None:
        return self.running.pid if self.running else None

    def start(self) -> None:
        """Start it in a session of its own, under the guard. Call from the main thread."""
        self.running = start_guarded(self.command, self.log, self.environment)
        self.starts += 1
        self.asked = False
        self.started_at = time.monotonic()

    def tend(self) -> int | None:
        """Start it again if it has died and its pause is over; the exit code of a death first seen now."""
        now = time.monotonic()
        if self.running is None:
            if now >= self.start_after:
                self.start()
            return None
        code = self.running.poll()
        if code is None:
            return None
        self.sweep()
        self.running = None
        self.pause = FIRST_PAUSE if now - self.started_at > STEADY else min(self.pause * 2, LAST_PAUSE)
        self.start_after = now + self.pause
        return code

    def sweep(self) -> None:
        """Kill what is left of its session: children outlive a leader that was killed."""
        if self.running is not None:
            try:
                os.killpg(self.running.pid, signal.SIGKILL)
            except ProcessLookupError:
                return

    def ask_to_stop(self) -> None:
        """SIGTERM, once: a second one would tell it to drop what it is ending."""
        if not self.asked and self.running is not None and self.running.poll() is None:
            self.asked = True
            self.running.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        """SIGTERM, then SIGKILL to the whole session after the grace; returns when it is gone."""
        if self.running is None:
            return
        self.ask_to_stop()
        try:
            self.running.wait(self.grace)
        except subprocess.TimeoutExpired:
            self.running.kill()
            self.running.wait()
        self.sweep()
        self.running = None


class Supervisor:
    """Keeps processes alive, and stops them so that each can end what it has begun."""

    def __init__(self) -> None:
        self.processes: list[Process] = []
        self.deaths: list[tuple[str, int]] = []

    def add(self, process: Process) -> None:
        self.processes.append(process)
        process.start()

    def tend(self) -> None:
        """Look after every process once; call it often, from the main thread."""
        for process in self.processes:
            code = process.tend()
            if code is not None:
                self.deaths.append((process.name, code))

    def stop(self) -> None:
        """Ends all at once, but for what the others stand on: that comes after them."""
        for base in (False, True):
            ending = [process for process in reversed(self.processes) if process.is_base is base]
            for process in ending:
                process.ask_to_stop()
            for process in ending:
                process.stop()
        self.processes.clear()
