"""Any part of a running service killed, frozen, wiped: nothing is lost, nothing counts twice, nothing is left behind."""

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mamenoki.operate.gameday.day import Plan, play
from mamenoki.operate.gameday.ground import GroundError, own_stack, running_stack
from mamenoki.operate.gameday.processes import owned_by
from tests.fixtures import postgres

SHORT = (
    "kill engine", "kill worker", "kill worker's child", "kill beat", "kill valkey", "freeze engine",
    "deliver twice", "lock database",
)  # fmt: skip
MINUTES, TABLES = 20, 20_000


@pytest.fixture(autouse=True)
def no_servers_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.timeout(600)
def test_a_short_gameday(tmp_path: Path) -> None:
    home = tmp_path / "home"
    said: list[str] = []
    few = {"MAMENOKI_LEASE_MS": "2000", "MAMENOKI_PLANNED_MOST": "12", "MAMENOKI_BATCH": "6"}
    with own_stack(home, few) as ground:
        with running_stack(home) as seen:  # as whoever did not start it finds it
            assert seen.part("engine") == ground.part("engine") is not None
            assert seen.settings["MAMENOKI_SERVICE_TOKEN"] == ground.settings["MAMENOKI_SERVICE_TOKEN"]
        verdict = play(ground, Plan(seed=7, seconds=0, each=1, faults=SHORT), said.append)
    assert verdict.good, (verdict, said)
    assert verdict.faults == dict.fromkeys(SHORT, 1), said
    assert owned_by(home) == []
    assert lives(home) > 0


def test_a_database_in_use_is_no_place_for_one(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    with pytest.raises(GroundError, match="has tables"), own_stack(tmp_path / "home", {}):
        pass


def lives(home: Path) -> int:
    """How many tables' whole lives, from plan to rating, can be read in the logs by their ids."""
    events: dict[str, set[str]] = {}
    for log in (home / "logs").glob("*.log"):
        for line in log.read_text(errors="replace").splitlines():
            if line.startswith("{") and line.endswith("}"):  # a killed process may leave half a line
                said = json.loads(line)
                for table in [said["table"]] if "table" in said else said.get("tables") or ():
                    events.setdefault(table, set()).add(said["event"])
    whole = {"planned", "sent", "claimed", "finished", "rated"}
    return sum(1 for seen in events.values() if whole <= seen)


class Server:
    """A PostgreSQL server that comes back when it is killed, for as long as it is looked after."""

    def __init__(self, root: Path) -> None:
        self.data = root / "data"
        self._binaries = postgres._binaries(root)
        self._user = postgres._server_user()
        self._log = (root / "server.log").open("ab")
        self._server: subprocess.Popen[bytes] | None = None
        self.data.mkdir(mode=0o700)
        if self._user is not None:
            root.chmod(0o711)
            os.chown(self.data, self._user, -1)
        self._run(
            "initdb", "--no-instructions", "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "postgres"
        ).wait()
        self.tend()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.data}"

    @property
    def restart(self) -> tuple[str, ...]:
        """Ends it as a crash would; it recovers from its log."""
        return ("sh", "-c", f"kill -QUIT $(head -n 1 {self.data}/postmaster.pid)")

    def tend(self) -> None:
        if self._server is None or self._server.poll() is not None:
            self._server = self._run("postgres", "-k", str(self.data), "--listen_addresses=")

    def stop(self) -> None:
        assert self._server is not None
        self._server.send_signal(signal.SIGINT)
        self._server.wait(30)
        self._log.close()

    def _run(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        command = [str(self._binaries / program), *words, "-D", str(self.data)]
        return subprocess.Popen(
            command, user=self._user, extra_groups=None if self._user is None else [], cwd="/",
            stdout=self._log, stderr=self._log, preexec_fn=postgres._die_with_parent,
        )  # fmt: skip


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="mamenoki-pg-", dir=postgres._short_tmp()) as folder:
        running = Server(Path(folder))
        yield running
        running.stop()


@pytest.mark.slow
@pytest.mark.timeout(3 * 60 * MINUTES + 900)
def test_a_long_gameday_on_postgresql(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every fault, the database's own crash among them, from a seed that is printed."""
    monkeypatch.setenv("DATABASE_URL", server.url)
    minutes = float(os.environ.get("GAMEDAY_MINUTES", MINUTES))
    tables = int(os.environ.get("GAMEDAY_TABLES", TABLES))
    plan = Plan(seed=int(time.time()), seconds=60 * minutes, tables=tables)
    with capsys.disabled(), own_stack(tmp_path / "home", {}, server.restart) as ground:
        print(f"gameday: seed {plan.seed}")
        stack = ground.tend

        def tend() -> None:
            server.tend()
            stack()

        ground.tend = tend
        verdict = play(ground, plan, print)
        print(verdict)
    assert verdict.good
    assert verdict.done >= tables
    assert {"restart database", "cut database"} <= verdict.faults.keys()
    assert owned_by(tmp_path / "home") == []
