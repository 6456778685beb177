"""What the referee keeps for each seat."""

from engine_service.core.clock import NEVER, Clock, Limits
from engine_service.core.notation import Notation

TRIES = 3
"""Refused answers to one decision; with the last of them the clock plays."""

STRIKES = 3
"""Moves played by the clock; with the last of them a bot's seat is forfeited."""


class Place:
    """One seat: its clock, its decision, what it has answered.

    ``asked`` is the number of its latest decision, counting from 1; 0: none yet. ``answers``
    holds what it answered to each, None where the clock played. ``codes`` are the open
    decision's legal moves, once somebody has asked for them.
    """

    def __init__(self, limits: Limits) -> None:
        self.clock = Clock(limits)
        self.may_forfeit = limits.may_forfeit
        self.forfeit: str | None = None
        self.strikes = 0
        self.is_open = False
        self.asked = 0
        self.refused = 0
        self.answers: list[int | None] = []
        self.codes: list[int] | None = None

    def open(self, now: int) -> None:
        """Ask for a decision."""
        self.is_open = True
        self.asked += 1
        self.refused = 0
        self.codes = None
        self.clock.open(now)

    def close(self, answer: int | None) -> None:
        """The decision is made; None: by the clock."""
        self.is_open = False
        self.answers.append(answer)

    def strike(self, why: str) -> None:
        """Count a move of the clock's; the third forfeits."""
        self.strikes += 1
        if self.strikes >= STRIKES and self.may_forfeit and self.forfeit is None:
            self.forfeit = why


class Decision:
    """What a seat owes.

    ``id`` counts the seat's decisions from 1. ``codes`` and ``legal`` are its moves in
    canonical order, as codes and as texts. ``deadline_ms`` is when limit and bank are used
    up: None without a limit or while the seat's clock is stopped.
    """

    def __init__(self, seat: int, place: Place, codes: list[int], notation: Notation) -> None:
        due = place.clock.limit_due
        self.id = place.asked
        self.seat = seat
        self.codes = codes
        self.opened_ms = place.clock.opened_ms
        self.deadline_ms: int | None = None if due == NEVER else due
        self.bank_ms = place.clock.bank_ms
        self._notation = notation
        self._legal: list[str] | None = None

    @property
    def legal(self) -> list[str]:
        """The legal moves' texts, made when first asked for."""
        if self._legal is None:
            self._legal = self._notation.texts(self.codes)
        return self._legal
