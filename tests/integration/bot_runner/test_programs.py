"""Compiled bots: static programs, as their authors would build them, if the machine has the compiler."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bot_runner.bundles.bundle import read
from bot_runner.errors import BundleRefused
from tests.fixtures.bots import Arena, pack, play, rival

C = r"""
#include <stdio.h>
#include <string.h>

static char line[1 << 20], move[4096];

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        int id;
        char *owed = strstr(line, "\"decision\":{\"id\":");
        if (!owed || sscanf(owed, "\"decision\":{\"id\":%d", &id) != 1) continue;
        char *legal = strstr(owed, "\"legal\":[\"");
        if (!legal || sscanf(legal, "\"legal\":[\"%4095[^\"]", move) != 1) continue;
        if (strstr(owed, "\"stop\"")) strcpy(move, "stop");
        printf("{\"moves\":[{\"decision\":%d,\"move\":\"%s\"}]}\n", id, move);
        fflush(stdout);
    }
    return 0;
}
"""
RUST = r"""
use std::io::{self, BufRead, Write};

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let Some(owed) = line.find("\"decision\":{\"id\":") else { continue };
        let rest = &line[owed + 17..];
        let id: String = rest.chars().take_while(|c| c.is_ascii_digit()).collect();
        let legal = &rest[rest.find("\"legal\":[\"").unwrap() + 10..];
        let first = &legal[..legal.find('"').unwrap()];
        let choice = if legal.contains("\"stop\"") { "stop" } else { first };
        println!("{{\"moves\":[{{\"decision\":{},\"move\":\"{}\"}}]}}", id, choice);
        io::stdout().flush().unwrap();
    }
}
"""


def build(tmp_path: Path, source: str, name: str, words: list[str]) -> bytes:
    if shutil.which(words[0]) is None:
        pytest.skip(f"there is no {words[0]} on this machine")
    (tmp_path / name).write_text(source)
    made = subprocess.run(
        [*words, "-o", "bot", name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"{words[0]} cannot link statically here: {made.stderr[-300:]}")
    return (tmp_path / "bot").read_bytes()


async def test_c(arena: Arena, tmp_path: Path) -> None:
    program = build(tmp_path, C, "bot.c", ["cc", "-O2", "-static"])
    played = await play(arena.bot(pack({"bot": program}, language="c", entry="bot")), rival())
    assert (played.died, played.outcome.forfeits) == ({}, {})


async def test_rust(arena: Arena, tmp_path: Path) -> None:
    program = build(
        tmp_path, RUST, "bot.rs", ["rustc", "-O", "-C", "target-feature=+crt-static", "-C", "strip=symbols"]
    )
    played = await play(arena.bot(pack({"bot": program}, language="rust", entry="bot")), rival())
    assert (played.died, played.outcome.forfeits) == ({}, {})


def test_a_program_that_needs_libraries_is_refused(tmp_path: Path) -> None:
    program = build(tmp_path, C, "bot.c", ["cc", "-O2"])
    with pytest.raises(BundleRefused, match="link it statically"):
        read(pack({"bot": program}, language="c", entry="bot"))
