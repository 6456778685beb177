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
    """Measures one seat. Between :meth:`open` and :meth:`close` a decision is open.

    ``limit_due`` is when its limit and bank are used up: NEVER without a limit or while the
    clock is stopped. ``due`` is when the clock plays: that, or the end of grace if sooner.
    """

    def __init__(self, limits: Limits) -> None:
        self.bank_ms = limits.bank_ms
        self.opened_ms = 0
        self.limit_due = NEVER
        self.due = NEVER
        self.absent = False
        self._limits = limits
        self._limit = NEVER if limits.first_ms is None else limits.first_ms
        self._later = NEVER if limits.move_ms is None else limits.move_ms
        self._idle = 0
        self._stopped_at = NEVER
        self._left_at = 0

    def open(self, now: int) -> None:
        """A decision begins."""
        self._idle = 0
        self.opened_ms = now
        if self.absent or self._stopped_at != NEVER or self._limit == NEVER:
            self._reckon()
        else:
            self.limit_due = self.due = now + self._limit + self.bank_ms

    def close(self, now: int) -> int:
        """The decision is answered: charge the bank, return the thinking time."""
        spent = self.spent(now)
        if spent > self._limit:
            spent = min(spent, self._limit + self.bank_ms)
            self.bank_ms -= spent - self._limit
        self._limit = self._later
        return spent

    def spent(self, now: int) -> int:
        """What the open decision has taken so far, stops left out."""
        if now > self._stopped_at:
            now = self._stopped_at
        spent = now - self.opened_ms - self._idle
        return spent if spent > 0 else 0

    def leave(self, now: int) -> None:
        """The seat's connection is gone; grace begins. Nothing if it was gone already."""
        if not self.absent:
            self.absent = True
            self._left_at = now
            self._reckon()

    def come(self) -> None:
        """The seat is connected."""
        self.absent = False
        self._reckon()

    def stop(self, now: int) -> None:
        """Time from here on is not the seat's. Nothing if stopped already."""
        if self._stopped_at == NEVER:
            self._stopped_at = now
            self._reckon()

    def start(self, now: int) -> None:
        """The seat's time, and its grace, run on. Nothing if they run."""
        if self._stopped_at == NEVER:
            return
        self._idle += max(0, now - max(self._stopped_at, self.opened_ms))
        self._left_at += max(0, now - max(self._stopped_at, self._left_at))
        self._stopped_at = NEVER
        self._reckon()

    def _reckon(self) -> None:
        if self._stopped_at != NEVER:
            self.limit_due = self.due = NEVER
            return
        limit = self._limit
        due = NEVER if limit == NEVER else self.opened_ms + self._idle + limit + self.bank_ms
        self.limit_due = self.due = due
        if self.absent:
            self.due = min(due, max(self.opened_ms, self._left_at + self._limits.grace_ms))
