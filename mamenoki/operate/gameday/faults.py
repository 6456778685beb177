"""What a gameday does to a stack. Every fault heals by itself; none is a way to lose data but through a bug.

A fault says in a few words what it did; an empty text: it could not be done here, as where
the stack has no such part.
"""

import contextlib
import shlex
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import redis
from kombu.exceptions import OperationalError

from mamenoki.operate.gameday import processes
from mamenoki.operate.gameday.ground import Ground, GroundError
from scheduler.app import make_app
from scheduler.settings import read
from storage import figures, jobs, outages
from storage.errors import StorageError

Fault = Callable[[Ground, Random], str]

SKEWED = Path(__file__).parent / "skewed"
HOUR = 3600
LEASES = 2
COPIES = 3
RESTART_S = 60


def _kill(name: str) -> Fault:
    def kill(ground: Ground, _dice: Random) -> str:
        found = ground.part(name)
        if found is None or not found.send(signal.SIGKILL):
            return ""
        return f"kill -9 of the {name} (pid {found.pid})"

    return kill


def _kill_child(ground: Ground, dice: Random) -> str:
    """One of the worker's children, with the table in its hands."""
    worker = ground.part("worker")
    children = processes.with_children(worker)[1:] if worker else []
    if not children or not (child := dice.choice(children)).send(signal.SIGKILL):
        return ""
    return f"kill -9 of a worker's child (pid {child.pid})"


def _end(name: str) -> Fault:
    def end(ground: Ground, _dice: Random) -> str:
        found = ground.part(name)
        if found is None or not found.send(signal.SIGTERM):
            return ""
        return f"SIGTERM to the {name} (pid {found.pid})"

    return end


def _freeze(name: str) -> Fault:
    def freeze(ground: Ground, _dice: Random) -> str:
        """It wakes up believing that it still holds its tables."""
        found = ground.part(name)
        if found is None:
            return ""
        seconds = LEASES * lease_s(ground)
        family = processes.with_children(found)
        processes.stop_all(family)
        try:
            ground.wait(seconds)
        finally:
            processes.continue_all(family)
        return f"the {name} stopped for {seconds:.0f} s, {LEASES} leases"

    return freeze


def _wipe(ground: Ground, _dice: Random) -> str:
    try:
        with redis.Redis.from_url(ground.places.redis_url, socket_timeout=5) as client:
            client.flushdb()
    except (redis.RedisError, OSError):
        return ""
    return "Valkey wiped"


def _deliver_twice(ground: Ground, _dice: Random) -> str:
    """Messages for tables in every state, and for jobs, some of them under one and the same id."""
    with ground.database.reading() as tx:
        tables, waiting = figures.some_tables(tx, 50), [job.id for job in jobs.due(tx, 50, 0)]
    app = make_app(read(redis_url=ground.places.redis_url))
    try:
        for copy in range(COPIES):
            same = f"gameday-{tables[0]}" if tables and copy else None
            app.send_task("mamenoki.play_batch", (tables,), task_id=same, retry=False)
            app.send_task("mamenoki.follow_up", (waiting,), retry=False)
    except OperationalError:  # Valkey is down from an earlier fault
        return ""
    finally:
        app.close()
    return f"{COPIES} deliveries of {len(tables)} tables and {len(waiting)} jobs"


def _second_beat(ground: Ground, _dice: Random) -> str:
    with ground.beside("scheduler.beat"):
        ground.wait(5)
    return "a second beat for 5 s"


def _skewed_worker(ground: Ground, dice: Random) -> str:
    """One more worker, whose clock is an hour fast or slow."""
    skew = dice.choice((-HOUR, HOUR))
    path = f"{SKEWED}:{ground.settings.get('PYTHONPATH', '')}"
    quiet = {"MAMENOKI_WORKER_METRICS_ADDRESS": "", "MAMENOKI_MULTIPROCESS_DIR": ""}
    with ground.beside("scheduler.worker", PYTHONPATH=path, MAMENOKI_SKEW_S=str(skew), **quiet):
        ground.wait(10)
    return f"one more worker for 10 s, its clock {skew:+d} s, then kill -9"


def _lock_database(ground: Ground, _dice: Random) -> str:
    with outages.locked(ground.database):
        ground.wait(5)
    return "nobody could write to the database for 5 s"


def _cut_database(ground: Ground, _dice: Random) -> str:
    ended = outages.cut(ground.database)
    return f"{ended} connections to PostgreSQL cut" if ended else ""


def _restart_database(ground: Ground, _dice: Random) -> str:
    if not ground.restart_database:
        return ""
    command = shlex.join(ground.restart_database)
    try:
        subprocess.run(
            ground.restart_database,
            check=True,
            timeout=RESTART_S,
            capture_output=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise GroundError(f"`{command}` did not restart the database: {error}") from error
    return f"`{command}`"


def lease_s(ground: Ground) -> float:
    """The lease of this stack's tables."""
    return int(ground.settings.get("MAMENOKI_LEASE_MS", "30000")) / 1000


FAULTS: Mapping[str, Fault] = {
    "kill engine": _kill("engine"),
    "kill worker": _kill("worker"),
    "kill worker's child": _kill_child,
    "kill beat": _kill("beat"),
    "kill web": _kill("web"),
    "kill valkey": _kill("valkey"),
    "end engine": _end("engine"),
    "end worker": _end("worker"),
    "freeze engine": _freeze("engine"),
    "freeze worker": _freeze("worker"),
    "wipe valkey": _wipe,
    "deliver twice": _deliver_twice,
    "second beat": _second_beat,
    "skewed worker": _skewed_worker,
    "lock database": _lock_database,
    "cut database": _cut_database,
    "restart database": _restart_database,
}
"""By name, as ``--fault`` takes them."""


def strike(fault: Fault, ground: Ground, dice: Random) -> str:
    """Does it. A database that is still down from the last fault, or a part that is, makes it void."""
    with contextlib.suppress(StorageError, ProcessLookupError):
        return fault(ground, dice)
    return ""
