"""The lines between a worker and a bot: docs/bot-protocol.md says the same for authors.

A line is a message of ``play.proto`` in protobuf's JSON mapping with the original field
names, except that ``config``, ``view`` and ``sightings`` are JSON values and not texts of it.
"""

from dataclasses import dataclass
from typing import Any

import orjson

from mamenoki.sdk.bot import Decision, Result, Seat

MOST_MOVE = 4096
"""Characters of a move; no game has one of a hundred."""
MOST_MOVES = 64
"""Answers in one line; a bot owes one at a time, and late ones are dropped."""


class Garbled(Exception):
    """A line that is no message of a bot; says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One move as a bot said it. ``match`` and ``seat`` are None where it left them out."""

    decision: int
    move: str
    match: str | None
    seat: int | None


def started(seat: Seat) -> bytes:
    """The first line: the seat that the bot sits at."""
    return _line(
        "started",
        match=seat.match,
        seat=seat.seat,
        game=seat.game,
        variant=seat.variant,
        config=seat.config,
        players=seat.players,
        first_ms=seat.first_ms or 0,
        move_ms=seat.move_ms or 0,
        bank_ms=seat.bank_ms,
    )


def update(seat: Seat, asked: Decision, first_sighting: int) -> bytes:
    """A decision, with what the seat was shown since the one before."""
    owed = {"id": asked.id, "legal": asked.legal, "left_ms": asked.left_ms or 0, "bank_ms": asked.bank_ms}
    return _line(
        "updates",
        match=seat.match,
        seat=seat.seat,
        first_sighting=first_sighting,
        sightings=asked.sightings,
        view=asked.view,
        decision=owed,
    )


def refused(seat: Seat, decision: int, reason: str, message: str, tries_left: int) -> bytes:
    """An answer did not count. ``reason`` is a name of the wire's ``Refused.Reason``."""
    return _line(
        "refused",
        match=seat.match,
        seat=seat.seat,
        decision=decision,
        reason=reason,
        message=message,
        tries_left=tries_left,
    )


def ended(seat: Seat, result: Result) -> bytes:
    """The last line."""
    return _line(
        "ended",
        match=seat.match,
        seat=seat.seat,
        end=result.end,
        scores=result.scores,
        ranks=result.ranks,
        placements=result.placements,
        forfeit=result.forfeit or "",
    )


def answers(line: bytes) -> list[Answer]:
    """The moves of a bot's line. Raises Garbled."""
    try:
        message = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Garbled(f"not JSON in UTF-8: {error}") from error
    _check_keys(message, {"moves"}, "a line")
    moves = message.get("moves")
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOST_MOVES:
        raise Garbled(f"`moves` is a list of 1 to {MOST_MOVES}")
    return [_answer(move) for move in moves]


def _answer(move: Any) -> Answer:
    _check_keys(move, {"match", "seat", "decision", "move"}, "a move")
    text, decision = move.get("move"), move.get("decision")
    if not isinstance(text, str) or len(text) > MOST_MOVE:
        raise Garbled(f"`move` is a text of at most {MOST_MOVE} characters")
    if type(decision) is not int or not 0 < decision < 1 << 32:
        raise Garbled("`decision` is the id of the decision that is answered")
    match, seat = move.get("match"), move.get("seat")
    if not isinstance(match, str | None) or (seat is not None and type(seat) is not int):
        raise Garbled("`match` is a text and `seat` a number; both may be left out")
    return Answer(decision, text, match, seat)


def _check_keys(value: Any, known: set[str], what: str) -> None:
    if not isinstance(value, dict):
        raise Garbled(f"{what} is a JSON object")
    unknown = sorted(set(value) - known)
    if unknown:
        raise Garbled(f"{what} has no key {unknown[0][:40]!r}")


def _line(kind: str, **fields: Any) -> bytes:
    return orjson.dumps({kind: [fields]}) + b"\n"
