"""docs/write-a-bot.md, followed to the letter: every block is written down or run, in order."""

import asyncio
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from mamenoki.sdk import Decision
from mamenoki.sdk.local import Table, match_seed, play_match
from tests.fixtures.engine import RunningEngine
from tests.integration.sdk.conftest import play_out
from tests.integration.sdk.processes import ROOT, Begin, table
from tests.unit.sdk.bots import First

GUIDE = ROOT / "docs" / "write-a-bot.md"
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
AS_WRITTEN = {"play", "compare", "story", "verify", "new-bot", "games"}
"""Verbs that need no server."""


def blocks() -> Iterator[tuple[str, str | None, str]]:
    for match in BLOCK.finditer(GUIDE.read_text(encoding="utf-8")):
        yield match["kind"], match["file"], match["text"]


def commands() -> list[list[str]]:
    lines = [line for kind, _, text in blocks() if kind == "console" for line in text.splitlines()]
    assert all(line.startswith("$ ") for line in lines)
    return [line[2:].split() for line in lines]


def write_files(folder: Path) -> None:
    for kind, file, text in blocks():
        if kind == "python":
            assert file is not None
            (folder / file).write_text(text)


async def test_what_needs_no_server_runs_as_written(begin: Begin, tmp_path: Path) -> None:
    write_files(tmp_path)
    ran = [words[1:] for words in commands() if words[1] in AS_WRITTEN]
    assert len(ran) == 7
    for words in ran:
        one = await begin(*words)
        assert await one.code() == 0, one.lines
        assert not any("Traceback" in line for line in one.lines)
    assert len(list((tmp_path / "replays").glob("*.jsonl"))) == 3


async def test_what_needs_a_server_runs_against_one(
    engine: RunningEngine, begin: Begin, tmp_path: Path, sqlite_url: str
) -> None:
    write_files(tmp_path)
    table(engine, "unused", "1")  # opens the ladder
    create, _, connect = [words for words in commands() if words[1] not in AS_WRITTEN][:3]
    made = await begin(*create[1:], DATABASE_URL=sqlite_url)
    assert await made.code() == 0, made.lines
    clear = next(line for line in made.lines if line.startswith("mk_"))

    words = [engine.public if word == "HOST:PORT" else word for word in connect[1:]]
    one = await begin(*words, "--version", "1", MAMENOKI_TOKEN=clear)
    assert (await one.says("connected as")).startswith("connected as me/MyBot@1")
    await play_out(engine, engine.plan(engine.remote("me", "MyBot"), engine.house("greedy")))
    await one.says("ended: place")
    one.process.send_signal(signal.SIGINT)
    assert await one.code() == 0


async def test_the_program_of_ones_own_runs(engine: RunningEngine, begin: Begin, tmp_path: Path) -> None:
    write_files(tmp_path)
    table(engine, "unused", "1")
    (words,) = [words for words in commands() if "own_program.py" in words]
    words = [engine.public if word == "HOST:PORT" else word for word in words[1:]]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "MAMENOKI_TOKEN": engine.token("me")},
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        first = await asyncio.wait_for(process.stderr.readline(), 20)
        assert b"me/MyBot@1" in first
        await play_out(engine, engine.plan(engine.remote("me", "MyBot"), engine.house("greedy")))
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        if process.returncode is None:
            process.kill()


def test_every_verb_of_the_guide_is_a_verb_and_every_block_is_of_a_known_kind() -> None:
    assert {kind for kind, _, _ in blocks()} == {"python", "console"}
    own = {"bots/bin/pip", "bots/bin/mamenoki", "bots/bin/python"}
    assert {words[0] for words in commands()} == {"mamenoki", "export", "python3"} | own
    named = {words[1] for words in commands() if words[0] == "mamenoki"}
    assert named == {"play", "compare", "story", "verify", "token", "connect", "leaderboard", "history"}


def test_every_key_of_the_view_is_explained_in_order() -> None:
    rules = ROOT / "engine_service" / "games" / "mushi" / "README.md"
    table = rules.read_text(encoding="utf-8").partition("### The view, key by key")[2].partition("\n## ")[0]
    seen: list[list[str]] = []

    class Looks(First):
        def choose(self, decision: Decision) -> str:
            seen.append(list(decision.view))
            return super().choose(decision)

    play_match(Table("m", "mushi", ["a/a@1", "b/b@1"], match_seed(1, 0)), [Looks(), First()])
    assert seen[0] == re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
