"""Every verb has its help, wrong usage is 2, and nothing heavy is loaded to say so."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from mamenoki.cli.main import complete
from tests.unit.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[3]


def verbs(app: typer.Typer, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every verb, groups descended into."""
    for command in app.registered_commands:
        assert command.callback is not None
        yield (*above, command.name or command.callback.__name__.replace("_", "-"))
    for group in app.registered_groups:
        assert group.typer_instance is not None
        name = group.name if isinstance(group.name, str) else None
        yield from verbs(group.typer_instance, (*above, name) if name else above)


@pytest.mark.parametrize("verb", list(verbs(complete())), ids=" ".join)
def test_every_verb_says_what_it_does(verb: tuple[str, ...], run: Run) -> None:
    ran = run(*verb, "--help")
    assert ran.code == 0
    assert "Usage:" in ran.out
    lines = [line.strip() for line in ran.out.splitlines() if line.strip()]
    assert lines[1] != "Options:", "the verb has no docstring"


def test_the_verbs_that_the_guides_name_are_there() -> None:
    named = "play verify story games new-bot connect leaderboard around history player predict migrate"
    assert {(name,) for name in named.split()} <= set(verbs(complete()))
    assert {("token", "create"), ("token", "list"), ("token", "revoke")} <= set(verbs(complete()))


def test_no_verb_shows_the_list(run: Run) -> None:
    ran = run()
    assert ran.code == 2
    assert "leaderboard" in ran.out + ran.err


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("dance",), "No such command 'dance'"),
        (("play",), "Missing argument"),
        (("play", "mushi", "--matches", "0"), "matches"),
        (("play", "mushi", "--matches", "many"), "valid integer"),
        (("play", "mushi", "--colour", "red"), "--colour"),
        (("verify",), "Missing argument"),
        (("token", "revoke", "x"), "valid integer"),
    ],
)
def test_wrong_usage_is_two(words: tuple[str, ...], wanted: str, run: Run) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert wanted in ran.err


def test_the_version_is_the_projects(run: Run) -> None:
    ran = run("--version")
    assert ran.code == 0
    assert ran.out.strip() in (ROOT / "pyproject.toml").read_text().replace('version = "', "mamenoki ")


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['mamenoki', '--help']\n"
        "from mamenoki.cli.main import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('grpc', 'sqlalchemy', 'celery', 'engine_service', 'rich.table') if m in sys.modules])"
    )
    said = subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True)
    assert said.splitlines()[-1] == "[]"
