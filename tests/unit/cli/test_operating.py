"""``audit``, ``actions``, ``backup`` and ``restore``, on a database of their own."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from mamenoki.operate.gameday.day import Verdict
from mamenoki.operate.gameday.faults import FAULTS, strike
from mamenoki.operate.gameday.ground import Ground, GroundError
from mamenoki.serve.stack import Places
from scheduler.auditing import PROMISES
from storage.database import Database
from storage.invariants import Broken
from tests.fixtures.garden import Garden
from tests.unit.cli.conftest import Run


@pytest.fixture
def database(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    url = f"sqlite:///{tmp_path / 'm.sqlite3'}"
    monkeypatch.setenv("DATABASE_URL", url)
    assert run("migrate").code == 0
    database = Database(url)
    garden = Garden(database)
    garden.play([garden.plant("ann", name, "remote", nerve) for name, nerve in (("a", 1), ("b", 2))])
    garden.rate()
    return database


def test_an_audit_says_what_holds_and_what_does_not(database: Database, run: Run) -> None:
    good = run("audit")
    assert (good.code, good.out.splitlines()[-1]) == (0, "all hold")
    with database.transaction() as tx:
        tx.execute(text("update game_table set commitment = 'false'"))
    bad = run("audit", "--replays", "0")
    assert bad.code == 1
    assert "BROKEN  the commitment of every table is that of its seed: 1 (GARDEN00001)" in bad.out
    assert f"1 of {len(PROMISES)} promises broken" in bad.out
    told = json.loads(run("audit", "--json").out)
    assert {one["promise"] for one in told if one["broken"]} == {"commitment_fits"}


def test_what_an_operator_does_is_written_down(database: Database, run: Run) -> None:
    clear = run("token", "create", "--owner", "ann", "--label", "laptop").out.strip()
    run("token", "revoke", "1")
    run("token", "revoke", "1")  # changes nothing
    run("ladder", "pause", "mushi/standard")
    told = json.loads(run("actions", "--json").out)
    assert [(one["action"], one["subject"]) for one in told] == [
        ("ladder pause", "mushi/standard"), ("token revoke", "1"), ("token create", "ann"),
    ]  # fmt: skip
    assert "@" in told[0]["actor"]
    shown = run("actions").out
    assert "laptop" in shown
    assert clear not in shown


def test_a_backup_is_private_whole_and_comes_back(database: Database, run: Run, tmp_path: Path) -> None:
    made = json.loads(run("backup", "it.backup", "--json").out)
    assert Path("it.backup").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == ["it.backup"]
    assert json.loads(run("restore", "it.backup", "--check", "--json").out) == made
    restored = run("restore", "it.backup", "--database", "sqlite:///new.db")
    assert restored.code == 0
    assert made["data"] in restored.out
    assert run("audit").code == 0


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    [
        (("backup", "there"), 2, "there exists; name a file that does not"),
        (("backup", "no/where"), 1, "no/where cannot be written: No such file or directory"),
        (("restore", "nothing"), 2, "there is no file nothing"),
        (("restore", "there", "--check"), 1, "there is no backup, or is damaged"),
        (("restore", "there", "--database", "sqlite:///new.db"), 2, "there is no backup, or is damaged"),
    ],
)
def test_what_cannot_be_backed_up_or_restored_is_said(
    words: tuple[str, ...], code: int, wanted: str, database: Database, run: Run
) -> None:
    Path("there").write_bytes(b"not a backup\n")
    ran = run(*words)
    assert ran.code == code
    assert wanted in ran.complaint


def test_a_backup_does_not_go_over_what_is_there(database: Database, run: Run) -> None:
    run("backup", "it.backup")
    ran = run("restore", "it.backup")
    assert ran.code == 2
    assert "the database is not empty" in ran.err


def test_a_gameday_needs_a_stack_and_known_faults(run: Run) -> None:
    none = run("gameday", "--seed", "1")
    assert none.code == 1
    assert "start one with `mamenoki demo`, or give --fresh" in none.err
    wrong = run("gameday", "--fault", "flood")
    assert wrong.code == 2
    assert "there is no fault 'flood'; there are: kill engine, " in wrong.complaint


@pytest.mark.parametrize(
    ("changes", "good"),
    [
        ({}, True),
        ({"lost": 1}, False),
        ({"twice": 1}, False),
        ({"stuck_after": ["kill engine"]}, False),
        ({"broken": [Broken("commitment_fits", 1, ("T",))]}, False),
        ({"done": 0}, False),
        ({"faults": Counter()}, False),
    ],
)
def test_a_gameday_is_good_only_if_everything_is(changes: dict[str, Any], good: bool) -> None:
    sound = Verdict(
        seed=1, faults=Counter({"kill engine": 1}), done=5, broken=[Broken("commitment_fits", 0, ())]
    )
    assert replace(sound, **changes).good is good


@pytest.mark.parametrize("command", ["/no/such/program", "false"])
def test_a_restart_that_does_not_work_is_said(command: str, database: Database, tmp_path: Path) -> None:
    ground = Ground(1, tmp_path, Places("", "", "", "", ""), {}, database, lambda: None, (command,))
    with pytest.raises(GroundError, match=f"`{command}` did not restart the database"):
        strike(FAULTS["restart database"], ground, Random(1))
