"""How fast a match between two uploaded Python bots begins: from asking for the bots, shut in, until both
have answered once, over two bare Pythons that answer one line each."""

import asyncio
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.table import Ratio
from bot_runner.bundles.bundle import digest_of
from bot_runner.bundles.packing import pack
from bot_runner.runner import Runner, RunnerSettings
from mamenoki.cli.starters import files
from mamenoki.sdk.bot import Decision, Seat

ROUNDS = 20
GAME = "mushi/standard"
BARE = "import json, sys; json.loads(sys.stdin.readline()); print('stop', flush=True)"


def run() -> list[Ratio]:
    """One row: medians of as many beginnings of each kind, taking turns."""
    with tempfile.TemporaryDirectory(prefix="mamenoki-bench-") as made:
        folder = Path(made)
        folder.chmod(0o755)  # seats have users of their own
        data = _bundle(folder / "source")
        runner = Runner(RunnerSettings(folder=folder / "bots"), lambda _: data)
        try:
            ours, bare = asyncio.run(_measured(runner, digest_of(data)))
        finally:
            runner.close_now()
    return [Ratio("uploaded: a match of two Python bots begins", "ms", ours * 1000, bare * 1000, most=3.0)]


def _bundle(source: Path) -> bytes:
    source.mkdir()
    for name, text in files("python", "bench", GAME).items():
        (source / name).write_text(text)
    return pack(source)


async def _measured(runner: Runner, digest: str) -> tuple[float, float]:
    """Seconds. The first beginning of each unpacks and loads what the others find, and is not counted."""
    ours, bare = [], []
    for _ in range(ROUNDS + 1):
        ours.append(await _begin(runner, digest))
        bare.append(_begin_bare())
    return statistics.median(ours[1:]), statistics.median(bare[1:])


async def _begin(runner: Runner, digest: str) -> float:
    decision = Decision(1, ["stop"], {}, [], None, 0)
    began = time.perf_counter()
    bots = [runner.bot(digest, _seat(number)) for number in range(2)]
    for bot in bots:
        bot.start(bot.seat)
    await asyncio.gather(*(bot.choose(decision) for bot in bots))
    took = time.perf_counter() - began
    for bot in bots:
        await bot.end()
    return took


def _seat(number: int) -> Seat:
    return Seat("bench", number, "mushi", "standard", {}, ["a/a@1", "b/b@1"], None, None, 0, 1)


def _begin_bare() -> float:
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin") or "python3"
    began = time.perf_counter()
    pair = [
        subprocess.Popen([python, "-I", "-c", BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for one in pair:
        one.communicate(b"{}\n")
    return time.perf_counter() - began
