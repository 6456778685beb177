"""What a match's log holds, and how it is written as a replay.

A replay is JSON Lines: a header, an event a line, an end. :mod:`engine_service.core.replay`
reads it back and checks it.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence

from engine_service.core.chance import commitment
from engine_service.core.game import Config, Game, Json, Over, View
from engine_service.core.notation import Notation

REPLAY_VERSION = 1

TIMEOUT = "timeout"
CRASH = "crash"
ILLEGAL = "illegal"
DISCONNECT = "disconnect"
FORFEITED = "forfeited"
REASONS = (TIMEOUT, CRASH, ILLEGAL, DISCONNECT, FORFEITED)
"""Why the clock moved for a seat."""

_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Drawn:
    """An outcome: ``outcome[i]`` below ``sizes[i]``, and how it reads in the game's notation."""

    def __init__(self, stream: str, sizes: Sequence[int], outcome: Sequence[int], reading: View) -> None:
        self.stream = stream
        self.sizes = sizes
        self.outcome = outcome
        self.reading = reading


class Decided:
    """One decision: the code that each seat played, its thinking time, why the clock played it."""

    def __init__(self, moves: dict[int, int], ms: dict[int, int], why: dict[int, str]) -> None:
        self.moves = moves
        self.ms = ms
        self.why = why


Event = Drawn | Decided


def encode(value: Json) -> str:
    """JSON as replays have it: no spaces, non-ASCII as itself."""
    return _encoder.encode(value)


def header(match: str, game: Game, variant: str, config: Config, players: Sequence[str], seed: bytes) -> View:
    """The first line's object."""
    return {
        "replay": REPLAY_VERSION,
        "match": match,
        "game": game.card.id,
        "variant": variant,
        "rules": game.card.rules,
        "seats": len(players),
        "config": config,
        "players": list(players),
        "commitment": commitment(seed),
    }


def event_line(n: int, event: Event, notation: Notation) -> str:
    """The n-th event's line, without its end of line."""
    return encode(_drawn(n, event) if isinstance(event, Drawn) else _decided(n, event, notation))


def write(head: View, events: Iterable[Event], over: Over, seed: bytes, notation: Notation) -> bytes:
    """The whole replay, every line closed by a newline."""
    lines = [encode(head)]
    for n, event in enumerate(events):
        lines.append(event_line(n, event, notation))
    lines.append("")
    body = "\n".join(lines).encode()
    return body + _end_line(over, seed, hashlib.sha256(body).hexdigest()).encode()


def _drawn(n: int, event: Drawn) -> View:
    line: View = {"n": n, "chance": event.stream}
    line.update(event.reading)
    line["draw"] = [[index, size] for index, size in zip(event.outcome, event.sizes, strict=True)]
    return line


def _decided(n: int, event: Decided, notation: Notation) -> View:
    line: View = {
        "n": n,
        "moves": {str(seat): notation.text(code) for seat, code in event.moves.items()},
        "ms": {str(seat): ms for seat, ms in event.ms.items()},
    }
    if event.why:
        line["by"] = {str(seat): "clock" for seat in event.why}
        line["why"] = {str(seat): why for seat, why in event.why.items()}
    return line


def _end_line(over: Over, seed: bytes, digest: str) -> str:
    end: View = {"end": over.end, "scores": over.scores, "ranks": over.ranks}
    end["seed"] = seed.hex()
    end["hash"] = digest
    return encode(end) + "\n"
