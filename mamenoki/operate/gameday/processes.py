"""The processes of one stack, found anew each time by its supervisor's pid: never by a name alone."""

import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
PARTS = {
    "engine": "mamenoki.serve.engine",
    "worker": "scheduler.worker",
    "beat": "scheduler.beat",
    "web": "mamenoki.serve.web",
    "valkey": "valkey",
}
"""What stands in the command line of each part that a supervisor starts."""


@dataclass(frozen=True, slots=True)
class Found:
    """A process. ``began``: the kernel's ticks at its start, by which a pid that was given anew is told."""

    pid: int
    parent: int
    began: int
    command: str

    def send(self, number: signal.Signals) -> bool:
        """Sends it a signal; False if it has gone, whoever has its pid now."""
        now = look(self.pid)
        if now is None or now.began != self.began:
            return False
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            return False
        return True


def look(pid: int) -> Found | None:
    """A living process; None if it has gone or waits to be buried."""
    try:
        words = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        command = (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    if words[0] in ("Z", "X"):
        return None
    return Found(pid, int(words[1]), int(words[19]), command)


def living() -> Iterator[Found]:
    """All living processes of this machine."""
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (found := look(int(entry.name))) is not None:
            yield found


def part(supervisor: int, name: str) -> Found | None:
    """The supervisor's child that is the part of that name; None while it is down."""
    mark = PARTS[name]
    return next((one for one in living() if one.parent == supervisor and mark in one.command), None)


def with_children(top: Found) -> list[Found]:
    """A process and all that descend from it, itself first."""
    everybody = list(living())
    family = [top]
    for member in family:  # grows while it is walked
        family += [one for one in everybody if one.parent == member.pid]
    return family


def environment(pid: int) -> dict[str, str]:
    """What a process was started with."""
    pairs = (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return dict(os.fsdecode(pair).split("=", 1) for pair in pairs if b"=" in pair)


def owned_by(home: Path) -> list[int]:
    """The living processes whose environment names that folder as the stack's home, whoever their parent is."""
    mark = f"MAMENOKI_HOME={home}".encode()
    return [one.pid for one in living() if one.pid != os.getpid() and _names(one.pid, mark)]


def _names(pid: int, mark: bytes) -> bool:
    try:
        return mark in (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:  # it has ended meanwhile, or is somebody else's
        return False


def stop_all(family: Sequence[Found]) -> None:
    """SIGSTOP to each, parents first."""
    for one in family:
        one.send(signal.SIGSTOP)


def continue_all(family: Sequence[Found]) -> None:
    """SIGCONT to each."""
    for one in family:
        one.send(signal.SIGCONT)
