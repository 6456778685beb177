"""``doctor`` on this very machine, sick in one way after another."""

import json
import socket
from pathlib import Path

import pytest
from sqlalchemy import text

from mamenoki.serve.valkey import Valkey, prepare
from storage.database import Database
from tests.unit.cli.conftest import Run


@pytest.fixture(autouse=True)
def no_settings(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ports that nobody has, and a database that is there."""
    for name in ("PUBLIC", "INTERNAL", "WEB", "ENGINE_METRICS", "WORKER_METRICS", "WEB_METRICS"):
        monkeypatch.setenv(f"MAMENOKI_{name}_ADDRESS", "127.0.0.1:0")
    monkeypatch.setenv("MAMENOKI_SERVICE_TOKEN", "x" * 40)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'm.db'}")
    assert run("migrate").code == 0


def found(run: Run, role: str) -> dict[str, tuple[str, str, str]]:
    """Every check of a role: state, what was said, remedy."""
    ran = run("doctor", "--role", role, "--json")
    checks = {one["name"]: (one["state"], one["said"], one["remedy"]) for one in json.loads(ran.out)}
    assert ran.code == any(state == "fail" for state, _, _ in checks.values())
    assert all(remedy for state, _, remedy in checks.values() if state != "ok")
    return checks


def test_a_sound_machine(run: Run) -> None:
    ran = run("doctor", "--role", "engine")
    assert ran.code == 0
    assert "ok    database: sqlite:////" in ran.out
    assert "FAIL" not in ran.out


def test_the_sandbox_is_tried_for_real(run: Run) -> None:
    checks = found(run, "worker")
    state, said, _ = checks["sandbox"]
    assert said.startswith("the level ") if state == "ok" else "cannot run here" in said
    assert checks["engine"][0] == "warn"


def test_no_role_of_that_name(run: Run) -> None:
    ran = run("doctor", "--role", "king")
    assert (ran.code, ran.complaint) == (2, "there is no role 'king'; there are: engine, worker, beat, web")


@pytest.mark.parametrize(
    ("name", "value", "check", "wanted"),
    [
        ("DATABASE_URL", "", "database", "this is no URL"),
        (
            "DATABASE_URL",
            "postgresql://ann:secret@127.0.0.1:1/x",
            "database",
            "postgresql://ann:***@127.0.0.1:1/x",
        ),
        ("REDIS_URL", "redis://:secret@127.0.0.1:1/0", "valkey", "127.0.0.1:1/0"),
        ("MAMENOKI_SERVICE_TOKEN", "guess", "service token", "only 5 characters"),
        ("MAMENOKI_TLS_CERTIFICATE", "/no/such.pem", "tls", "/no/such.pem"),
        ("MAMENOKI_PUBLIC_ADDRESS", "0.0.0.0:0", "tls", "open to others and has no certificate"),
        ("MAMENOKI_PUBLIC_ADDRESS", "here", "public port", "'here' is no address"),
        ("MAMENOKI_PUBLIC_ADDRESS", "192.0.2.1:80", "public port", "192.0.2.1:80"),
    ],
)
def test_what_is_wrong_is_said_without_a_secret(
    name: str, value: str, check: str, wanted: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    state, said, remedy = found(run, "engine")[check]
    assert state == "fail"
    assert wanted in said
    assert "secret" not in said + remedy


def test_a_port_that_is_taken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("MAMENOKI_WEB_ADDRESS", f"127.0.0.1:{taken.getsockname()[1]}")
        state, said, remedy = found(run, "web")["web port"]
    assert (state, "something listens" in said) == ("warn", True)
    assert "MAMENOKI_WEB_ADDRESS" in remedy


def test_tables_of_another_version(run: Run, tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'm.db'}")
    with database.transaction() as tx:
        tx.execute(text("update alembic_version set version_num = '0001'"))
    database.close()
    state, said, remedy = found(run, "web")["database"]
    assert (state, "is at revision 0001" in said, "migrate" in remedy) == ("fail", True, True)


def test_a_valkey_that_forgets(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launch = prepare(tmp_path / "valkey")
    settings = launch.folder / "valkey.conf"
    settings.write_text(settings.read_text().replace("noeviction", "allkeys-lru") + "maxmemory 100mb\n")
    with Valkey(launch) as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        checks = found(run, "beat")
    assert checks["valkey"][0] == "ok"
    assert checks["valkey memory"][:2] == ("fail", "evicts by allkeys-lru: wake-ups get lost")
    assert checks["valkey file"][0] == "warn"
