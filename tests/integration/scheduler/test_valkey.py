"""The embedded server: where it listens, whom it outlives (nobody), what it keeps."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from mamenoki.serve.valkey import Valkey, ValkeyError, given, is_ready, prepare

PARENT = """
import sys
from pathlib import Path
from mamenoki.serve.valkey import Valkey, prepare
server = Valkey(prepare(Path(sys.argv[1]))).start()
print(server.pid, server.url, flush=True)
sys.stdin.read()
"""


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        select.select([], [], [], 0.01)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"


def start_parent(folder: Path, **options: object) -> tuple[subprocess.Popen[str], int, str]:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]  # user= for the test below
    )
    assert parent.stdout is not None
    pid, url = parent.stdout.readline().split()
    return parent, int(pid), url


def test_it_answers_on_a_private_socket(tmp_path: Path) -> None:
    with Valkey(prepare(tmp_path)) as server:
        with redis.from_url(server.url) as client:
            assert client.set("a", "b")
            assert client.config_get("port")["port"] == "0", "no port is open"
        assert (tmp_path / "valkey.sock").stat().st_mode & 0o777 == 0o700
    assert not is_ready(server.url)


def test_it_dies_with_a_killed_parent_and_the_folder_is_free(tmp_path: Path) -> None:
    parent, pid, url = start_parent(tmp_path)
    assert is_ready(url, pid)
    parent.kill()
    parent.communicate()
    until(lambda: is_gone(pid))
    with Valkey(prepare(tmp_path)) as successor:
        assert successor.url == url, "whoever knew the old server finds the new one"


def test_two_starts_in_one_folder_do_not_clash(tmp_path: Path) -> None:
    with Valkey(prepare(tmp_path)) as first:
        with pytest.raises(ValkeyError, match="has a running server"):
            Valkey(prepare(tmp_path)).start()
        assert is_ready(first.url, first.pid)


def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("long " * 20) / ("name\"'" * 10)
    with Valkey(prepare(folder)) as server:
        assert is_ready(server.url, server.pid)
        assert len(server.url) < 120


def test_a_port_is_behind_a_password(tmp_path: Path) -> None:
    with Valkey(prepare(tmp_path, port=0)) as server:
        host = server.url.rsplit("@", 1)[1]
        with redis.from_url(f"redis://{host}") as stranger, pytest.raises(redis.AuthenticationError):
            stranger.get("a")
    assert (tmp_path / "valkey.conf").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("keep", [True, False])
def test_after_a_kill_it_has_what_it_was_told_to_keep(tmp_path: Path, keep: bool) -> None:
    server = Valkey(prepare(tmp_path, keep=keep)).start()
    try:
        with redis.from_url(server.url) as client:
            client.set("a", "b")
            if keep:
                assert client.execute_command("WAITAOF", 1, 0, 5000)[0] == 1
        server.kill()
        server.start()
        with redis.from_url(server.url) as client:
            assert client.get("a") == (b"b" if keep else None)
        server.kill()
        server.launch.wipe()
        server.start()
        with redis.from_url(server.url) as client:
            assert client.get("a") is None
    finally:
        server.stop()


def nobody_can_run_this() -> bool:
    try:
        return subprocess.run([sys.executable, "-c", "import redis"], user=65534, group=65534).returncode == 0
    except PermissionError:
        return False


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start it as somebody else")
@pytest.mark.skipif(
    os.geteuid() == 0 and not nobody_can_run_this(), reason="this interpreter is root's alone"
)
def test_an_ordinary_user_can_start_it(tmp_path: Path) -> None:
    folder = tmp_path / "ordinary"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    for above in folder.parents:
        if above.stat().st_uid == os.geteuid():
            above.chmod(above.stat().st_mode | 0o055)  # pytest's own are root's alone
    parent, pid, url = start_parent(folder, user=65534, group=65534, extra_groups=[], env=readable())
    try:
        assert Path(f"/proc/{pid}").stat().st_uid == 65534
        assert is_ready(url, pid)
    finally:
        parent.communicate("")
    until(lambda: is_gone(pid))


def readable() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[3])}


def test_the_environment_may_name_another() -> None:
    assert given({"REDIS_URL": "redis://elsewhere/0"}) == "redis://elsewhere/0"
    assert given({"REDIS_URL": ""}) is None
