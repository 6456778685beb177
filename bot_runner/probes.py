"""Whether this machine shuts bots in as a level promises: tried for real, before any bot runs.

A level that does not hold is refused with what went through or what is missing, and how to
get it. Nothing weaker is ever taken instead.
"""

import json
import os
import secrets
import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot_runner.errors import SandboxBroke, SandboxMissing
from bot_runner.inside.probe import Bait
from bot_runner.languages import LANGUAGES
from bot_runner.levels import Cell, Kind, inside
from bot_runner.log import clean
from bot_runner.places import ROOT, Places
from bot_runner.process import Process

PROBE = Path(__file__).parent / "inside" / "probe.py"
PATIENCE_S = 20.0
STILL_S = 0.05
SECRETS = ("/etc/shadow", "/etc/passwd", "/root/.bashrc")
PLACES = ("/", "/usr", "/etc", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/run", "/bot", "/client")  # noqa: S108  not to be written to

_UBUNTU = "Ubuntu: allow bwrap user namespaces by an AppArmor profile with `userns,`"
_CONTAINER = (
    "the machine, or a container's seccomp profile, allows no user namespaces: allow them, or use the level inner "
    "with one container a match"
)
_RIGHTS = "root may not change its user here: give the container the capabilities SETUID and SETGID"
_HINTS = (
    ("setting up uid map", _UBUNTU),
    ("RTM_NEWADDR", _UBUNTU),
    ("setresuid", _RIGHTS),
    ("setgroups", _RIGHTS),
    ("Unknown option", "bubblewrap is too old; 0.8 or newer is needed"),
    ("has no Landlock", "Linux 5.13 or newer with Landlock is needed"),
    ("No permissions to create new namespace", _CONTAINER),
    ("Operation not permitted", _CONTAINER),
)
"""What the sandbox's program says, and what helps; the first that fits is told."""


def check(kind: Kind, places: Places, uid: int | None) -> None:
    """SandboxMissing unless every promise of the level holds for a bot that runs as ``uid``."""
    interpreter = places.interpreter("python3")
    if interpreter is None:
        raise SandboxMissing("no python3 below /usr, where bots would find it: install python3")
    with _bundle(places) as bundle, _baits(kind, places, uid) as bait:
        program = [
            interpreter,
            "-I",
            "-B",
            inside(kind, places, bundle).bundle + "/probe.py",
            json.dumps(bait),
        ]
        process = Process(kind, places, Cell(program, bundle, LANGUAGES["python"].limits, uid))
        try:
            broken = _try(process)
        finally:
            _end(process)
    if broken:
        told = "; ".join(f"{promise}: {what}" for promise, what in sorted(broken.items()))
        raise SandboxMissing(f"the level {kind} does not hold on this machine: {told}")


def _try(process: Process) -> dict[str, str]:
    try:
        process.begin_now()
    except SandboxBroke as error:
        raise SandboxMissing(f"{error}: {_why_not(process)}") from error
    told = _line(process, PATIENCE_S)
    if told is None:
        raise SandboxMissing(_why_not(process))
    findings: dict[str, str] = json.loads(told)
    return {promise: what for promise, what in (findings | _pausing(process)).items() if what}


def _why_not(process: Process) -> str:
    process.kill()
    process.gone_now()
    said = clean(os.read(process.stderr, 4096)).strip() or "nothing was said"
    hint = next((f" ({hint})" for sign, hint in _HINTS if sign in said), "")
    return f"no sandbox starts on this machine: {said[-600:]}{hint}"


def _pausing(process: Process) -> dict[str, str]:
    process.stop()
    _drain(process)
    ran_on = _line(process, STILL_S) is not None
    process.resume()
    if ran_on:
        return {"pausing": "a stopped bot ran on"}
    return {"pausing": "" if _line(process, PATIENCE_S) else "a stopped bot did not run again"}


def _drain(process: Process) -> None:
    """What it wrote before it stopped; a pipe holds 64 KiB."""
    until = time.monotonic() + STILL_S
    while time.monotonic() < until and select.select([process.stdout], [], [], 0.01)[0]:
        os.read(process.stdout, 64 << 10)


def _line(process: Process, seconds: float) -> bytes | None:
    """Some whole lines that begin with its next one; None if none comes in time or it has ended."""
    until = time.monotonic() + seconds
    told = b""
    while b"\n" not in told:
        if not select.select([process.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
            return None
        part = os.read(process.stdout, 64 << 10)
        if not part:
            return None
        told += part
    return told.splitlines()[0]


def _end(process: Process) -> None:
    process.kill()
    gone = process.gone_now()
    for fd in (process.stdin, process.stdout, process.stderr):
        os.close(fd)
    process.close()
    if not gone:
        raise SandboxMissing("a killed bot does not end on this machine")


@contextmanager
def _bundle(places: Places) -> Iterator[Path]:
    folder = places.folder / f"probe-{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir(mode=0o755)
    try:
        (folder / PROBE.name).write_bytes(PROBE.read_bytes())
        (folder / PROBE.name).chmod(0o444)
        yield folder
    finally:
        (folder / PROBE.name).unlink(missing_ok=True)
        folder.rmdir()


@contextmanager
def _baits(kind: Kind, places: Places, uid: int | None) -> Iterator[Bait]:
    canary = places.folder / f"canary-{os.getpid()}-{secrets.token_hex(4)}"
    name = f"mamenoki-probe-{secrets.token_hex(8)}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0" + name)
        abstract.listen()
        canary.write_text("a file that every user of the machine may read")
        canary.chmod(0o444)
        try:
            yield _bait(kind, places, uid, tcp.getsockname()[1], name, canary)
        finally:
            canary.unlink()


def _bait(kind: Kind, places: Places, uid: int | None, port: int, name: str, canary: Path) -> Bait:
    limits = LANGUAGES["python"].limits
    ours = (canary, ROOT / "bot_runner" / "__init__.py", ROOT / "storage" / "__init__.py")
    own_processes = kind == "namespaces"
    return {
        "port": port,
        "abstract": name,
        "secrets": [
            *SECRETS,
            *([] if own_processes else ["/proc/1/environ"]),
            f"/proc/{os.getpid()}/environ",
            *map(str, ours),
        ],
        "places": [*PLACES, str(places.folder)],
        "worker": os.getpid(),
        "uid": uid,
        "own_processes": own_processes,
        "tasks": limits.tasks if own_processes or uid is not None else None,
    }
