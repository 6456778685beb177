"""The command line in processes of its own, in an empty folder."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.engine import RunningEngine, until

ROOT = Path(__file__).resolve().parents[3]

BOT = """
from mamenoki.sdk import Bot
class MyBot(Bot):
    def choose(self, decision):
        return "stop" if "stop" in decision.legal else decision.legal[-1]
class Clumsy(Bot):
    def choose(self, decision):
        raise RuntimeError("out of ideas")
"""


class Running:
    """A ``mamenoki`` process and the lines that it has said so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.lines.append(line.decode().rstrip())

    async def says(self, text: str) -> str:
        """Waits for a line that has this text."""
        found = await until(
            lambda: [line for line in self.lines if text in line] or self.process.returncode, 20
        )
        assert isinstance(found, list), self.lines
        return str(found[0])

    async def code(self) -> int:
        """Waits for its end."""
        code = await asyncio.wait_for(self.process.wait(), 20)
        await self._reader
        return code


Begin = Callable[..., Any]


@pytest.fixture
async def begin(tmp_path: Path) -> AsyncIterator[Begin]:
    """``await begin("connect", ...)`` in an empty folder; all processes end with the test."""
    made: list[Running] = []
    (tmp_path / "my_bot.py").write_text(BOT)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MAMENOKI_", "DATABASE_"))}
    environment = {**kept, "PYTHONPATH": str(ROOT), "MAMENOKI_HOME": str(tmp_path / "home")}

    async def begin_it(*words: str, **extra: str) -> Running:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "mamenoki.cli", *words,
            cwd=tmp_path, env={**environment, **extra},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        made.append(Running(process))
        return made[-1]

    yield begin_it
    for one in made:
        if one.process.returncode is None:
            one.process.kill()
        await one.process.wait()


def table(engine: RunningEngine, bot: str, label: str) -> str:
    return engine.plan(engine.remote("ann", bot, label), engine.house("greedy"))
