"""Hostile bots that play on: whatever they try from inside fails, and nobody notices but their log.

Every group is tried at every level. The rival is an uploaded bot too, on the seat beside.
"""

import os
import platform
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot_runner.places import ROOT
from bot_runner.seccomp.filters import NAMESPACES
from bot_runner.seccomp.program import MACHINES
from tests.attacks import attempts
from tests.fixtures.bots import Arena, pack, play

HONEST = """
from mamenoki.sdk import Bot


class Attacker(Bot):
    def choose(self, decision):
        return "stop" if "stop" in decision.legal else decision.legal[-1]
"""
ATTEMPT = re.compile(r"^ATTEMPT (?P<name>.*) -> (?P<told>.*)$", re.MULTILINE)
REFUSALS = {
    "EPERM", "EACCES", "EROFS", "ENOENT", "ESRCH", "EAFNOSUPPORT", "ENOSYS", "ENOTTY", "ENXIO", "ENOTDIR",
    "MemoryError", "ValueError", "gaierror", "EAGAIN", "ENOMEM", "EXDEV", "EBUSY", "bounded",
}  # fmt: skip
GROUPS: dict[str, tuple[str, int]] = {
    "files": (attempts.FILES, 16),
    "links": (attempts.LINKS, 20),
    "writes": (attempts.WRITES, 38),
    "network": (attempts.NETWORK, 19),
    "processes": (attempts.PROCESSES, 11),
    "threads": (attempts.THREADS, 1),
    "memory": (attempts.MEMORY, 9),
    "others": (attempts.OTHERS, 21),
    "calls": (attempts.CALLS, 60),
    "kernel": (attempts.KERNEL, 14),
    "terminal": (attempts.TERMINAL, 5),
}
"""The text, and how many attempts it makes at least."""
ALSO_REFUSED = {"become root": "EINVAL"}
"""A user that does not exist in the sandbox."""


@pytest.fixture(scope="module")
def canary() -> Iterator[Path]:
    """A folder with a file that every user of the machine may read, and a socket that they may use."""
    folder = Path(tempfile.mkdtemp(prefix="mamenoki-canary-"))
    (folder / "deep").mkdir()
    for place in (folder, folder / "deep"):
        place.chmod(0o755)
    (folder / "deep" / "canary").write_text("canary")
    yield folder / "deep" / "canary"
    shutil.rmtree(folder)


@contextmanager
def listeners(folder: Path) -> Iterator[dict[str, object]]:
    """Servers that really listen."""
    path, abstract = folder / "socket", f"mamenoki-attack-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as by_path,
        socket.socket(socket.AF_UNIX) as by_name,
    ):
        by_path.bind(str(path))
        path.chmod(0o777)
        by_name.bind("\0" + abstract)
        for one in (by_path, by_name):
            one.listen()
        yield {"PORT": tcp.getsockname()[1], "PATH": str(path), "ABSTRACT": abstract}
    path.unlink()


def numbers() -> dict[str, int]:
    """The calls that are always denied, by this machine's numbers."""
    known = MACHINES[platform.machine()].calls
    names = [name for rule in NAMESPACES if rule.argument is None for name in rule.calls]
    return {name: known[name] for name in names if name in known}


def constants(arena: Arena, canary: Path, rival: int, other: Path) -> dict[str, object]:
    known = MACHINES[platform.machine()].calls
    return {
        "WORKER": os.getpid(),
        "RIVAL": rival,
        "OURS": str(ROOT / "bot_runner" / "runner.py"),
        "OTHER": str(other / "bot.py"),
        "CANARY": str(canary),
        "OWN_PROCESSES": arena.kind == "namespaces",
        "CLONE": known["clone"],
        "SHMGET": known["shmget"],
        "SEMGET": known["semget"],
        "MSGGET": known["msgget"],
        "MQ_OPEN": known["mq_open"],
        "PTRACE": known["ptrace"],
        "VM_READ": known["process_vm_readv"],
        "VM_WRITE": known["process_vm_writev"],
        "KCMP": known["kcmp"],
        "NUMBERS": numbers(),
    }


@pytest.mark.parametrize("name", GROUPS)
async def test_fails(arena: Arena, canary: Path, name: str) -> None:
    text, count = GROUPS[name]
    rival = arena.bot(pack({"bot.py": HONEST}), 1)
    (other,) = (
        path.parent for path in (arena.folder / "bundles").glob("*/*/bot.py") if path.read_text() == HONEST
    )
    with listeners(canary.parent) as known:
        every = {**constants(arena, canary, rival.pid, other), **known}
        lines = [f"{key} = {value!r}" for key, value in every.items()]
        attacker = arena.bot(pack({"bot.py": attempts.PREAMBLE + "\n".join(lines) + text}))
        played = await play(attacker, rival)
    log = attacker.log.text()
    assert played.died == {}, log
    assert played.outcome.forfeits == {}
    told = {match["name"]: match["told"] for match in ATTEMPT.finditer(log)}
    assert len(told) >= count, log
    assert {
        what: how for what, how in told.items() if how not in REFUSALS and how != ALSO_REFUSED.get(what)
    } == {}


