"""What the documents promise exists: every threat and fault names its tests, every command can be typed."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run, run  # noqa: F401  # a fixture, by its name

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (?!threat|fault|---)(.+?) \| (.+?) \| (.+?) \|$", re.M)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
TYPED = re.compile(r"(?:^|`)mamenoki ([a-z][^`\n]*)", re.M)
PLACE = re.compile(r"^[A-Z0-9…./$(]")


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


@pytest.mark.parametrize("page", ["threat-model.md", "faults.md"])
def test_what_is_promised_names_tests_that_exist(page: str) -> None:
    rows = ROW.findall((ROOT / "docs" / page).read_text())
    assert len(rows) > 25
    for what, _, shown in rows:
        named = NAMED.findall(shown)
        assert named, f"{what}: no test is named"
        assert NAMED.sub("", shown).strip(", ") == "", f"{what}: {shown}"
        for path, test in named:
            assert (ROOT / path).is_file(), f"{what}: there is no {path}"
            assert test in named_in(path), f"{what}: there is no {test} in {path}"


def commands(page: str) -> Iterator[tuple[list[str], list[str]]]:
    """The verbs and the options of every command on a page."""
    for typed in TYPED.findall((ROOT / "docs" / page).read_text()):
        words = typed.split()
        verbs = []
        for word in words:
            if PLACE.match(word) or word.startswith("--") or "/" in word or "=" in word:
                break
            verbs.append(word.strip("`,;:."))
        yield verbs, [word.partition("=")[0] for word in words if word.startswith("--")]


@pytest.mark.parametrize("page", ["operate.md", "runbook.md"])
def test_every_command_can_be_typed(page: str, run: Run) -> None:  # noqa: F811  # the fixture
    found = [(verbs, options) for verbs, options in commands(page) if verbs and verbs != ["serve"]]
    assert len(found) > 10
    for verbs, options in {(tuple(verbs), tuple(options)) for verbs, options in found}:
        ran = run(*verbs, "--help")
        assert ran.code == 0, f"{page}: mamenoki {' '.join(verbs)}: {ran.err}"
        for option in options:
            assert f"{option} " in ran.out or f"{option}\n" in ran.out, (
                f"{page}: {' '.join(verbs)} has no {option}"
            )
