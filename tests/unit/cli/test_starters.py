"""``mamenoki new-bot --language``: a folder that a server would take."""

from pathlib import Path

import pytest

from bot_runner.bundles.manifest import parse
from mamenoki.cli.starters import STARTERS
from tests.unit.cli.conftest import Run


@pytest.mark.parametrize("language", STARTERS)
def test_writes_a_folder(language: str, run: Run) -> None:
    made = run("new-bot", "first-bot", "--language", language, "--game", "seimi")
    assert (made.code, made.err) == (0, "")
    manifest = parse((Path("first-bot") / "mamenoki.toml").read_bytes())
    assert (manifest.name, manifest.language, manifest.games) == ("first-bot", language, ("seimi/standard",))
    source, _ = STARTERS[language].source
    told = (Path("first-bot") / "README.md").read_text()
    assert source in told
    assert "@" not in told
    again = run("new-bot", "first-bot", "--language", language)
    assert (again.code, again.complaint) == (1, "first-bot is there already; choose another name")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["b", "--language", "cobol"], "none of python, javascript, c, rust, go"),
        (["../b", "--language", "c"], "is no name of a bot"),
        (["b", "--language", "c", "--game", "go"], "go"),
    ],
)
def test_says_what_is_wrong_and_writes_nothing(words: list[str], wanted: str, run: Run) -> None:
    ran = run("new-bot", *words)
    assert ran.code == 2
    assert wanted in ran.complaint
    assert list(Path().iterdir()) == []
