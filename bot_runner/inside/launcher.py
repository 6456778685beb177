"""``launcher.py SPEC``: give up all that a bot must not have, and become the bot's program.

The level "inner" needs nothing but the kernel: Landlock (5.13 or newer), seccomp, limits,
and a user of the bot's own where the worker is root. SPEC is JSON, see :class:`Spec`.
The order matters: files are opened before Landlock closes them, the limits are set while
they may be, the wish to die with the parent is made after the change of user, which clears it.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from typing import TypedDict

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_FILTER = 1, 38, 22, 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH, _VERSION_FLAG = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""By Landlock's version: how many rights on files it knows; 16 from version 5 on."""

_libc = ctypes.CDLL(None, use_errno=True)


class Spec(TypedDict):
    """``limits``: a name in :mod:`resource`, the soft and the hard limit. ``read``: paths that the program may read
    and run. ``write``: files it may read and write. ``filter``: a descriptor of a seccomp program."""

    parent: int
    uid: int | None
    limits: list[tuple[str, int, int]]
    filter: int
    read: list[str]
    write: list[str]
    folder: str
    environment: dict[str, str]
    program: list[str]


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def landlock_version() -> int:
    """What the kernel offers; 0 for nothing."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)))


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def _limit(spec: Spec) -> None:
    for name, soft, hard in spec["limits"]:
        resource.setrlimit(getattr(resource, name), (soft, hard))


def _become(uid: int | None) -> None:
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def _die_with(parent: int) -> None:
    _check(_libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "PR_SET_PDEATHSIG")
    if os.getppid() != parent:
        sys.exit("the worker has gone")


def _close_files(read: list[str], write: list[str]) -> None:
    version = landlock_version()
    if version == 0:
        sys.exit("this kernel has no Landlock")
    every = (1 << _FILE_RIGHTS.get(version, 16)) - 1
    ruleset = _Ruleset(every, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    fence = _check(
        _libc.syscall(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(size), 0), "a Landlock ruleset"
    )
    for path in read:
        _allow(fence, path, _EXECUTE | _READ_FILE | _READ_DIR)
    for path in write:
        _allow(fence, path, _READ_FILE | _WRITE_FILE)
    _check(_libc.syscall(_RESTRICT_SELF, fence, 0), "Landlock")
    os.close(fence)


def _allow(fence: int, path: str, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # what is not there cannot be read; /lib64 is not on every machine
    if not os.path.isdir(path):  # noqa: PTH112  pathlib costs more to import than all else here
        rights &= ~_READ_DIR
    beneath = _Beneath(rights, folder)
    _check(
        _libc.syscall(_ADD_RULE, fence, _RULE_PATH_BENEATH, ctypes.byref(beneath), 0),
        f"a Landlock rule for {path}",
    )
    os.close(folder)


def _filter_calls(code: bytes) -> None:
    program = _Program(len(code) // 8, code)
    _check(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(program), 0, 0), "the seccomp filter")


def _first_to_die() -> None:
    with open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123  as above
        file.write("1000")


def launch(spec: Spec) -> None:
    """Become the program; raises OSError or exits if anything of it cannot be had."""
    with open(spec["filter"], "rb") as file:  # noqa: PTH123  a descriptor
        code = file.read()
    os.closerange(3, 1 << 16)
    _first_to_die()
    _become(spec["uid"])
    _limit(spec)
    os.chdir(spec["folder"])
    _die_with(spec["parent"])
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")
    _close_files(spec["read"], spec["write"])
    _filter_calls(code)
    os.execve(spec["program"][0], spec["program"], spec["environment"])  # noqa: S606  becomes the bot


if __name__ == "__main__":
    launch(json.loads(sys.argv[1]))
