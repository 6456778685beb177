"""One user for each seat, so that no bot can starve, signal or read another.

Users are numbers without a name. A number is held by a lock on a file, which the kernel
lets go when its holder dies, so workers of one machine never share one. A number whose
processes will not die is poisoned: it is not used again by this worker.
"""

import fcntl
import os
import pwd
import signal
import time
from pathlib import Path

from bot_runner.errors import NoSlot, SandboxMissing

FIRST_UID = 61_000
SEATS = 256
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
PATIENCE_S = 2.0
FOLDER = Path("/run/mamenoki/users")
"""The same for every worker of a machine, whatever else they do not share."""


class Slots:
    """For one thread. Two folders on one machine would be two owners of one user: name another only
    where /run cannot be written to."""

    def __init__(self, first: int = FIRST_UID, count: int = SEATS, folder: Path = FOLDER) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self._free = list(range(first, first + count))
        self._locks: dict[int, int] = {}
        self.poisoned: set[int] = set()
        self._check_nameless()

    def take(self) -> int:
        """A user that nobody has and no process runs as. NoSlot if there is none."""
        for _ in range(len(self._free)):
            uid = self._free.pop(0)
            if self._lock(uid):
                if clear(uid):
                    return uid
                self._poison(uid)
            else:
                self._free.append(uid)
        raise NoSlot(
            f"all {len(self._locks) + len(self._free)} users for seats are taken; poisoned: {self._named()}"
        )

    def give_back(self, uid: int) -> None:
        """Whatever still runs as it is killed; what will not die poisons it."""
        if clear(uid):
            os.close(self._locks.pop(uid))
            self._free.append(uid)
        else:
            self._poison(uid)

    @property
    def taken(self) -> set[int]:
        """The users that this worker holds, poisoned ones left out."""
        return set(self._locks) - self.poisoned

    def close(self) -> None:
        """Let go of all that is held."""
        for lock in self._locks.values():
            os.close(lock)
        self._locks.clear()

    def _lock(self, uid: int) -> bool:
        lock = os.open(self._folder / str(uid), _FLAGS, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self._locks[uid] = lock
        return True

    def _poison(self, uid: int) -> None:
        self.poisoned.add(uid)

    def _named(self) -> str:
        return ", ".join(map(str, sorted(self.poisoned))) or "none"

    def _check_nameless(self) -> None:
        for uid in self._free:
            try:
                owner = pwd.getpwuid(uid).pw_name
            except KeyError:
                continue
            raise SandboxMissing(
                f"user {uid}, meant for a bot's seat, is {owner}: name another first user for seats"
            )


def clear(uid: int) -> bool:
    """Kill all processes of a user; whether none is left."""
    until = time.monotonic() + PATIENCE_S
    while pids := processes_of(uid):
        for pid in pids:
            _kill(pid)
        if time.monotonic() > until:
            return False
        time.sleep(0.002)  # the kernel buries its dead in its own time, and offers nothing to wait on
    return True


def processes_of(uid: int) -> list[int]:
    """The living processes that run as a user. Dead ones that nobody has buried hold nothing."""
    found = []
    for entry in os.scandir("/proc"):
        try:
            if entry.name.isdigit() and entry.stat().st_uid == uid and not _is_dead(entry.path):
                found.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has gone since it was listed
    return found


def _is_dead(path: str) -> bool:
    text = Path(path, "stat").read_text()
    return text.rpartition(")")[2].split()[0] in ("Z", "X")


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # gone by itself
