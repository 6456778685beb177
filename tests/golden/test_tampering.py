"""Change any one character that matters, and the replay is refused: every single one is tried."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_service.core.game import View
from engine_service.core.record import encode
from engine_service.core.replay import Lie, verify
from tests.golden.make import HERE
from tests.laws.cases import ALL_GAMES

SAMPLE = HERE / "mushi" / "rules-1" / "standard-2-odd3.jsonl"
SHARED = HERE / "shared" / "mushi-standard-2.jsonl"
VALUES = ("faces", "draw", "moves", "scores", "ranks", "seed")
TURNED = str.maketrans("0123456789abcdefRYGB=-", "1234567890bcdefaYGB=RR")


def turned(character: str) -> str:
    """Another character of the same kind."""
    other = character.translate(TURNED)
    return other if other != character else "x"


def positions(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Line and column of every character of every outcome, draw, move, score, rank and seed."""
    for index, line in enumerate(lines[1:], 1):
        for key in VALUES:
            start = line.find(f'"{key}":')
            if start < 0:
                continue
            begin = start + len(key) + 3
            value = encode(json.loads(line)[key])
            assert line[begin : begin + len(value)] == value
            yield from (
                (index, begin + at) for at, mark in enumerate(value) if mark.isalnum() or mark in "=-"
            )


def seal(lines: list[str]) -> bytes:
    """The lines with a right hash, as an able forger would have it."""
    body = "".join(line + "\n" for line in lines[:-1]).encode()
    end: View = json.loads(lines[-1])
    end["hash"] = hashlib.sha256(body).hexdigest()
    return body + encode(end).encode() + b"\n"


def changed(lines: list[str], index: int, at: int) -> list[str]:
    line = lines[index]
    return [*lines[:index], line[:at] + turned(line[at]) + line[at + 1 :], *lines[index + 1 :]]


def is_refused(data: bytes) -> bool:
    try:
        verify(data, ALL_GAMES)
    except Lie:
        return True
    return False


def check_all(path: Path, stride: int) -> int:
    """Every stride-th position refused, plainly and under a right hash; how many were tried."""
    lines = path.read_text().splitlines()
    tried = list(positions(lines))[::stride]
    for index, at in tried:
        forged = changed(lines, index, at)
        assert is_refused(("\n".join(forged) + "\n").encode()), f"line {index + 1}, column {at + 1}"
        if '"moves"' not in lines[index]:  # another legal move may make another true match
            assert is_refused(seal(forged)), f"line {index + 1}, column {at + 1}, with a right hash"
    return len(tried)


def test_every_character_of_one_replay() -> None:
    assert check_all(SAMPLE, stride=1) > 400


def test_some_characters_of_a_longer_one() -> None:
    assert check_all(SHARED, stride=31) > 60


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(HERE.glob("shared/*.jsonl")), ids=lambda path: path.stem)
def test_every_character_of_the_longer_ones(path: Path) -> None:
    assert check_all(path, stride=1) > 150


def test_the_positions_cover_what_matters() -> None:
    lines = SAMPLE.read_text().splitlines()
    letters = dict.fromkeys(VALUES, 0)
    for index, at in positions(lines):
        key = max(VALUES, key=lambda key: lines[index].rfind(f'"{key}":', 0, at))
        letters[key] += 1
    assert all(letters.values())
    assert letters["seed"] == 64
