"""docs/add-a-game.md, followed word for word on a scratch copy."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "add-a-game.md"
FILE = re.compile(r"^`(?P<path>[\w/.]+)`\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PATCH = re.compile(r"^```diff\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
TABLE = "engine_service/games/__init__.py"
PACKAGES = ("bot_runner", "engine_service", "mamenoki", "ratings", "scheduler", "service", "storage", "web")
MAY_BE_TOUCHED = ("engine_service/games/buta/", "mamenoki/house/buta/")

LADDER = """
import sys
from scheduler.ladders import Limits, enter_house, open_ladder, plan_next
from mamenoki.house.roster import ROSTER
from storage import tables
from storage.database import Database
database = Database("sqlite:///" + sys.argv[1])
database.migrate()
with database.transaction() as tx:
    ladder = open_ladder(tx, "buta")
    enter_house(tx, ladder, [entry for entry in ROSTER if entry.game == "buta"])
    planned = plan_next(tx, ladder, {}, Limits(20, 4, 60_000), seed=1)
    print(ladder.name, len(planned), tables.find(tx, planned[0]).variant)
"""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the guide's game in it."""
    folder = tmp_path_factory.mktemp("scratch")
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    for name in (*PACKAGES, "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path, text in written().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    table = folder / TABLE
    table.write_text(patched(table.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def written() -> dict[str, str]:
    """The files that the guide has one write, with their text."""
    return {found["path"]: found["text"] for found in FILE.finditer(GUIDE.read_text(encoding="utf-8"))}


def patched(text: str) -> str:
    """The table of games after the guide's change; every line of the patch must be found."""
    found = PATCH.search(GUIDE.read_text(encoding="utf-8"))
    assert found is not None
    lines = found["lines"].splitlines()
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    after = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    assert before in text
    return text.replace(before, after)


def run(scratch: Path, *words: str | Path, **extra: str) -> str:
    """What a Python command prints in the scratch copy; it must succeed."""
    home = str(scratch / ".demo")
    done = subprocess.run(
        [sys.executable, "-P", *map(str, words)],
        cwd=scratch,
        env={**os.environ, "PYTHONPATH": str(scratch), "MAMENOKI_HOME": home, **extra},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_only_the_games_own_folders_and_one_table_are_touched() -> None:
    files = written()
    assert len(files) == 5
    assert all(path.startswith(MAY_BE_TOUCHED) for path in files)
    assert len(PATCH.findall(GUIDE.read_text(encoding="utf-8"))) == 1


def test_it_is_played_and_its_replays_verify(scratch: Path) -> None:
    played = run(scratch, "-m", "mamenoki.cli", "play", "buta", "--bots", "hold,hold:hold=5,random",
                 "--matches", "20", "--seed", "7", "--export", "replays")  # fmt: skip
    assert "buta/standard, 3 seats, 20 matches" in played
    verified = run(scratch, "-m", "mamenoki.cli", "verify", "replays")
    assert [line.split()[0] for line in verified.splitlines()] == ["OK"] * 20


def test_a_person_plays_it_on_the_plain_board(scratch: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mamenoki.cli", "play", "buta", "--you", "--seed", "1", "--seat", "0"],
        cwd=scratch,
        env={**os.environ, "PYTHONPATH": str(scratch)},
        input="roll\nrules\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "scores: [0, 0]" in done.stdout
    assert "On your turn roll the die" in done.stdout


def test_the_laws_run_over_it(scratch: Path) -> None:
    told = run(
        scratch, "-m", "pytest", "-q", "-m", "not slow", "-k", "buta", "tests/laws", HYPOTHESIS_PROFILE="few"
    )
    assert int(told.split(" passed")[0].split()[-1]) > 20


def test_its_ladder_plans_tables(scratch: Path, tmp_path: Path) -> None:
    name, planned, variant = run(scratch, "-c", LADDER, tmp_path / "ladder.sqlite3").split()
    assert (name, variant) == ("buta/standard", "standard")
    assert int(planned) > 3


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_demo_plays_its_league(scratch: Path) -> None:
    told = run(scratch, "-m", "mamenoki.cli", "demo", "--once", "--export", "demo")
    assert "buta/standard" in told
    assert list((scratch / "demo").glob("**/*.jsonl"))
