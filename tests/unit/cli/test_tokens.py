"""``token`` and ``migrate``, on a database of their own."""

import json
from pathlib import Path

import pytest

from mamenoki.cli.places import NO_DATABASE
from storage.database import Database
from storage.identity import check_token
from tests.unit.cli.conftest import Run


@pytest.fixture
def url(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'm.sqlite3'}"
    monkeypatch.setenv("DATABASE_URL", url)
    assert run("migrate").code == 0
    return url


def owner_of(url: str, clear: str) -> str | None:
    database = Database(url)
    with database.reading() as tx:
        row = check_token(tx, clear)
    database.close()
    return row.owner if row else None


def test_a_token_is_shown_once_and_good(url: str, run: Run) -> None:
    made = run("token", "create", "--owner", "ann", "--label", "laptop")
    assert made.code == 0
    clear = made.out.strip()
    assert owner_of(url, clear) == "ann"
    assert clear not in made.err
    listed = run("token", "list", "--owner", "ann")
    assert "laptop" in listed.out
    assert clear not in listed.out


def test_a_token_for_programs(url: str, run: Run) -> None:
    words = ("--owner", "ann", "--scopes", "play, submit", "--days", "3", "--json")
    made = json.loads(run("token", "create", *words).out)
    assert made["scopes"] == ["play", "submit"]
    (listed,) = json.loads(run("token", "list", "--owner", "ann", "--json").out)
    assert listed["expires_at"] - listed["created_at"] == 3 * 86_400_000
    assert listed["state"] == "good"


def test_a_revoked_token_is_dead(url: str, run: Run) -> None:
    clear = run("token", "create", "--owner", "ann").out.strip()
    assert run("token", "revoke", "1").out == "token 1 is revoked\n"
    assert run("token", "revoke", "1").out == "token 1 was revoked before\n"
    assert owner_of(url, clear) is None
    assert "revoked" in run("token", "list", "--owner", "ann").out


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    [
        (("create", "--owner", "a b"), 2, "is no owner's name"),
        (("create", "--owner", "ann", "--scopes", "fly"), 2, "scopes are some of play"),
        (("create", "--owner", "ann", "--scopes", ""), 2, "scopes are some of play"),
        (("revoke", "7"), 2, "there is no token 7; `mamenoki token list"),
        (("list", "--owner", "bob"), 1, "bob has no tokens; `mamenoki token create --owner bob`"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: tuple[str, ...], code: int, wanted: str, url: str, run: Run
) -> None:
    ran = run("token", *words)
    assert ran.code == code
    assert wanted in ran.complaint


@pytest.mark.parametrize(
    ("value", "code", "wanted"),
    [
        ("mysql://x/y", 2, "DATABASE_URL"),
        ("sqlite:///nowhere/at/all.db", 1, "there is no database nowhere/at/all.db"),
        ("sqlite:///fresh.db", 1, "there is no database fresh.db; `mamenoki migrate` makes one"),
    ],
)
def test_a_database_that_cannot_be_used_is_said(
    value: str, code: int, wanted: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", value)
    ran = run("token", "list", "--owner", "ann")
    assert ran.code == code
    assert wanted in ran.complaint
    assert not Path("fresh.db").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("token", "create", "--owner", "ann"),
        ("ladder", "list"),
        ("league", "list"),
        ("ratings", "rebuild"),
        ("migrate",),
    ],
    ids=" ".join,
)
def test_without_a_demo_no_database_is_made(words: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    ran = run(*words)
    assert (ran.code, ran.complaint) == (1, NO_DATABASE)
    assert list(tmp_path.iterdir()) == []


def test_a_database_is_made_where_one_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("migrate", "--database", "sqlite:///mine.db").code == 0
    monkeypatch.setenv("DATABASE_URL", "sqlite:///mine.db")
    assert run("token", "create", "--owner", "ann").code == 0


def test_a_database_without_tables_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("empty.db").touch()
    monkeypatch.setenv("DATABASE_URL", "sqlite:///empty.db")
    ran = run("token", "list", "--owner", "ann")
    assert ran.code == 1
    assert "has no tables, or older ones; run `mamenoki migrate`" in ran.complaint


def test_migrating_twice_is_harmless(url: str, run: Run) -> None:
    assert run("migrate").out == "the database is up to date\n"
