"""``guard.py PARENT COMMAND…``: become COMMAND, and die with PARENT.

A process that is started by a supervisor and outlives it is an orphan that holds
ports and files. On Linux the kernel can be told to kill it; the request survives
exec, so this small program makes it and turns into the command. It is run by
path with ``python -I -S`` and imports the standard library alone, so that it
costs some 15 ms. Elsewhere than on Linux it only execs.

Start it from the main thread: the kernel means the *thread* that forked.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> None:
    """Ask for SIGKILL at the parent's death; exit if it has died already."""
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:
        sys.exit(0)


if __name__ == "__main__":
    die_with(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
