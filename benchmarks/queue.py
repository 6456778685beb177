"""What Celery costs: batches of a hundred matches through the real queue, worker, engine and database."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.request import urlopen

from benchmarks.table import Ratio
from mamenoki.serve.stack import free_port
from mamenoki.serve.valkey import Valkey, prepare
from scheduler.app import make_app
from scheduler.ladders import enter_house, open_ladder
from scheduler.settings import read
from scheduler.tables import plan_tables
from storage import ladders
from storage.database import Database

BATCH = 100
BATCHES = 10
PATIENCE_S = 600.0
DONE = 'mamenoki_tasks_total{end="success",task="play_batch"}'


class _House(NamedTuple):
    """A house bot."""

    name: str
    program: str = "random"  # thinks for as short as any can: what is left is the way there and back
    settings: Mapping[str, object] = MappingProxyType({})


def run() -> list[Ratio]:
    """The share of a task's life that is not spent on its matches: the queue, Celery, the hand-over."""
    with (
        tempfile.TemporaryDirectory(prefix="mamenoki-bench-") as folder,
        Valkey(prepare(Path(folder))) as valkey,
    ):
        database = Database(f"sqlite:///{folder}/bench.sqlite3")
        database.migrate()
        batches = _planned(database)
        environment, port = _environment(folder, valkey.url)
        with _process("mamenoki.serve.engine", environment), _process("scheduler.worker", environment):
            elapsed, playing = _played(valkey.url, batches, port)
        database.close()
    overhead = elapsed - playing
    return [
        Ratio(f"queue: overhead of {BATCHES} tasks of {BATCH} matches", "s", overhead, elapsed, most=0.05)
    ]


def _planned(database: Database) -> list[list[str]]:
    """The batches, and one before them in which everything is loaded and connected."""
    with database.transaction() as tx:
        ladder = open_ladder(tx, "mushi", name="bench", settings={"turn_limit": 12})  # some sixty moves
        ladders.set_open(tx, ladder.id, False)
        enter_house(tx, ladder, [_House("one"), _House("two")])
        seats = [(one.player_id, one.version_id) for one in ladders.entrants(tx, ladder.id)]
        return [plan_tables(tx, ladder, [seats] * BATCH) for _ in range(BATCHES + 1)]


def _played(redis_url: str, batches: list[list[str]], port: int) -> tuple[float, float]:
    """(seconds for all batches but the first, seconds of these with the engine)."""
    app = make_app(read(redis_url=redis_url))
    _send(app, batches[:1])
    before = _wait(port, 1)
    began = time.monotonic()
    _send(app, batches[1:])
    after = _wait(port, 1 + BATCHES)
    return time.monotonic() - began, _playing(after) - _playing(before)


def _send(app: object, batches: list[list[str]]) -> None:
    for ids in batches:
        app.send_task("mamenoki.play_batch", (ids,), queue="play")  # type: ignore[attr-defined]  # Celery's


def _wait(port: int, tasks: int) -> dict[str, float]:
    deadline = time.monotonic() + PATIENCE_S
    while (figures := _figures(port)).get(DONE, 0) < tasks:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{tasks} batches were not played in {PATIENCE_S} s")
        time.sleep(0.01)
    return figures


def _playing(figures: dict[str, float]) -> float:
    return figures.get("mamenoki_play_seconds_total", 0.0)


def _figures(port: int) -> dict[str, float]:
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            lines = answer.read().decode().splitlines()
    except OSError:
        return {}
    return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def _environment(folder: str, redis_url: str) -> tuple[dict[str, str], int]:
    port = free_port(0)
    settings = {
        "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
        "REDIS_URL": redis_url,
        "MAMENOKI_PUBLIC_ADDRESS": f"127.0.0.1:{free_port(0)}",
        "MAMENOKI_INTERNAL_ADDRESS": f"127.0.0.1:{free_port(0)}",
        "MAMENOKI_ENGINE_METRICS_ADDRESS": "",
        "MAMENOKI_WORKER_METRICS_ADDRESS": f"127.0.0.1:{port}",
        "MAMENOKI_WORKER_PROCESSES": "1",
        "MAMENOKI_SERVICE_TOKEN": "of-this-run",
        "MAMENOKI_LOG_LEVEL": "ERROR",
    }
    return {**os.environ, **settings}, port


@contextmanager
def _process(module: str, environment: dict[str, str]) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", module],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
