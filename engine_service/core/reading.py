"""Reads the lines of a replay strictly: each must be, to the byte, as a writer puts it."""

import json
from collections.abc import Sequence
from typing import NoReturn

from engine_service.core.game import GameError, Json, View
from engine_service.core.record import encode

_DEEP = 64
_LARGEST = (1 << 63) - 1
_SHOWN = 120


class Lie(GameError):
    """A replay that does not follow from its seed and the rules.

    ``line`` counts from 1. The message says what stands there, and what should.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class Line:
    """One line's object. The readers below raise Lie unless a key holds what they name."""

    def __init__(self, number: int, value: View) -> None:
        self.number = number
        self.value = value

    def lie(self, message: str) -> Lie:
        """A Lie on this line."""
        return Lie(self.number, message)

    def check_keys(self, required: Sequence[str], optional: Sequence[str] = ()) -> None:
        """These keys and no others, in this order; ``optional`` ones may be missing."""
        wanted = [key for key in required if key not in optional or key in self.value]
        if list(self.value) != wanted:
            raise self.lie(f"the keys are {show(list(self.value))}; they should be {show(wanted)}")

    def text(self, key: str) -> str:
        """A string."""
        value = self.value[key]
        if not isinstance(value, str):
            raise self.wrong(key, "a string")
        return value

    def number_at(self, key: str) -> int:
        """An int, not negative."""
        value = self.value[key]
        if not is_count(value):
            raise self.wrong(key, "a whole number from 0")
        return int(value)

    def hex_bytes(self, key: str, size: int) -> bytes:
        """So many bytes in lower-case hex."""
        value = self.text(key)
        if len(value) != 2 * size or any(digit not in "0123456789abcdef" for digit in value):
            raise self.wrong(key, f"{2 * size} digits of lower-case hex")
        return bytes.fromhex(value)

    def items(self, key: str) -> list[Json]:
        """A list."""
        value = self.value[key]
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return value

    def seats(self, key: str) -> dict[int, Json]:
        """An object whose keys are seats, ascending."""
        value = self.value[key]
        if not isinstance(value, dict) or not value or not all(map(_is_seat, value)):
            raise self.wrong(key, 'an object keyed by seats, such as {"0":…,"1":…}')
        seats = {int(seat): item for seat, item in value.items()}
        if list(seats) != sorted(seats):
            raise self.lie(f"{key} has the seats {list(seats)}; they should ascend")
        return seats

    def wrong(self, key: str, wanted: str) -> Lie:
        """A Lie about one key's value."""
        return self.lie(f"{key} is {show(self.value[key])}; it should be {wanted}")


def is_count(value: Json) -> bool:
    """An int from 0 to 2^63 - 1; true and false are none."""
    return type(value) is int and 0 <= value <= _LARGEST


def show(value: Json) -> str:
    """A value for a message, cut short, plain ASCII."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def split(data: bytes) -> list[bytes]:
    """The lines, without their ends; the last one's end may be missing."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if len(lines) < 2:
        raise Lie(len(lines) or 1, "the replay stops here; it should have a header, events and an end")
    return lines


def read(number: int, raw: bytes) -> Line:
    """One line's object; Lie if it is not JSON written as replays are."""
    try:
        text = raw.decode()
        value = _decoder.decode(text)
        if text.count("[") + text.count("{") > _DEEP:
            _check_depth(value)
        wanted = encode(value)
    except UnicodeDecodeError as error:
        raise Lie(number, f"byte {error.start + 1} is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise Lie(number, f"not JSON as replays have it: {error}") from error
    if not isinstance(value, dict):
        raise Lie(number, f"{show(value)} is not a JSON object")
    if text != wanted:
        raise Lie(number, _misspelt(text, wanted))
    return Line(number, value)


def _check_depth(value: Json) -> None:
    level: list[Json] = [[value]]
    for _ in range(_DEEP):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return
    raise ValueError(f"nested more than {_DEEP} deep")


def _children(value: Json) -> list[Json]:
    children = value.values() if isinstance(value, dict) else value
    return [child for child in children if isinstance(child, dict | list)]


def _no_float(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not a whole number")


def _unique(pairs: list[tuple[str, Json]]) -> View:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"the key {show(key)} stands twice")
    return dict(pairs)


def _is_seat(key: str) -> bool:
    return key.isascii() and key.isdecimal() and key == str(int(key)) if len(key) < 4 else False


def _misspelt(text: str, wanted: str) -> str:
    try:
        json.loads(text, object_pairs_hook=_unique)
    except ValueError as error:
        return str(error)
    at = next((i for i, (a, b) in enumerate(zip(text, wanted, strict=False)) if a != b), len(wanted))
    found, proper = show(text[at : at + 12]), show(wanted[at : at + 12])
    return f"column {at + 1} reads {found}; a writer puts {proper} (no spaces, no needless escapes)"


_decoder = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float)
