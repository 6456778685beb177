"""The bots that `mamenoki new-bot --language` writes: built, packed and played, whatever they print in passing."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bot_runner.bundles.bundle import read
from bot_runner.languages import LANGUAGES
from mamenoki.cli.starters import STARTERS, files
from tests.fixtures.bots import GAME, Arena, play, rival, zipped

PRINTS = {
    "python": ("        if ", '        print("by the way")\n        if '),
    "javascript": ("  if (legal.inc", '  console.log("by the way");\n  if (legal.inc'),
    "c": ("    (void)line;", '    printf("by the way\\n");\n    (void)line;'),
    "rust": ("    if legal.con", '    println!("by the way");\n    if legal.con'),
    "go": ("	for _, move", '	fmt.Println("by the way")\n	for _, move'),
}


def test_there_is_one_for_every_language() -> None:
    assert list(STARTERS) == list(LANGUAGES) == list(PRINTS)


def built(language: str, folder: Path) -> bytes:
    """The bundle, made as its README says, of a source that prints; skipped where there is no toolchain."""
    starter = STARTERS[language]
    texts = files(language, "mine", GAME)
    before, after = PRINTS[language]
    source = texts[starter.source[0]]
    assert before in source
    texts[starter.source[0]] = source.replace(before, after, 1).replace("import (", 'import (\n\t"fmt"', 1)
    for name, text in texts.items():
        (folder / name).write_text(text)
    if starter.build:
        if shutil.which(starter.build[0]) is None:
            pytest.skip(
                f"there is no {starter.build[0]} on this machine: the {language} starter is not tried"
            )
        subprocess.run(starter.build, cwd=folder, check=True, capture_output=True)
    entry = starter.entry.partition(":")[0]
    return zipped({name: (folder / name).read_bytes() for name in ("mamenoki.toml", entry)})


@pytest.mark.parametrize("language", STARTERS)
async def test_plays_whatever_it_prints(arena: Arena, tmp_path: Path, language: str) -> None:
    if language not in {*arena.runner.languages()}:
        pytest.skip(f"no interpreter for {language} on this machine: its starter is not tried")
    bundle = built(language, tmp_path)
    assert read(bundle, {GAME}).manifest.name == "mine"
    bot = arena.bot(bundle)
    played = await play(bot, rival())
    assert (played.died, played.refusals, played.outcome.forfeits) == ({}, {}, {})
    assert "by the way\n" in bot.log.text()
