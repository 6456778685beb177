"""docs/bot-protocol.md tells the truth: its programs play, its lines are ours, its numbers hold."""

import json
import re
from pathlib import Path

import pytest

from bot_runner import log, pipes, protocol, seat
from bot_runner.bundles import archive
from bot_runner.bundles.manifest import parse
from bot_runner.languages import LANGUAGES, MIB
from mamenoki.sdk import Decision, Result, Seat
from tests.fixtures.bots import Arena, pack, play, rival

PAGE = (Path(__file__).parents[3] / "docs" / "bot-protocol.md").read_text()
BLOCKS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = {name: text for _, name, text in BLOCKS if name}
LINES = [json.loads(text) for language, _, text in BLOCKS if language == "json"]
SEAT = Seat("m1", 0, "mushi", "standard", {}, ["me/climber@1", "house/greedy@1"], 10_000, 2000, 30_000, 7)


def line_of(key: str) -> object:
    (found,) = [line for line in LINES if key in line]
    return found


@pytest.mark.parametrize(("file", "language"), [("raw_bot.py", "python"), ("raw_bot.js", "javascript")])
async def test_programs(arena: Arena, file: str, language: str) -> None:
    if language not in arena.runner.languages():
        pytest.skip(f"no interpreter of {language} below /usr")
    bundle = pack({file: FILES[file]}, language=language, entry=file)
    played = await play(arena.bot(bundle), rival())
    assert (played.died, played.outcome.forfeits) == ({}, {})


def test_manifest() -> None:
    manifest = parse(FILES["mamenoki.toml"].encode(), ["mushi/standard"])
    assert (manifest.name, manifest.language, manifest.kind) == ("climber", "python", "Climber")


def test_lines() -> None:
    asked = Decision(1, ["roll", "stop"], {}, [], 10_000, 30_000)
    message = "seat 0 may not play 'x'; it may play: roll, stop"
    told = {
        "started": protocol.started(SEAT),
        "updates": protocol.update(SEAT, asked, 0),
        "refused": protocol.refused(SEAT, 1, "REASON_ILLEGAL", message, 2),
        "ended": protocol.ended(SEAT, Result("normal", [7, 3], [0, 1], [0, 1], None)),
    }
    for key, line in told.items():
        assert json.loads(line) == line_of(key)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1


def test_answer() -> None:
    said = json.dumps(line_of("moves")).encode()
    assert protocol.answers(said) == [protocol.Answer(1, "stop", None, None)]


def row(title: str) -> str:
    (found,) = re.findall(rf"^\| {re.escape(title)} \| (.*) \|$", PAGE, re.MULTILINE)
    return str(found)


def test_numbers() -> None:
    assert row("a line to the server") == f"{pipes.MOST_LINE >> 10} KiB"
    assert row("stdout for one answer") == f"{pipes.MOST_TURN >> 20} MiB"
    assert row("stderr for one answer").startswith(f"{seat.MOST_STDERR >> 20} MiB")
    assert f"first {log.HEAD >> 10} and the last {(log.MOST - log.HEAD) >> 10} KiB" in row(
        "stderr for one answer"
    )
    plain, reserving = LANGUAGES["python"].limits, LANGUAGES["go"].limits
    assert plain.address_space == 512 * MIB == LANGUAGES["c"].limits.address_space
    assert reserving.data == 384 * MIB == LANGUAGES["javascript"].limits.data
    assert row("memory (address space)").startswith("512 MiB for Python, C and Rust; 384 MiB of data")
    assert row("threads") == f"{plain.tasks}; {reserving.tasks} for JavaScript and Go"
    assert row("processor time") == f"{plain.cpu_s} seconds a match"
    assert row("one answer") == f"{plain.silence_ms // 1000} seconds, whatever the match's clock says"
    assert (
        f"{archive.MOST_PACKED >> 20} MiB ({archive.MOST_UNPACKED >> 20} MiB unpacked, {archive.MOST_ENTRIES} files)"
        in PAGE
    )
    assert f"more than {archive.MOST_RATIO} times" in PAGE
    assert ", ".join(f"`{name}`" for name in list(LANGUAGES)[:4]) + f" or `{list(LANGUAGES)[4]}`" in PAGE
