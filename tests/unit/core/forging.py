"""Takes replays apart and puts them together again, as an able forger would: with the right hash."""

import hashlib
import json
from collections.abc import Callable

from engine_service.core.game import View
from engine_service.core.record import encode

Edit = Callable[[list[View]], object]


def lines_of(replay: bytes) -> list[View]:
    """A replay's objects."""
    return [json.loads(line) for line in replay.splitlines()]


def seal(lines: list[View]) -> bytes:
    """The objects as a replay, the hash made right."""
    body = "".join(encode(line) + "\n" for line in lines[:-1]).encode()
    end = {**lines[-1], "hash": hashlib.sha256(body).hexdigest()} if "hash" in lines[-1] else lines[-1]
    return body + encode(end).encode() + b"\n"


def forge(replay: bytes, edit: Edit) -> bytes:
    """A replay changed by ``edit``, which changes the objects in place."""
    lines = lines_of(replay)
    edit(lines)
    return seal(lines)


def renumber(lines: list[View]) -> None:
    """Make n right again."""
    for n, line in enumerate(lines[1:-1]):
        line["n"] = n
