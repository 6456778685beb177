"""Kill any part of a running league with -9: every table has one result, rated once, and nothing is left behind."""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from mamenoki.serve.demo import Contest, Score, open_contests, score
from mamenoki.serve.stack import Stack
from ratings.follow import rebuild
from storage import figures, ledger, results
from storage.database import Database

WITHIN = 240.0
QUICK = {
    "MAMENOKI_LEASE_MS": "2000",
    "MAMENOKI_RESEND_MS": "1500",
    "MAMENOKI_TICK_MS": "200",
    "MAMENOKI_BATCH": "6",
    "MAMENOKI_QUEUED_MOST": "4",
    "MAMENOKI_WORKER_PROCESSES": "2",
}


class League:
    """A league of house bots that runs in a folder of the test's own."""

    def __init__(self, home: Path) -> None:
        environment = {
            key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")
        }
        self.stack = Stack(home, environment, QUICK)
        self.database = Database(self.stack.places.database_url)
        self.database.migrate()
        self.contest: Contest = max(open_contests(self.database), key=lambda contest: contest.tables)
        self.stack.start()

    @property
    def score(self) -> Score:
        return score(self.database, self.contest)

    def has_played(self, share: float) -> bool:
        return self.score.ended >= self.contest.tables * share

    def wait(self, what: str, done: Callable[[], bool]) -> None:
        """Tends the stack until it is so; fails with the logs' ends after a deadline."""
        deadline = time.monotonic() + WITHIN
        while not done():
            self.stack.tend()
            if time.monotonic() > deadline:
                pytest.fail(f"waited {WITHIN:.0f} s for {what}; {self.score}\n{self.tails()}")
            time.sleep(0.02)

    def tails(self) -> str:
        logs = sorted((self.stack.home / "logs").glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-1500:]}" for log in logs)

    def kill(self, name: str) -> None:
        """kill -9 the leader of a part, by its pid, and wait until another has been started in its place."""
        process = self.stack.process(name)
        assert process.pid is not None
        starts = process.starts
        os.kill(process.pid, 9)
        self.wait(f"another {name}", lambda: process.starts > starts)

    def close(self) -> None:
        self.stack.stop()
        self.database.close()


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    running = League(tmp_path / "home")
    try:
        yield running
    finally:
        running.close()


def owned_by(home: Path) -> list[int]:
    """The processes whose environment names the folder: the stack's, whoever their parent is now."""
    found = []
    mark = f"MAMENOKI_HOME={home}".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                continue  # it has ended meanwhile
    return found


@pytest.mark.timeout(600)
def test_every_part_killed_in_mid_league(league: League) -> None:
    """Engine, worker, beat and Valkey (its data gone), one after another, while tables are being played."""
    total = league.contest.tables
    assert total >= 60
    for share, part in ((0.05, "engine"), (0.2, "worker"), (0.35, "beat"), (0.5, "valkey"), (0.65, "engine")):
        league.wait(f"{share:.0%} of the tables", partial(league.has_played, share))
        assert league.score.ended < total, "the round was over before everything had been killed"
        league.kill(part)
    league.wait("the whole round", lambda: league.score.ended == total and league.score.folded)
    with league.database.reading() as tx:
        states = figures.tables_of_round(tx, league.contest.round.id)
        played = results.recent(tx, None, None, 10_000, round_id=league.contest.round.id)
        entries = ledger.entries(tx, league.contest.ladder.id, 0, 10_000)
    assert states == {"done": total}
    assert len({row.table_id for row in played}) == len(played) == total
    rated = [entry.table_id for entry in entries if entry.kind == "result"]
    assert [entry.place for entry in entries] == list(range(len(entries)))
    assert {row.table_id for row in played} <= set(rated)
    assert len(set(rated)) == len(rated)
    assert rebuild(league.database, league.contest.ladder.id).equal
    league.stack.stop()
    assert owned_by(league.stack.home) == []
