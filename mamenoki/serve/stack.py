"""All the processes of the service on one machine, in one folder: what a laptop, a demo and the fault tests run."""

import fcntl
import json
import os
import secrets
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from mamenoki.serve.processes import Process, Supervisor
from mamenoki.serve.valkey import is_ready, prepare

ROOT = Path(__file__).resolve().parents[2]
READY_WITHIN = 60.0
PYTHON = (sys.executable, "-P", "-m")
WANTED_PORTS = {"public": 8450, "internal": 8451, "web": 8452}


class StackError(RuntimeError):
    """The stack cannot run here; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a running stack are, as its state file says."""

    public_address: str
    internal_address: str
    web_address: str
    database_url: str
    redis_url: str


class Stack:
    """Valkey, engine, workers, beat and web page, kept alive until :meth:`stop`.

    ``home`` holds the database, Valkey's folder, logs and ``state.json``; one stack a
    folder. DATABASE_URL and REDIS_URL in ``environment`` name real servers in place of
    SQLite and the embedded Valkey. ``overrides`` are settings, such as
    ``{"MAMENOKI_LEASE_MS": "3000"}``. Use it from the main thread.
    """

    def __init__(
        self, home: Path, environment: Mapping[str, str], overrides: Mapping[str, str] | None = None
    ) -> None:
        self.home = home.resolve()
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.home / "logs").mkdir(exist_ok=True)
        self.supervisor = Supervisor()
        self._valkey = None if environment.get("REDIS_URL") else prepare(self.home / "valkey")
        database = f"sqlite:///{self.home / 'mamenoki.sqlite3'}"
        ports = {name: free_port(port) for name, port in self._wanted_ports().items()}
        self.places = Places(
            public_address=f"127.0.0.1:{ports['public']}",
            internal_address=f"127.0.0.1:{ports['internal']}",
            web_address=f"127.0.0.1:{ports['web']}",
            database_url=environment.get("DATABASE_URL") or database,
            redis_url=environment.get("REDIS_URL") or (self._valkey.url if self._valkey else ""),
        )
        self.environment = {**environment, **self._settings(), **(overrides or {})}

    def _wanted_ports(self) -> dict[str, int]:
        """The ports of the last time in this folder, so that bots find their way back."""
        try:
            last = json.loads((self.home / "ports.json").read_text())
            return {name: int(last[name]) for name in WANTED_PORTS}
        except (OSError, ValueError, KeyError, TypeError):
            return WANTED_PORTS

    def _settings(self) -> dict[str, str]:
        return {
            "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
            "PYTHONUNBUFFERED": "1",
            "DATABASE_URL": self.places.database_url,
            "REDIS_URL": self.places.redis_url,
            "MAMENOKI_HOME": str(self.home),
            "MAMENOKI_PUBLIC_ADDRESS": self.places.public_address,
            "MAMENOKI_INTERNAL_ADDRESS": self.places.internal_address,
            "MAMENOKI_WEB_ADDRESS": self.places.web_address,
            "MAMENOKI_ENGINE_METRICS_ADDRESS": f"127.0.0.1:{free_port(8460)}",
            "MAMENOKI_WORKER_METRICS_ADDRESS": f"127.0.0.1:{free_port(8461)}",
            "MAMENOKI_WEB_METRICS_ADDRESS": f"127.0.0.1:{free_port(8462)}",
            "MAMENOKI_SERVICE_TOKEN": secrets.token_urlsafe(32),
            "MAMENOKI_MULTIPROCESS_DIR": str(self.home / "metrics"),
        }

    def start(self) -> None:
        """Starts every part and returns when all answer. The database's tables must be there.

        StackError, with the last of its log, for a part that does not come up.
        """
        if self._valkey is not None:
            self._launch("valkey", *self._valkey.command, is_base=True)
            self._wait("valkey", lambda: is_ready(self.places.redis_url))
        self._launch("engine", *PYTHON, "mamenoki.serve.engine", grace=35.0)
        self._launch("worker", *PYTHON, "scheduler.worker", grace=40.0)
        self._launch("beat", *PYTHON, "scheduler.beat")
        self._launch("web", *PYTHON, "mamenoki.serve.web")
        self._wait("engine", lambda: listens(self.places.internal_address))
        self._wait("web", lambda: listens(self.places.web_address))
        self._write_state()

    def tend(self) -> None:
        """Starts again what has died; call it often."""
        self.supervisor.tend()

    def stop(self) -> None:
        """Ends everything, in order, and removes the state file."""
        self.supervisor.stop()
        (self.home / "state.json").unlink(missing_ok=True)

    def process(self, name: str) -> Process:
        return next(process for process in self.supervisor.processes if process.name == name)

    def _launch(self, name: str, *command: str, grace: float = 10.0, is_base: bool = False) -> None:
        log = self.home / "logs" / f"{name}.log"
        self.supervisor.add(Process(name, command, self.environment, log, grace, is_base))

    def _wait(self, name: str, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while not ready():
            self.tend()
            process = self.process(name)
            if process.starts > 3 or time.monotonic() > deadline:
                tail = process.log.read_text(errors="replace").splitlines()[-12:]
                raise StackError(f"{name} did not come up; the end of {process.log}:\n" + "\n".join(tail))
            time.sleep(0.02)

    def _write_state(self) -> None:
        places = self.places
        addresses = (places.public_address, places.internal_address, places.web_address)
        ports = (int(address.rpartition(":")[2]) for address in addresses)
        self._write("ports.json", dict(zip(WANTED_PORTS, ports, strict=True)))
        self._write("state.json", {**asdict(places), "pid": os.getpid()})

    def _write(self, name: str, content: Mapping[str, object]) -> None:
        draft = self.home / f"{name}.new"
        draft.write_text(json.dumps(content, indent=2))
        draft.replace(self.home / name)


@contextmanager
def sole_user(home: Path) -> Iterator[None]:
    """Holds the folder; StackError if a running stack has it."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (home / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StackError(
                f"a stack is running in {home} (process {holder(home)}); stop it, or name another folder "
                "with MAMENOKI_HOME"
            ) from None
        yield


def holder(home: Path) -> str:
    try:
        return str(json.loads((home / "state.json").read_text())["pid"])
    except (OSError, ValueError, KeyError):
        return "unknown"


def free_port(wanted: int) -> int:
    """The wanted port of the loopback if nobody has it, else any free one."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise StackError("no port of 127.0.0.1 is free")


def listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=1):
            return True
    except OSError:
        return False
