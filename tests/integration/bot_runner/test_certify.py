"""``mamenoki certify``: real bots in the real sandbox, and what is said of each."""

import json
from pathlib import Path

import pytest

from bot_runner.errors import SandboxMissing
from mamenoki.cli.trials import LINES, TWISTS
from tests.fixtures.bots import Arena
from tests.unit.cli.conftest import Run, run

__all__ = ["run"]

MANIFEST = 'name = "b"\nlanguage = "python"\nentry = "bot.py"\ngames = ["mushi/standard"]\n'
CRASHES = "import sys\nsys.exit(7)\n"
STRICT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if set(message) - {"started", "updates", "refused", "ended"}:
        raise KeyError("what is this")
    for one in message.get("updates", []):
        owed = one["decision"]
        print(json.dumps({"moves": [{"decision": owed["id"], "move": owed["legal"][-1]}]}), flush=True)
"""


def bundle(source: str) -> None:
    Path("b").mkdir()
    Path("b", "mamenoki.toml").write_text(MANIFEST)
    Path("b", "bot.py").write_text(source)


@pytest.fixture(autouse=True)
def _in_a_sandbox(opened_arena: Arena) -> None:
    """The level namespaces alone, and only where it holds."""
    if opened_arena.kind != "namespaces":
        pytest.skip("one level is enough here: the levels have their own tests")


def test_a_starter_comes_through_all_of_it(run: Run) -> None:
    run("new-bot", "mine", "--language", "python")
    ran = run("certify", "mine", "--json")
    verdicts = json.loads(ran.out)
    assert [one for one in verdicts if not one["ok"]] == []
    assert ran.code == 0
    assert [one["case"] for one in verdicts[: len(TWISTS)]] == list(TWISTS)
    assert len(verdicts) == len(TWISTS) + len(LINES)
    told = {one["case"]: one["server"] for one in verdicts}
    assert "REASON_NOTATION" in told["a word of no game"]
    assert "forfeits (protocol: not JSON" in told["a line: no JSON"]


def test_a_bot_that_crashes_is_told_how(run: Run) -> None:
    bundle(CRASHES)
    ran = run("certify", "b")
    assert ran.code == 1
    assert "FAIL  mushi/standard: plays: the seat is forfeited (crash): crash: exit with 7" in ran.out
    assert "a delay" not in ran.out


def test_a_bot_that_knows_too_well_what_comes(run: Run) -> None:
    bundle(STRICT)
    ran = run("certify", "b", "--json")
    assert ran.code == 1
    (failed,) = [one for one in json.loads(ran.out) if not one["ok"]]
    assert failed["case"] == "unknown keys"
    assert "crash" in failed["server"]


def test_a_bundle_that_the_server_refuses(run: Run) -> None:
    bundle(STRICT)
    Path("b", "json.py").write_text("")
    ran = run("certify", "b")
    assert ran.code == 2
    assert "'json.py'" in ran.complaint
    assert "rule: module" in ran.complaint


def test_a_machine_without_a_sandbox_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise SandboxMissing("bwrap is not there: install bubblewrap")

    bundle(STRICT)
    monkeypatch.setattr("bot_runner.runner.Runner.__init__", missing)
    ran = run("certify", "b")
    assert ran.code == 1
    assert "install bubblewrap; --inner tries" in ran.complaint
