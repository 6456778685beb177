"""What ``mamenoki submit`` and its neighbours say before anything is sent, and without a server."""

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run

MANIFEST = 'name = "climber"\nlanguage = "python"\nentry = "bot.py"\ngames = ["mushi/standard"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "climber"
    made.mkdir()
    (made / "mamenoki.toml").write_text(MANIFEST)
    (made / "bot.py").write_text("print(1)\n")
    return made


def test_a_broken_rule_is_found_here(folder: Path, run: Run) -> None:
    (folder / "bot.py").unlink()
    ran = run("submit", "climber", "--token", "x", "--server", "127.0.0.1:1")
    assert (ran.code, "entry names 'bot.py'" in ran.complaint) == (2, True)
    ran = run("submit", "nowhere", "--token", "x")
    assert (ran.code, "nowhere is no folder" in ran.complaint) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ("submit", "climber"),
        ("bots",),
        ("bots", "show", "climber"),
        ("bots", "retire", "climber"),
        ("bots", "delete", "climber", "--yes"),
        ("logs", "climber"),
    ],
)
def test_without_a_token_it_says_how_to_make_one(folder: Path, run: Run, words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert (ran.code, "--scopes submit" in ran.complaint) == (2, True)


def test_a_server_that_is_not_there_is_a_failure(folder: Path, run: Run) -> None:
    ran = run("submit", "climber", "--token", "x", "--server", "127.0.0.1:1")
    assert (ran.code, "no server answers at 127.0.0.1:1" in ran.complaint) == (1, True)
