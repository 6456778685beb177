"""``locked.py LOCK COMMAND…``: take a lock and become COMMAND, which so holds it for exactly as long as it lives.

After a kill -9 the lock is free at once. It is run by path with ``python -I -S``
and imports the standard library alone, as ``guard.py`` does, and for the same reason.
"""

import fcntl
import os
import sys
import time
from collections.abc import Sequence

WAIT_S = 2.0
TAKEN = 75  # exit status: somebody else holds the lock


def become(lock: str, command: Sequence[str]) -> None:
    """Exits with TAKEN if the lock cannot be had."""
    held = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + WAIT_S  # a killed predecessor may need a moment to die
    while not _try_lock(held):
        if time.monotonic() > deadline:
            print(f"{lock} is held by a running server", file=sys.stderr)
            sys.exit(TAKEN)
        time.sleep(0.02)
    os.set_inheritable(held, True)
    os.execv(command[0], list(command))  # noqa: S606  # an argument list, no shell


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    become(sys.argv[1], sys.argv[2:])
