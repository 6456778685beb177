"""Every threat in docs/threat-model.md names tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (?!threat|---)(.+?) \| (.+?) \| (.+?) \|$", re.M)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


def test_every_threat_names_tests_that_exist() -> None:
    rows = ROW.findall((ROOT / "docs" / "threat-model.md").read_text())
    assert len(rows) > 30
    for threat, _, shown in rows:
        named = NAMED.findall(shown)
        assert named, f"{threat}: no test is named"
        assert NAMED.sub("", shown).strip(", ") == "", f"{threat}: {shown}"
        for path, test in named:
            assert (ROOT / path).is_file(), f"{threat}: there is no {path}"
            assert test in named_in(path), f"{threat}: there is no {test} in {path}"
