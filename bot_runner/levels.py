"""How a bot is shut in: the levels, and the command that each of them starts a program by.

``namespaces`` is the default: bubblewrap, started by the seat's own user where the worker is
root (never as root: a user of its sandbox would be the machine's root), with the limits set
inside, where tasks are counted for the sandbox alone. ``inner`` is for containers in which no
namespace can be made: Landlock, seccomp, limits, and the container as the outer wall.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bot_runner.inside.launcher import Spec
from bot_runner.languages import Limits
from bot_runner.places import Places
from bot_runner.seccomp import filters

Kind = Literal["namespaces", "inner"]
KINDS: tuple[Kind, ...] = ("namespaces", "inner")
LAUNCHER = Path(__file__).parent / "inside" / "launcher.py"
GATE = 'echo; read -r go && exec "$@"'
"""What stands in front of a bot in its namespaces: it says that it is there, and lets the bot begin at the
worker's word. Bubblewrap binds its sandbox's life to its own late, so a worker that was killed meanwhile
would leave a bot behind; the gate finds its stdin at its end instead, and goes. (At the level "inner" the
launcher asks for the worker's life itself.)"""
ENVIRONMENT = {"PATH": "/usr/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108  the sandbox's own

_READABLE = (
    "/usr", "/lib", "/lib64", "/bin", "/dev/urandom",
    "/etc/ld.so.cache", "/etc/ssl/openssl.cnf",  # Node does not start where it may not read the latter
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """What was asked for and what holds. Its ``value`` is recorded with every attempt.

    ``own_user``: each seat has a user of its own. ``unlimited``: what this machine cannot
    limit for us, in words; empty for a worker that is root.
    """

    kind: Kind
    own_user: bool
    unlimited: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        """``namespaces+user``, ``namespaces``, ``inner+user`` or ``inner``, strongest first."""
        return f"{self.kind}+user" if self.own_user else self.kind


@dataclass(frozen=True, slots=True)
class Cell:
    """One bot to be shut in. ``program``: its argument list, its paths as :func:`inside` gives them."""

    program: Sequence[str]
    bundle: Path
    limits: Limits
    uid: int | None


@dataclass(frozen=True, slots=True)
class Inside:
    """Where a bot finds things: its bundle, and the client for Python bots."""

    bundle: str
    client: str


def inside(kind: Kind, places: Places, bundle: Path) -> Inside:
    """The paths as the bot sees them."""
    if kind == "namespaces":
        return Inside("/bot", "/client")
    return Inside(str(bundle), str(places.client))


def seccomp_program(kind: Kind) -> bytes:
    """The system call filter of a level, for this machine."""
    return filters.program(filters.NAMESPACES if kind == "namespaces" else filters.INNER)


def command(kind: Kind, places: Places, cell: Cell, seccomp: int, status: int) -> list[str]:
    """The argument list that starts a cell. ``seccomp`` and ``status`` are descriptors that it inherits:
    one to read the filter from, one that bubblewrap tells its child on ("inner" leaves it alone)."""
    if kind == "namespaces":
        return _namespaces(places, cell, seccomp, status)
    return _inner(places, cell, seccomp)


def _namespaces(places: Places, cell: Cell, seccomp: int, status: int) -> list[str]:
    return [
        places.tool("choom"), "-n", "1000", "--",
        *_drop(places, cell.uid),
        str(places.bubblewrap), "--seccomp", str(seccomp), "--json-status-fd", str(status),
        "--unshare-user", "--disable-userns", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
        "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--hostname", "bot",
        *_environment(),
        *_file_system(places, cell),
        "--chdir", "/bot", "--",
        "/bin/sh", "-c", GATE, "gate", places.tool("prlimit"), *_prlimit(cell.limits), *cell.program,
    ]  # fmt: skip


def _drop(places: Places, uid: int | None) -> list[str]:
    """Away from root. It does not ask to die with the worker: bubblewrap does so itself, and one that
    was killed before would leave a child that waits for it for ever."""
    who = [] if uid is None else [f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all"]
    return [places.tool("setpriv"), *who, "--no-new-privs", "--"]


def _environment() -> list[str]:
    words = ["--clearenv"]
    for name, value in ENVIRONMENT.items():
        words += ["--setenv", name, value]
    return words


def _file_system(places: Places, cell: Cell) -> list[str]:
    """All of it read-only, for a file system in memory bounds its bytes but not its empty files. No /proc:
    by it a bot could write into the memory of its sandbox's own init."""
    words = ["--ro-bind", "/usr", "/usr"]
    for path in places.masked:
        words += ["--tmpfs", str(path), "--remount-ro", str(path)]
    for name in ("/lib", "/lib64", "/bin"):
        words += _like_here(Path(name))
    return [
        *words,
        "--dev", "/dev", "--remount-ro", "/dev", "--dir", "/tmp",  # noqa: S108  the sandbox's own
        "--ro-bind", str(cell.bundle), "/bot", "--ro-bind", str(places.client), "/client", "--remount-ro", "/",
    ]  # fmt: skip


def _like_here(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind", str(path), str(path)] if path.is_dir() else []


def _prlimit(limits: Limits) -> list[str]:
    names = {"RLIMIT_AS": "as", "RLIMIT_DATA": "data", "RLIMIT_NPROC": "nproc", "RLIMIT_NOFILE": "nofile",
             "RLIMIT_FSIZE": "fsize", "RLIMIT_CORE": "core", "RLIMIT_CPU": "cpu"}  # fmt: skip
    return [f"--{names[name]}={soft}:{hard}" for name, soft, hard in _numbers(limits)] + ["--"]


def _numbers(limits: Limits) -> list[tuple[str, int, int]]:
    """Each limit's name with its soft and its hard value. At the soft one of processor time the bot gets
    a signal that tells what it died of; at the hard one it would be killed without a word."""
    same = [
        ("RLIMIT_AS", limits.address_space), ("RLIMIT_DATA", limits.data), ("RLIMIT_NPROC", limits.tasks),
        ("RLIMIT_NOFILE", limits.files), ("RLIMIT_FSIZE", 0), ("RLIMIT_CORE", 0),
    ]  # fmt: skip
    every = [(name, value, value) for name, value in same if value is not None]
    return [*every, ("RLIMIT_CPU", limits.cpu_s, limits.cpu_s + 1)]


def _inner(places: Places, cell: Cell, seccomp: int) -> list[str]:
    spec: Spec = {
        "parent": os.getpid(),
        "uid": cell.uid,
        "limits": [one for one in _numbers(cell.limits) if cell.uid is not None or one[0] != "RLIMIT_NPROC"],
        "filter": seccomp,
        "read": [*_READABLE, str(cell.bundle), str(places.client)],
        "write": ["/dev/null"],
        "folder": str(cell.bundle),
        "environment": ENVIRONMENT,
        "program": list(cell.program),
    }
    return [sys.executable, "-I", "-S", "-B", str(LAUNCHER), json.dumps(spec)]
