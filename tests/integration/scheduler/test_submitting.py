"""A folder becomes a bot on the ladder: handed in by the command line, tried and played by a real worker."""

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from mamenoki.serve.engine import extra
from scheduler.bot_service import BotService
from scheduler.ladders import enter_house
from service.settings import Settings
from storage import identity, ladders
from storage.database import Database
from tests.fixtures.bots import open_folder
from tests.fixtures.stack import ROSTER, MakeStack, Stack

ROOT = Path(__file__).resolve().parents[3]
MANIFEST = 'name = "climber"\nlanguage = "python"\nentry = "bot.py:Climber"\ngames = ["test/short"]\n'
HONEST = """
import sys
from mamenoki.sdk import Bot

class Climber(Bot):
    def choose(self, decision):
        print("thinking", file=sys.stderr)
        return decision.legal[0]
"""
CRASHES = HONEST.replace("return decision.legal[0]", "sys.exit(3)")


def write(folder: Path, source: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "mamenoki.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text(source)
    return folder


async def run(stack: Stack, token: str, *words: str) -> tuple[int, Any, str]:
    """The command line in a process of its own: exit code, its JSON, its stderr."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "mamenoki.cli", *words, "--json", "--server", stack.engine.public,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MAMENOKI_TOKEN": token},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode or 0, json.loads(out) if out else None, err.decode()


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_folder_becomes_a_bot_on_the_ladder(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str, tmp_path: Path
) -> None:
    service = BotService(sqlite_database, Settings())
    stack = await make_stack(sqlite_url, sqlite_database, valkey, extras=(extra(service),))
    with sqlite_database.transaction() as tx:
        config = stack.ladder.config
        ladder = ladders.ensure_ladder(tx, "test/short", "mushi", "standard", config)
        token = identity.create_token(tx, "ann", "", ["submit"], None)
        enter_house(tx, ladder, ROSTER[:1])
    folder = open_folder()
    try:
        stack.worker(MAMENOKI_BOTS_FOLDER=str(folder))
        stack.beat()
        code, told, err = await run(stack, token, "submit", str(write(tmp_path / "good", HONEST)), "--wait")
        assert (code, told and told["version"]["state"]) == (0, "active"), err + stack.processes.logs()
        match = told["version"]["match"]
        code, seats, _ = await run(stack, token, "logs", "climber", match)
        assert (code, seats[0]["cause"], "thinking" in seats[0]["stderr"]) == (0, "", True)
        assert seats[0]["times"]
        code, told, err = await run(stack, token, "submit", str(write(tmp_path / "bad", CRASHES)), "--wait")
        assert (code, told["version"]["state"]) == (3, "refused"), err
        assert "by crash" in told["version"]["reason"]
        code, rows, _ = await run(stack, token, "bots", "versions", "climber")
        assert [(row["number"], row["state"]) for row in rows] == [(2, "refused"), (1, "active")]
    finally:
        await asyncio.to_thread(stack.processes.stop)
        service.close()
        shutil.rmtree(folder)