INHERITED = """
def attack():
    import os, stat
    files = [fd for fd in range(64) if is_open(fd)]
    print("ENVIRONMENT", sorted(os.environ))
    print("FILES", [(fd, stat.S_ISFIFO(os.fstat(fd).st_mode)) for fd in files])
    print("ARGUMENTS", sys.orig_argv)
    attempt("processes", lambda: os.listdir("/proc"))
    attempt("its own init", lambda: read("/proc/1/environ"))

def is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
"""


async def test_inherits_nothing(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the worker's environment, files and processes nothing is seen."""
    monkeypatch.setenv("MAMENOKI_SERVICE_TOKEN", "mk_secret")
    leaked = os.open("/etc/passwd", os.O_RDONLY)
    os.set_inheritable(leaked, True)
    try:
        attacker = arena.bot(pack({"bot.py": attempts.PREAMBLE + INHERITED}))
        await play(attacker, arena.bot(pack({"bot.py": HONEST}), 1))
    finally:
        os.close(leaked)
    log = attacker.log.text()
    names = re.search(r"ENVIRONMENT (.*)", log)
    assert names, log
    assert set(re.findall(r"'(\w+)'", names[1])) <= {"PATH", "HOME", "LANG", "PWD", "LC_CTYPE"}
    # 0 to 2, and the two that the client keeps for the match.
    assert re.search(r"FILES \[\(0, False\), \(1, True\), \(2, True\), \(3, True\), \(4, True\)\]", log), log
    assert "secret" not in log
    assert {match["told"] for match in ATTEMPT.finditer(log)} <= {"ENOENT", "EACCES"}


async def test_seeds_cannot_be_guessed(arena: Arena) -> None:
    """Two bots of one bundle draw apart, and neither's hashes are those of another run."""
    text = "\ndef attack():\n    import random\n    print('DRAWN', random.random(), hash('a'), random.random())\n"
    bundle = pack({"bot.py": attempts.PREAMBLE + text})
    bots = arena.bot(bundle, 0), arena.bot(bundle, 1)
    await play(*bots)
    drawn = [re.findall(r"DRAWN (\S+) (\S+) (\S+)", bot.log.text())[0] for bot in bots]
    assert all(one != other for one, other in zip(*drawn, strict=True))


THINKER = """
def attack():
    threading.Thread(target=think, daemon=True).start()

def think():
    last, widest = time.monotonic(), 0.0
    while True:
        now = time.monotonic()
        if now - last > 0.5:
            print("GAP", int((now - last) * 1000))
        last = now
        time.sleep(0.001)
"""
SLEEPER = """
import time
from mamenoki.sdk import Bot


class Attacker(Bot):
    def choose(self, decision):
        time.sleep(0.8 if decision.id <= 2 else 0)
        return "stop" if "stop" in decision.legal else decision.legal[-1]
"""


async def test_does_not_think_on_the_rivals_time(arena: Arena) -> None:
    attacker = arena.bot(pack({"bot.py": attempts.PREAMBLE + THINKER}))
    await play(attacker, arena.bot(pack({"bot.py": SLEEPER}), 1))
    assert "GAP" in attacker.log.text(), "its thread ran while the rival was thinking"


async def test_what_it_logs_is_text(arena: Arena) -> None:
    """Escapes, forged lines, markup and junk are data: shown as they are, obeyed by nobody."""
    text = (
        "\ndef attack():\n"
        "    os.write(2, b'\\x1b[2J\\x1b]0;owned\\x07<script>alert(1)</script>\\r2026 ERROR forged\\x00\\xff\\xfe=1+1\\n')\n"
        "    os.write(2, '\\u202eevil\\u2028\\x9b2J'.encode() + b'\\n')\n"
    )
    attacker = arena.bot(pack({"bot.py": attempts.PREAMBLE + text}))
    await play(attacker, arena.bot(pack({"bot.py": HONEST}), 1))
    log = attacker.log.text()
    assert "\\x1b[2J\\x1b]0;owned\\x07<script>alert(1)</script>\\r2026 ERROR forged\\x00\\xff\\xfe=1+1" in log
    assert "\\u202eevil\\u2028\\x9b2J" in log
    assert all(sign.isprintable() or sign == "\n" for sign in log)


async def test_names_are_no_flags(arena: Arena) -> None:
    bundle = pack({"--help.py": HONEST}, entry="--help.py:Attacker")
    played = await play(
        arena.bot(bundle), arena.bot(pack({"$(reboot); x.py": HONEST}, entry="$(reboot); x.py:Attacker"), 1)
    )
    assert (played.died, played.outcome.forfeits) == ({}, {})
