"""Tries, from where a bot runs, everything that a bot must not be able to do.

Prints one JSON line: each promise with "" if it holds, else with what went through; then
it counts aloud until it is stopped. argv[1] is JSON, see :class:`Bait`.
"""

import ctypes
import errno
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import TypedDict

_libc = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWUSER = 0x10000000
_PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS = 21, 39
_PTRACE_TRACEME, _PTRACE_ATTACH = 0, 16
_ENVIRONMENT = {"PATH", "HOME", "LANG", "PWD", "LC_CTYPE"}


class Bait(TypedDict):
    """What the worker holds out. ``port``: a TCP port that listens; ``abstract``: a unix socket's name that
    does; ``secrets``: files that must not be readable, ``places``: folders that must not be writable.
    ``uid``: who the bot has to be (None: anyone but root)."""

    port: int
    abstract: str
    secrets: list[str]
    places: list[str]
    worker: int
    uid: int | None
    own_processes: bool
    tasks: int | None


def _opens(path: str, flags: int) -> bool:
    try:
        os.close(os.open(path, flags, 0o600))
    except OSError:
        return False
    return True


def _connects(family: int, address: object) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as one:
            one.connect(address)  # type: ignore[arg-type]  # what an address is depends on the family
    except OSError:
        return False
    return True


def network(bait: Bait) -> str:
    if _connects(socket.AF_INET, ("127.0.0.1", bait["port"])):
        return "a TCP connection to 127.0.0.1"
    return (
        "a connection to an abstract unix socket"
        if _connects(socket.AF_UNIX, "\0" + bait["abstract"])
        else ""
    )


def reading(bait: Bait) -> str:
    return ", ".join(path for path in bait["secrets"] if _opens(path, os.O_RDONLY))


def writing(bait: Bait) -> str:
    names = [os.path.join(place, "mamenoki-probe") for place in bait["places"]]  # noqa: PTH118  slow to import
    names = [name for name in names if _opens(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)]
    return ", ".join(
        [*names, *filter(lambda one: _opens(one, os.O_WRONLY), ["/proc/sys/kernel/core_pattern"])]
    )


def processes(bait: Bait) -> str:
    try:
        child = os.fork()
    except OSError:
        return ""
    if child == 0:
        os._exit(0)
    return "a second process"


def tasks(bait: Bait) -> str:
    if bait["tasks"] is None:
        return ""
    threading.stack_size(64 << 10)
    done, count = threading.Event(), 1
    try:
        while count <= bait["tasks"] + 8:
            threading.Thread(target=done.wait, daemon=True).start()
            count += 1
    except (RuntimeError, MemoryError):
        pass  # the bound
    finally:
        done.set()
    return f"{count} tasks at once" if count > bait["tasks"] else ""


def memory(bait: Bait) -> str:
    try:
        held = bytearray(3 << 30)
    except MemoryError:
        return ""
    return f"{len(held)} bytes of memory"


def hidden_memory(bait: Bait) -> str:
    try:
        os.close(os.memfd_create("probe"))
    except OSError:
        return ""
    return "memory that no limit counts"


def tracing(bait: Bait) -> str:
    for request, pid in ((_PTRACE_ATTACH, bait["worker"]), (_PTRACE_TRACEME, 0)):
        if _libc.ptrace(request, pid, None, None) == 0:
            return f"ptrace request {request}"
    return ""


def signals(bait: Bait) -> str:
    if bait["own_processes"]:
        return "" if os.getppid() == 1 else "processes of others are in sight"
    try:
        os.kill(bait["worker"], 0)
    except OSError as error:
        return "" if error.errno in (errno.EPERM, errno.ESRCH) else str(error)
    return "a signal to the worker"


def namespaces(bait: Bait) -> str:
    return "a user namespace" if _libc.unshare(_CLONE_NEWUSER) == 0 else ""


def privileges(bait: Bait) -> str:
    if os.getuid() == 0 or (bait["uid"] is not None and os.getuid() != bait["uid"]):
        return f"it runs as user {os.getuid()}"
    if _libc.prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        return "set-user programs would give it privileges"
    return "" if _libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) == 2 else "no system call filter"


def inheritance(bait: Bait) -> str:
    names = [name for name in os.environ if name not in _ENVIRONMENT]
    files = [str(fd) for fd in range(3, 64) if _is_open(fd)]
    return ", ".join([*names, *files])


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


PROMISES: tuple[Callable[[Bait], str], ...] = (
    inheritance, privileges, network, reading, writing, processes, tracing, signals, namespaces, hidden_memory,
    memory, tasks,
)  # fmt: skip


def main(bait: Bait) -> None:
    """Try everything, tell, then count."""
    print(json.dumps({promise.__name__: promise(bait) for promise in PROMISES}), flush=True)
    while True:
        print("tick", flush=True)
        time.sleep(0.001)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
