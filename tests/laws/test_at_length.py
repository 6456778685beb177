"""The laws at length, for ./dev soak: a thousand matches a setting, every law all along some courses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine_service.core.game import Turn
from engine_service.core.replay import verify
from engine_service.games import GAMES
from tests.laws import digest, knowledge, positions
from tests.laws.cases import ALL_GAMES, CASES, Case
from tests.laws.players import POLICIES, Moment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

ROOT = Path(__file__).parents[2]
SHIPPED = [case for case in digest.USUAL if case.game.card.id in GAMES]
OTHERS = [case for case in CASES if case not in SHIPPED]
EVERY = 50
"""Of a thousand replays, the command is given each of so many: it runs the same check."""
ALL_OF, ONE_IN = 1000, 17
"""So many steps of a course are all looked at, then one in so many: idle players of mushi take 20,000.
A prime, so that whatever comes round in a course is met in time."""


def export(case: Case, seed: int, folder: Path) -> Path:
    """A match of random moves as a file; the library has verified what was read back from it."""
    referee = digest.play(case, seed)
    path = folder / f"{seed:03}.jsonl"
    path.write_bytes(referee.replay())
    verified = verify(path.read_bytes(), ALL_GAMES)
    assert (verified.end, verified.scores, verified.ranks) == (
        referee.result.end,
        referee.result.scores,
        referee.result.ranks,
    )
    return path


def verify_by_command(folder: Path) -> list[str]:
    """The first words that ``mamenoki verify`` prints of a folder's replays."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mamenoki.cli", "verify", str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split()[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("case", SHIPPED, ids=lambda case: case.name)
def test_a_thousand_exported_matches_verify(case: Case, tmp_path: Path) -> None:
    for seed in range(1000):
        path = export(case, seed, tmp_path)
        if seed % EVERY:
            path.unlink()
    assert verify_by_command(tmp_path) == ["OK"] * (1000 // EVERY)


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_a_hundred_matches_of_odd_settings_verify(case: Case, tmp_path: Path) -> None:
    for seed in range(100):
        export(case, seed, tmp_path).unlink()


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_law_all_along_a_course(case: Case, policy: str) -> None:
    moment = Moment(case, 11, policy)
    while not moment.over:
        if moment.steps < ALL_OF or moment.steps % ONE_IN == 0:
            check_laws(moment)
        moment.step()
    check_laws(moment)


def check_laws(moment: Moment) -> None:
    for law in positions.AT_ANY_STEP:
        law(moment)
    if isinstance(moment.state.pending(), Turn):
        for law in knowledge.AT_A_TURN:
            law(moment)
