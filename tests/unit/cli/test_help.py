"""Every verb has its help, wrong usage is 2, and nothing heavy is loaded to say so."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from mamenoki.cli.main import complete
from mamenoki.cli.names import as_typed, ladder_name
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


def test_usage_names_the_program_and_not_the_module() -> None:
    said = subprocess.check_output(
        [sys.executable, "-m", "mamenoki.cli", "verify", "--help"], cwd=ROOT, text=True
    )
    assert said.strip().startswith("Usage: mamenoki verify")


def test_an_interrupt_while_modules_are_loaded_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    ended = subprocess.run(
        [sys.executable, "-m", "mamenoki.cli", "games"],
        cwd=tmp_path, env={"PYTHONPATH": f"{tmp_path}:{ROOT}"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (130, "")


@pytest.mark.parametrize(
    ("started", "folder", "wanted"),
    [
        ("/usr/bin/mamenoki", ROOT, "run `mamenoki migrate`"),
        (str(ROOT / "mamenoki/cli/__main__.py"), ROOT, "run `./dev mamenoki migrate`"),
        (str(ROOT / "mamenoki/cli/__main__.py"), ROOT / "docs", f"run `{ROOT}/dev mamenoki migrate`"),
    ],
)
def test_hints_can_be_typed_as_they_stand(
    started: str, folder: Path, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [started])
    monkeypatch.chdir(folder)
    assert as_typed("run `mamenoki migrate`") == wanted


def test_a_game_is_the_ladder_of_its_first_variant() -> None:
    assert [ladder_name(name) for name in ("mushi", "mushi/standard", "fast")] == [
        "mushi/standard", "mushi/standard", "fast",
    ]  # fmt: skip


def test_games_lists_programs_and_bots(run: Run) -> None:
    said = run("games").out
    assert "house programs: random; greedy (" in said
    assert "house bots: random, greedy-hoarder," in said
