"""What a bridge is given, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from mamenoki.sdk.bot import Bot, Json, Result, Seat
from mamenoki.sdk.sitting import Key


@dataclass(frozen=True, slots=True)
class SeatTicket:
    """A seat to fill, as ``MatchService.Start`` gave it."""

    match: str
    seat: int
    ticket: str
    program: str
    settings: dict[str, Json]


MakeBot = Callable[[SeatTicket, Seat], Bot]


@dataclass(slots=True)
class FillReport:
    """What came of the seats: every ticket ends up in ``ended`` or in ``lost`` (with the reason).

    ``crashed`` holds the tracebacks of bots that raised; the server was told.
    """

    ended: dict[Key, Result] = field(default_factory=dict)
    lost: dict[Key, str] = field(default_factory=dict)
    crashed: dict[Key, str] = field(default_factory=dict)
    moves: int = 0
    reconnects: int = 0


@runtime_checkable
class HearsRefusals(Protocol):
    """A bot that is told why an answer did not count, before it is asked again."""

    def refused(self, decision: int, reason: str, message: str, tries_left: int) -> None:
        """``reason`` is a name of the wire's ``Refused.Reason``."""
