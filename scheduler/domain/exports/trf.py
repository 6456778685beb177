"""A two-seat Swiss as a Tournament Report File, which pairing programs and federations read.

The columns are those of TRF16 ("Agreement on the Tournament Report File format", FIDE Handbook C.04
Annex 2), with JaVaFo's line ``XXR`` for the number of rounds. Who sits first has the white pieces, for TRF knows no
other way to tell seats apart. A win counts 1, a level game and a void one ½, a bye 1, whatever the
game's own scores were. Titles, federations, birth dates and FIDE's numbers are left blank.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

MOST = 9_999
"""Entrants: their numbers have four digits."""
NAME = 33
"""Characters of a name; what is over is cut."""


class Ending(Enum):
    """How a meeting ended, as what the first and what the second seat's line say, and their half points."""

    FIRST = ("1", "0", 2, 0)
    LEVEL = ("=", "=", 1, 1)
    SECOND = ("0", "1", 0, 2)
    FIRST_BY_DEFAULT = ("+", "-", 2, 0)
    """The other was not there."""
    SECOND_BY_DEFAULT = ("-", "+", 0, 2)
    NEITHER = ("-", "-", 0, 0)
    """Nobody was there."""
    VOID = ("H", "H", 1, 1)
    """Nobody's doing: half a point each, and they have not met."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """``rank``: in the standings after the last round told, as they are decided there. ``rating``: 1 to 9999."""

    id: int
    name: str
    rank: int
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two entrants, by id, in the order of their seats."""

    first: int
    second: int
    ending: Ending


@dataclass(frozen=True, slots=True)
class Round:
    """What was played. ``byes``: who had one for want of an opponent; who is in neither was not there."""

    meetings: Sequence[Meeting]
    byes: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """An event. ``entrants`` in the order of their seeding, which numbers them. ``rounds_planned``: all, those
    told included."""

    name: str
    entrants: Sequence[Entrant]
    rounds: Sequence[Round]
    rounds_planned: int
    begun: date | None = None
    ended: date | None = None


class ReportError(ValueError):
    """The event cannot be told so; the message says what is in the way."""


_Game = tuple[str, int]  # ten columns, half points


def trf_of(report: Report) -> str:
    """The report's lines, each with a line feed. ReportError for an event that TRF cannot tell: too many entrants, or somebody
    twice in a round or in none of the entrants."""
    if len(report.entrants) > MOST:
        raise ReportError(f"a TRF holds {MOST} entrants, not {len(report.entrants)}")
    numbers = {one.id: number for number, one in enumerate(report.entrants, 1)}
    rounds = [_games(one, numbers, at) for at, one in enumerate(report.rounds, 1)]
    players = [
        _player(one, numbers[one.id], [games.get(one.id) for games in rounds]) for one in report.entrants
    ]
    return "".join(f"{line}\n" for line in [*_head(report), *players, f"XXR {report.rounds_planned}"])


def _head(report: Report) -> list[str]:
    head = [f"012 {_text(report.name)}"]
    head += [f"042 {report.begun:%Y/%m/%d}"] if report.begun else []
    head += [f"052 {report.ended:%Y/%m/%d}"] if report.ended else []
    return [*head, f"062 {len(report.entrants)}", "092 Individual: Swiss-System"]


def _player(one: Entrant, number: int, games: Sequence[_Game | None]) -> str:
    played = [game or ("0000 - Z", 0) for game in games]
    points = sum(half for _, half in played)
    rating = "" if one.rating is None else str(one.rating)
    line = f"001 {number:4}      {_text(one.name)[:NAME]:<{NAME}} {rating:>4}{'':27} {points / 2:4.1f} {one.rank:4}"
    return line + "".join(f"  {columns}" for columns, _ in played)


def _games(told: Round, numbers: Mapping[int, int], at: int) -> dict[int, _Game]:
    games: dict[int, _Game] = {}
    for meeting in told.meetings:
        mine, theirs, half, other_half = meeting.ending.value
        met = meeting.ending is not Ending.VOID
        _put(games, meeting.first, numbers, at, (_columns(numbers, meeting.second, "w", mine, met), half))
        _put(
            games,
            meeting.second,
            numbers,
            at,
            (_columns(numbers, meeting.first, "b", theirs, met), other_half),
        )
    for one in told.byes:
        _put(games, one, numbers, at, ("0000 - U", 2))
    return games


def _columns(numbers: Mapping[int, int], other: int, colour: str, result: str, met: bool) -> str:
    return f"{numbers.get(other, 0):4} {colour} {result}" if met else f"0000 - {result}"


def _put(games: dict[int, _Game], one: int, numbers: Mapping[int, int], at: int, game: _Game) -> None:
    if one not in numbers:
        raise ReportError(f"{one} plays in round {at} and is none of the entrants")
    if one in games:
        raise ReportError(f"{one} is in round {at} twice")
    games[one] = game


def _text(text: str) -> str:
    """In one line, and nothing that could be taken for another column's."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()
