"""Bytes that are no replay: each is a Lie with its line, and never another exception."""

import random
from collections.abc import Callable

import pytest

from engine_service.core.game import View
from engine_service.core.replay import verify
from tests.games import TINY_GAMES
from tests.unit.core.forging import forge
from tests.unit.core.replays import COIN_REPLAY, TINY_REPLAY, refusal

LAST = -1
LINE_2 = TINY_REPLAY.splitlines()[1]

GARBLED: dict[str, tuple[Callable[[bytes], bytes], int, str]] = {
    "nothing": (lambda data: b"", 1, "the replay stops here"),
    "an empty line": (lambda data: b"\n", 1, "the replay stops here"),
    "a header alone": (lambda data: data.splitlines()[0] + b"\n", 1, "the replay stops here"),
    "two empty lines": (lambda data: b"\n\n", 1, "not JSON"),
    "another kind of file": (lambda data: b"\x89PNG\r\n\x1a\n", 1, "is not UTF-8"),
    "words": (lambda data: b"hello\nworld\n", 1, "not JSON"),
    "a number": (lambda data: b"1\n2\n", 1, "1 is not a JSON object"),
    "null": (lambda data: b"null\nnull\n", 1, "None is not a JSON object"),
    "a list": (lambda data: b"[1]\n[]\n", 1, "is not a JSON object"),
    "a text": (lambda data: b'"a"\n"b"\n', 1, "is not a JSON object"),
    "windows line ends": (lambda data: data.replace(b"\n", b"\r\n"), 1, "column"),
    "a mark of byte order": (lambda data: b"\xef\xbb\xbf" + data, 1, "not JSON"),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), 1, "is not UTF-8"),
    "a blank line at the end": (lambda data: data + b"\n", LAST, "not JSON"),
    "a blank line in the middle": (lambda data: data.replace(b"\n", b"\n\n", 1), 2, "not JSON"),
    "garbage at the end": (lambda data: data + b"x", LAST, "not JSON"),
    "a zero byte at the end": (lambda data: data + b"\x00", LAST, "not JSON"),
    "two objects in a line": (lambda data: data.replace(LINE_2, LINE_2 + b"{}"), 2, "Extra data"),
    "half a line": (lambda data: data[:-30], LAST, "not JSON"),
    "a space": (lambda data: data.replace(b'"n":0,', b'"n": 0,'), 2, "no spaces"),
    "a space before": (lambda data: data.replace(LINE_2, b" " + LINE_2), 2, "column 1 reads"),
    "a space behind": (lambda data: data.replace(LINE_2, LINE_2 + b" "), 2, "column"),
    "an escape": (lambda data: data.replace(b"deck", b"d\\u0065ck", 1), 2, "no needless escapes"),
    "half a character": (lambda data: data.replace(b"deck", b"\xe8\xa1ck", 1), 2, "is not UTF-8"),
    "half a pair": (lambda data: data.replace(b"deck", b"\\ud800", 1), 2, "column"),
    "a key twice": (lambda data: data.replace(b'{"n":0,', b'{"n":0,"n":0,'), 2, "the key 'n' stands twice"),
    "a float": (lambda data: data.replace(b'{"n":0,', b'{"n":0.0,'), 2, "0.0 is not a whole number"),
    "an exponent": (lambda data: data.replace(b'{"n":0,', b'{"n":0e0,'), 2, "0e0 is not a whole number"),
    "a float in the config": (
        lambda data: data.replace(b'"rounds":6', b'"rounds":6.0'),
        1,
        "6.0 is not a whole",
    ),
    "no number": (lambda data: data.replace(b'{"n":0,', b'{"n":NaN,'), 2, "NaN is not a whole number"),
    "a number without end": (
        lambda data: data.replace(b'{"n":0,', b'{"n":-Infinity,'),
        2,
        "-Infinity is not",
    ),
    "minus nothing": (lambda data: data.replace(b'{"n":0,', b'{"n":-0,'), 2, "column"),
    "a huge number": (lambda data: data.replace(b'{"n":0,', b'{"n":' + b"9" * 4000 + b","), 2, "n is 9999"),
    "a monstrous number": (
        lambda data: data.replace(b'{"n":0,', b'{"n":' + b"9" * 90_000 + b","),
        2,
        "not JSON",
    ),
    "a control character": (lambda data: data.replace(b"deck", b"de\tck", 1), 2, "control character"),
    "single quotes": (lambda data: data.replace(b'"', b"'"), 1, "not JSON"),
    "deep brackets": (
        lambda data: data.replace(b'{"n":0,', b'{"n":' + b"[" * 70 + b"]" * 70 + b","),
        2,
        "64 deep",
    ),
    "very deep brackets": (
        lambda data: data.replace(b'{"n":0,', b'{"n":' + b"[" * 100_000 + b"]" * 100_000 + b","),
        2,
        "not JSON",
    ),
    "deep objects in the config": (
        lambda data: data.replace(b'"rounds":6', b'"rounds":' + b'{"a":' * 500 + b"1" + b"}" * 500),
        1,
        "64 deep",
    ),
    "a bracket that is never closed": (lambda data: data.replace(LINE_2, b"[" * 200_000), 2, "not JSON"),
}


@pytest.mark.parametrize(("garble", "line", "message"), GARBLED.values(), ids=GARBLED.keys())
def test_what_is_not_written_as_a_replay_is_refused(
    garble: Callable[[bytes], bytes], line: int, message: str
) -> None:
    data = garble(TINY_REPLAY)
    assert data != TINY_REPLAY
    lie = refusal(data)
    assert message in lie.message
    count = len(data.split(b"\n")) - data.endswith(b"\n")
    assert lie.line == (count if line == LAST else line)


def test_every_depth_of_nesting_is_refused_alike() -> None:
    for depth in (*range(60, 70), *range(150, 1100, 13)):
        refusal(TINY_REPLAY.replace(b'{"n":0,', b'{"n":' + b"[" * depth + b"]" * depth + b","))
        refusal(b"[" * depth + b"]" * depth + b"\n{}\n")


def test_brackets_in_a_name_are_no_nesting() -> None:
    def bracketed(lines: list[View]) -> None:
        lines[0]["players"][0] = "[" * 100

    assert verify(forge(TINY_REPLAY, bracketed), TINY_GAMES).players[0] == "[" * 100


def test_random_damage_is_always_a_lie_and_nothing_else() -> None:
    chooser = random.Random(11)
    for replay in (TINY_REPLAY, COIN_REPLAY):
        for _ in range(300):
            refusal(damaged(replay, chooser))


def damaged(replay: bytes, chooser: random.Random) -> bytes:
    data = bytearray(replay)
    at = chooser.randrange(len(data) - 1)
    how = chooser.randrange(4)
    if how == 0:
        data[at] ^= 1 << chooser.randrange(8)
    elif how == 1:
        del data[at : at + chooser.randrange(1, 40)]
    elif how == 2:
        data[at:at] = bytes(chooser.randrange(256) for _ in range(chooser.randrange(1, 6)))
    else:
        data[at : at + 20] = data[at + 20 : at + 40] + data[at : at + 20]
    return bytes(data) if bytes(data).rstrip(b"\n") != replay.rstrip(b"\n") else b""
