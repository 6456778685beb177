"""Real processes around a real engine: workers and beats as the product starts them."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scheduler import ladders, leagues
from storage import ladders as ladder_rows
from storage import leagues as league_rows
from storage import results
from storage.database import Database
from storage.ladders import LadderRow
from storage.leagues import RoundRow
from tests.fixtures.engine import SERVICE_TOKEN, SHORT, MakeEngine, RunningEngine, until

EVERY_SECOND = "* * * * * *"


class HouseBot(NamedTuple):
    name: str
    program: str
    settings: dict[str, Any]


ROSTER = [HouseBot(f"random-{number}", "random", {}) for number in range(12)]


@dataclass
class Processes:
    """Child processes of one test, with their output in its folder."""

    folder: Path
    environment: dict[str, str]
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, module: str, **environment: str) -> subprocess.Popen[bytes]:
        """``python -m module`` in a session of its own."""
        with (self.folder / f"{module}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module],
                env={**self.environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.running.append(process)
        return process

    def stop(self) -> None:
        """SIGTERM to all that still run, SIGKILL after ten seconds, to each with its children."""
        for process in self.running:
            process.send_signal(signal.SIGTERM)
        for process in self.running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def logs(self) -> str:
        """The end of what all of them said."""
        return "\n".join(f"--- {log.name}\n{log.read_text()[-4000:]}" for log in self.folder.glob("*.log"))


@dataclass
class Stack:
    """An engine, its database, and processes that know both and a Valkey."""

    engine: RunningEngine
    database: Database
    processes: Processes
    redis_url: str
    ladder: LadderRow
    metrics_port: int

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        return self.processes.start("scheduler.worker", **environment)

    def beat(self) -> subprocess.Popen[bytes]:
        return self.processes.start("scheduler.beat")

    def league(self, tables_each: int, rounds: int = 1, seats: int = 4, cron: str = EVERY_SECOND) -> int:
        """A league of the whole roster; its season's id."""
        with self.database.transaction() as tx:
            league = leagues.create_league(
                tx,
                "test",
                self.ladder.name,
                cron_line=cron,
                zone="Europe/Berlin",
                seats=seats,
                tables_each=tables_each,
                rounds=rounds,
            )
            players = ladders.enter_house(tx, self.ladder, ROSTER)
            return leagues.open_season(tx, league, players).id

    def rounds(self, season: int) -> list[RoundRow]:
        with self.database.reading() as tx:
            return league_rows.rounds(tx, season)

    def played(self, round_id: int | None = None) -> list[results.PlayedRow]:
        with self.database.reading() as tx:
            return results.recent(tx, self.ladder.id, None, 10_000, round_id=round_id)

    async def until(self, condition: Callable[[], Any], seconds: float = 60.0) -> Any:
        """Like the engine's ``until``, telling what the processes said if it fails."""
        try:
            return await until(condition, seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.processes.logs()}") from error


MakeStack = Callable[..., Awaitable[Stack]]


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    """All are ended with the test, by their ids."""
    folder = tmp_path / "processes"
    folder.mkdir()
    environment = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    environment["PYTHONPATH"] = str(Path(__file__).parents[3])
    started = Processes(folder, environment)
    yield started
    started.stop()


@pytest.fixture
def make_stack(processes: Processes, make_engine: MakeEngine) -> MakeStack:
    """Makes the stack on a database and a Valkey; the tables are short ones of mushi."""

    async def make(
        url: str, database: Database, redis_url: str, *, open_ladder: bool = False, **engine: Any
    ) -> Stack:
        running = await make_engine(database, redis_url=redis_url, **engine)
        with database.transaction() as tx:
            ladder = ladders.open_ladder(tx, "mushi", name="test", settings=SHORT)
            ladder_rows.set_open(tx, ladder.id, open_ladder)
        port = _free_port()
        processes.environment |= {
            "DATABASE_URL": url,
            "REDIS_URL": redis_url,
            "MAMENOKI_INTERNAL_ADDRESS": running.internal,
            "MAMENOKI_SERVICE_TOKEN": SERVICE_TOKEN,
            "MAMENOKI_WORKER_METRICS_ADDRESS": f"127.0.0.1:{port}",
            "MAMENOKI_TICK_MS": "200",
            "MAMENOKI_PLAN_MS": "300",
            "MAMENOKI_RESEND_MS": "2000",
        }
        return Stack(running, database, processes, redis_url, ladder, port)

    return make


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
