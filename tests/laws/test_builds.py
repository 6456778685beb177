"""The rules compiled: the same matches to the byte, and the same laws."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.laws import digest

ROOT = Path(__file__).parents[2]
COMPILED = ROOT / ".boot" / "compiled"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(which("cc") is None, reason="compiling the rules needs a C compiler (cc)"),
]


@pytest.fixture(scope="module")
def paths() -> str:
    """Where Python looks, compiled rules first."""
    subprocess.run([sys.executable, str(ROOT / "dev"), "compile"], check=True, timeout=1_800)
    return os.pathsep.join([str(COMPILED), str(ROOT)])


def run(paths: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", *words],
        env={**os.environ, "PYTHONPATH": paths, "HYPOTHESIS_PROFILE": "some"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=1_800,
    )
    return done.stdout


def test_what_runs_is_compiled(paths: str) -> None:
    code = "from engine_service.core import referee; from engine_service.games.seimi import position as p;"
    files = run(paths, "-c", f"{code} print(referee.__file__, p.__file__)").split()
    assert len(files) == 2
    assert all(file.endswith(".so") and file.startswith(str(COMPILED)) for file in files)


def test_matches_are_the_same_to_the_byte(paths: str) -> None:
    assert run(paths, "-m", "tests.laws.digest").strip() == digest.digest()


def test_the_laws_and_the_golden_replays_hold(paths: str) -> None:
    """The tests themselves run on the compiled rules; what they derive from stays interpreted."""
    where = f"pythonpath={COMPILED} {ROOT}"
    suites = ("tests/laws", "tests/golden", "tests/unit/core", "tests/unit/games")
    assert "passed" in run(paths, "-m", "pytest", "-q", "-m", "not slow", "-o", where, *suites)
