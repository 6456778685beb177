"""A scrape in a process that forks: the children find nothing locked, and nothing open."""

import subprocess
import sys
from pathlib import Path

from storage.database import Database

PARENT = """
import os, signal, sys, threading
from pathlib import Path
from scheduler.collecting import SchedulerCollector
from scheduler.settings import read
from storage.database import Database, now_ms

url = sys.argv[1]
file = url.removeprefix("sqlite:///")
collector = SchedulerCollector(read(database_url=url, redis_url="unix:///nowhere.sock"))
began, ending = threading.Event(), threading.Event()

def scrape():
    while not ending.is_set():
        families = {family.name for family in collector.collect()}
        assert "mamenoki_tables" in families, families
        began.set()

def child():
    signal.alarm(10)  # a lock that nobody will give back ends it
    links = Path("/proc/self/fd")
    opened = [os.readlink(link) for link in links.iterdir() if link.is_symlink()] if links.is_dir() else []
    assert not any(path.startswith(file) for path in opened), opened
    with Database(url).reading() as tx:
        now_ms(tx)

thread = threading.Thread(target=scrape)
thread.start()
began.wait()
ends = []
for _ in range(60):
    pid = os.fork()
    if pid == 0:
        try:
            child()
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
    ends.append(os.waitpid(pid, 0)[1])
    if ends[-1]:
        break
ending.set()
thread.join()
sys.exit(f"child {len(ends)} ended with {ends[-1]}" if ends[-1] else 0)
"""


def test_a_fork_in_the_middle_of_scrapes_leaves_no_child_locked(
    sqlite_url: str, sqlite_database: Database
) -> None:
    assert sqlite_database
    ran = subprocess.run(
        [sys.executable, "-c", PARENT, sqlite_url],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
