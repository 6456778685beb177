"""The tests' own PostgreSQL server: shared while somebody uses it, gone when nobody does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.fixtures import postgres

SECONDS = 60
ASK = """
import sys
from pathlib import Path
from tests.fixtures import postgres
server = postgres.shared(Path(sys.argv[1]))
print(Path(server.alive.name).parent, flush=True)
sys.stdin.read()
"""


def use_server(folder: Path) -> subprocess.Popen[str]:
    """A process that uses the folder's server until its input ends."""
    return subprocess.Popen(
        [sys.executable, "-c", ASK, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def root_of(user: subprocess.Popen[str]) -> Path:
    assert user.stdout is not None
    line = user.stdout.readline().strip()
    if not line:
        pytest.skip(f"no PostgreSQL here: {postgres.HOW_TO_GET_IT}")
    return Path(line)


def wait_until_gone(root: Path, pid: int) -> None:
    deadline = time.monotonic() + SECONDS
    while root.exists() or _lives(pid):
        assert time.monotonic() < deadline, f"{root} or process {pid} is still there"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_server_is_shared_and_outlives_no_user(tmp_path: Path) -> None:
    first, second = use_server(tmp_path), use_server(tmp_path)
    try:
        root = root_of(first)
        assert root_of(second) == root
        pid = int((root / "data" / "postmaster.pid").read_text().splitlines()[0])
        first.kill()
        first.wait()
        with psycopg.connect(f"host={root / 'data'} user=postgres dbname=postgres") as connection:
            assert connection.execute("select 1").fetchone() == (1,)
        second.send_signal(signal.SIGKILL)
        second.wait()
        wait_until_gone(root, pid)
    finally:
        for user in (first, second):
            user.kill()
            user.wait()


def test_after_the_last_user_a_new_server_is_started(tmp_path: Path) -> None:
    server = postgres.shared(tmp_path)
    root = Path(server.alive.name).parent
    pid = int((root / "data" / "postmaster.pid").read_text().splitlines()[0])
    server.alive.close()
    wait_until_gone(root, pid)
    again = postgres.shared(tmp_path)
    try:
        assert Path(again.alive.name).parent != root
    finally:
        again.alive.close()
