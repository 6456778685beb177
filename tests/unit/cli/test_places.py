"""Where the demo is, and what is said when nothing is there."""

import json
from pathlib import Path

import pytest

from mamenoki.cli import places
from mamenoki.cli.errors import CommandError
from tests.unit.cli.conftest import Run

STATE = {
    "public_address": "127.0.0.1:5001",
    "internal_address": "127.0.0.1:5002",
    "web_address": "127.0.0.1:5003",
    "database_url": "sqlite:///demo.sqlite3",
    "redis_url": "redis://127.0.0.1:5004/0",
}


def demo_runs(text: str) -> None:
    path = places.state_file()
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_without_a_demo_nothing_is_known(run: Run, tmp_path: Path) -> None:
    assert places.state_file() == tmp_path / "home" / "state.json"
    assert places.demo() is None
    with pytest.raises(CommandError, match=r"no demo is running here: start one with `\./dev demo`"):
        places.database_url()
    with pytest.raises(CommandError, match=r"no server is known: start one with `\./dev demo`"):
        places.server_address(None)


def test_a_running_demo_is_found(run: Run) -> None:
    demo_runs(json.dumps(STATE))
    assert places.server_address(None) == "127.0.0.1:5001"
    assert places.database_url() == "sqlite:///demo.sqlite3"


def test_what_is_said_goes_before_the_demo(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    demo_runs(json.dumps(STATE))
    monkeypatch.setenv("MAMENOKI_PUBLIC_ADDRESS", "127.0.0.1:6001")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///mine.sqlite3")
    assert places.server_address(None) == "127.0.0.1:6001"
    assert places.server_address("127.0.0.1:7001") == "127.0.0.1:7001"
    assert places.database_url() == "sqlite:///mine.sqlite3"


def test_the_state_file_may_grow(run: Run) -> None:
    demo_runs(json.dumps({**STATE, "started_at": 1, "pid": 2}))
    running = places.demo()
    assert running is not None
    assert running.web_address == "127.0.0.1:5003"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"public_address": 1}', "\x00"])
def test_a_state_file_that_cannot_be_read_is_said(text: str, run: Run) -> None:
    demo_runs(text)
    ran = run("leaderboard", "mushi/standard")
    assert ran.code == 1
    assert "state.json cannot be read" in ran.complaint


CALLS = [
    ("leaderboard", "mushi/standard"),
    ("around", "mushi/standard", "house/greedy"),
    ("player", "mushi/standard", "house/greedy"),
    ("history", "mushi/standard", "house/greedy"),
    ("predict", "mushi/standard", "house/greedy", "house/random"),
]


@pytest.mark.parametrize("words", CALLS, ids=lambda words: words[0])
def test_nobody_there_is_said(words: tuple[str, ...], run: Run) -> None:
    ran = run(*words)
    assert (ran.code, ran.complaint) == (1, places.NO_SERVER)
    ran = run(*words, "--server", "127.0.0.1:1")
    assert ran.code == 1
    assert "no server answers at 127.0.0.1:1" in ran.complaint
    ran = run(*words, "--server", "nowhere")
    assert ran.code == 2
    assert "'nowhere' is no address; write HOST:PORT" in ran.complaint


def test_to_connect_takes_a_token(run: Run) -> None:
    run("new-bot", "my_bot")
    ran = run("connect", "my_bot.py:MyBot", "--server", "127.0.0.1:1")
    assert ran.code == 2
    assert "no token: make one with `mamenoki token create" in ran.complaint
    assert run("connect", "my_bot.py:MyBot", "--token", "t").complaint == places.NO_SERVER
