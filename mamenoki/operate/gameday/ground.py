"""Where a gameday is played: on a running stack, or on one of its own."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mamenoki.house.entry import Entry
from mamenoki.operate.gameday import processes
from mamenoki.operate.gameday.processes import Found
from mamenoki.serve.demo import ladder_names
from mamenoki.serve.processes import start_guarded
from mamenoki.serve.stack import Places, Stack, sole_user
from scheduler import ladders, leagues, seasons
from storage.database import Database, Transaction

QUICK = {
    "MAMENOKI_LEASE_MS": "3000",
    "MAMENOKI_RESEND_MS": "1500",
    "MAMENOKI_TICK_MS": "500",
    "MAMENOKI_PLAN_MS": "500",
    "MAMENOKI_TABLES_AT_ONCE": "30",
    "MAMENOKI_PLANNED_MOST": "60",
    "MAMENOKI_BATCH": "12",
    "MAMENOKI_QUEUED_MOST": "6",
}
"""Settings of a stack of one's own: its faults heal within seconds, so that many fit into a minute. Batches are
small, for a table that is played again goes alone, and takes its worker's whole attention."""
PLAYERS = 10
"""On each ladder of a stack of one's own."""
LOOK_S = 0.05
GIVEN_REDIS = frozenset({"REDIS_URL", "MAMENOKI_REDIS_URL"})


class GroundError(RuntimeError):
    """There is no stack to play on; the message says what to do."""


@dataclass(slots=True)
class Ground:
    """A stack that runs. ``supervisor``: the pid of the process that starts its parts again.

    ``settings``: the environment that its parts were started with, secrets and all. ``tend`` looks
    after it, where nobody else does.
    """

    supervisor: int
    home: Path
    places: Places
    settings: Mapping[str, str]
    database: Database
    tend: Callable[[], None]
    restart_database: tuple[str, ...] = ()

    def part(self, name: str) -> Found | None:
        """The process of a part; None while it is down, or if the stack has none of its own."""
        return processes.part(self.supervisor, name)

    def wait(self, seconds: float) -> None:
        """Lets time pass, with the stack looked after."""
        self.until(lambda: False, seconds)

    def until(self, so: Callable[[], bool], seconds: float) -> bool:
        """Waits until it is so, at most that long, with the stack looked after; whether it is."""
        deadline = time.monotonic() + seconds
        while not so():
            if time.monotonic() > deadline:
                return False
            self.tend()
            time.sleep(LOOK_S)
        return True

    @contextmanager
    def beside(self, module: str, **extra: str) -> Iterator[None]:
        """One more process of the stack while the block runs: ``python -m module``, ended with -9."""
        log = self.home / "logs" / "gameday.log"
        command = (sys.executable, "-P", "-m", module)
        running = start_guarded(command, log, {**self.settings, **extra})
        try:
            yield
        finally:
            family = processes.look(running.pid)
            for one in reversed(processes.with_children(family) if family else []):
                one.send(signal.SIGKILL)
            running.wait()


@contextmanager
def running_stack(home: Path, restart_database: tuple[str, ...] = ()) -> Iterator[Ground]:
    """The stack that runs in ``home``. GroundError if there is none, or not on Linux."""
    _check_linux()
    try:
        state = json.loads((home / "state.json").read_text())
    except (OSError, ValueError) as error:
        raise GroundError(
            f"no stack runs in {home}; start one with `mamenoki demo`, or give --fresh"
        ) from error
    if processes.look(int(state["pid"])) is None:
        raise GroundError(f"the stack in {home} has died (process {state['pid']}); start it again")
    places = Places(**{name: state[name] for name in Places.__slots__})
    settings = _settings_of(int(state["pid"]))
    database = Database(places.database_url)
    try:
        yield Ground(int(state["pid"]), home, places, settings, database, lambda: None, restart_database)
    finally:
        database.close()


@contextmanager
def own_stack(
    home: Path, settings: Mapping[str, str], restart_database: tuple[str, ...] = ()
) -> Iterator[Ground]:
    """A new stack in ``home`` with house bots on every ladder; all of it is gone at the end.

    DATABASE_URL of the environment may name a server's database, which must be empty: GroundError
    else. Its Valkey is always its own, for it will be wiped.
    """
    _check_linux()
    environment = {name: value for name, value in os.environ.items() if name not in GIVEN_REDIS}
    with sole_user(home):
        stack = Stack(home, environment, {**QUICK, **settings})
        database = Database(stack.places.database_url)
        try:
            _check_empty(database)
            database.migrate()
            with database.transaction() as tx:
                for name in ladder_names():
                    _open(tx, name)
            stack.start()
            yield Ground(
                os.getpid(),
                stack.home,
                stack.places,
                stack.environment,
                database,
                stack.tend,
                restart_database,
            )
        finally:
            stack.stop()
            database.close()


def _settings_of(supervisor: int) -> dict[str, str]:
    """What one of its parts was started with."""
    for name in ("engine", "worker", "beat", "web"):
        found = processes.part(supervisor, name)
        if found is not None:
            return processes.environment(found.pid)
    raise GroundError("no part of this stack is up; look at its logs")


def _check_empty(database: Database) -> None:
    """A gameday fills its ladders with bots of its own, which no real service should keep."""
    if database.revision()[0] is not None:
        raise GroundError(
            "the database that DATABASE_URL names has tables; name an empty one, or none: then SQLite is taken"
        )


def _open(tx: Transaction, name: str) -> None:
    """A ladder and a league of bots that need not think: the faults are to fall between many tables."""
    ladder = ladders.open_ladder(tx, name)
    bots = [Entry(f"gameday-{number}", ladder.game, ladder.variant, "random") for number in range(PLAYERS)]
    players = ladders.enter_house(tx, ladder, bots)
    league = leagues.create_league(
        tx, f"gameday {name}", name, cron_line="* * * * *", zone="UTC", seats=3, tables_each=2, rounds=10_000
    )
    seasons.open_season(tx, league, players)


def _check_linux() -> None:
    if not sys.platform.startswith("linux"):
        raise GroundError("a gameday finds processes through /proc, which only Linux has")
