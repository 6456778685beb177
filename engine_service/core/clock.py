"""A seat's time: limits, bank, hand-over stops and grace. Milliseconds; ``now`` is given."""

from dataclasses import dataclass

NEVER = 1 << 62
"""A deadline that does not come."""


@dataclass(frozen=True)
class Limits:
    """How long a seat may think.

    ``first_ms`` is for its first answer, ``move_ms`` for each later one; None: no limit.
    What an answer takes beyond its limit comes out of the bank. ``grace_ms`` is how long a
    seat may be without a connection. A person's seat is never forfeited by the clock:
    ``may_forfeit`` is False.
    """

    first_ms: int | None
    move_ms: int | None
    bank_ms: int
    grace_ms: int = 30_000
    may_forfeit: bool = True


UNLIMITED = Limits(None, None, 0)
"""For house bots and local matches."""


class Clock:
    """Measures one seat. Between :meth:`open` and :meth:`close` a decision is open."""

    def __init__(self, limits: Limits) -> None:
        self.bank_ms = limits.bank_ms
        self.opened_ms = 0
        self._limits = limits
        self._answers = 0
        self._limit = NEVER
        self._idle = 0
        self._stopped_at = NEVER
        self._absent_since = NEVER

    def open(self, now: int) -> None:
        """A decision begins."""
        limits = self._limits
        limit = limits.move_ms if self._answers else limits.first_ms
        self._limit = NEVER if limit is None else limit
        self._idle = 0
        self.opened_ms = now

    def close(self, now: int) -> int:
        """The decision is answered: charge the bank, return the thinking time."""
        spent = min(self.spent(now), self._limit + self.bank_ms)
        if spent > self._limit:
            self.bank_ms -= spent - self._limit
        self._answers += 1
        return spent

    def spent(self, now: int) -> int:
        """What the open decision has taken so far, stops left out."""
        if now > self._stopped_at:
            now = self._stopped_at
        return max(0, now - self.opened_ms - self._idle)

    def limit_due(self) -> int:
        """When limit and bank are used up; NEVER without a limit or while stopped."""
        if self._limit == NEVER or self._stopped_at != NEVER:
            return NEVER
        return self.opened_ms + self._idle + self._limit + self.bank_ms

    def due(self) -> int:
        """When the clock plays: limit and bank used up, or grace over, whichever is first."""
        if self._absent_since == NEVER:
            return self.limit_due()
        if self._stopped_at != NEVER:
            return NEVER
        grace_over = max(self.opened_ms, self._absent_since + self._limits.grace_ms)
        return min(grace_over, self.limit_due())

    @property
    def absent(self) -> bool:
        """Whether the seat has no connection."""
        return self._absent_since != NEVER

    def leave(self, now: int) -> None:
        """The seat's connection is gone; grace begins. Nothing if it was gone already."""
        if self._absent_since == NEVER:
            self._absent_since = now

    def come(self) -> None:
        """The seat is connected."""
        self._absent_since = NEVER

    def stop(self, now: int) -> None:
        """Time from here on is not the seat's. Nothing if stopped already."""
        if self._stopped_at == NEVER:
            self._stopped_at = now

    def start(self, now: int) -> None:
        """The seat's time, and its grace, run on. Nothing if they run."""
        if self._stopped_at == NEVER:
            return
        self._idle += max(0, now - max(self._stopped_at, self.opened_ms))
        if self._absent_since != NEVER:
            self._absent_since += max(0, now - max(self._stopped_at, self._absent_since))
        self._stopped_at = NEVER
