"""Why the referee did not take an answer.

::

    MoveError
    ├── NotationError
    │   └── Misread         no move of this game reads so        ┐ these two count: the third
    ├── IllegalMove                                              │ to one decision and the
    │   └── NotAllowed      a move, but not now                  ┘ clock plays
    └── NotYourTurn         this seat owes nothing
        ├── NoSeat          the match has no such seat
        ├── MatchOver       the match has ended
        ├── Forfeited       the clock plays for this seat to the end
        ├── Answered        this decision has another answer already
        └── Stale           another decision is open
            └── Late        the clock has played this decision
"""

from engine_service.core.game import IllegalMove, NotationError, NotYourTurn
from engine_service.core.place import Place


class Misread(NotationError):
    """No move of this game reads so. ``tries_left``: answers left before the clock plays."""

    def __init__(self, message: str, tries_left: int) -> None:
        super().__init__(message)
        self.tries_left = tries_left


class NotAllowed(IllegalMove):
    """A move, but not one that the seat may play now. ``tries_left`` as for Misread."""

    def __init__(self, message: str, tries_left: int) -> None:
        super().__init__(message)
        self.tries_left = tries_left


class NoSeat(NotYourTurn):
    """The match has no such seat."""


class MatchOver(NotYourTurn):
    """The match has ended."""


class Forfeited(NotYourTurn):
    """The seat is forfeited: the clock plays for it to the end."""


class Answered(NotYourTurn):
    """This decision has another answer already; the first one stands."""


class Stale(NotYourTurn):
    """Not the decision that is open."""


class Late(Stale):
    """The clock has played this decision."""


def untimely(seat: int, place: Place, decision: int, given: str | None, over: bool) -> NotYourTurn:
    """The error for an answer to a decision that is not open; ``given``: what was answered to it."""
    owes = f"it owes decision {place.asked}" if place.is_open else "it owes nothing now"
    if over:
        return MatchOver(f"the match is over; seat {seat} owes nothing")
    if given is not None:
        return Answered(f"seat {seat} has answered decision {decision} with {given!r}; that stands")
    if place.forfeit is not None:
        return Forfeited(f"seat {seat} is forfeited ({place.forfeit}); the clock plays for it to the end")
    if 1 <= decision <= len(place.answers):
        return Late(f"the clock has played decision {decision} of seat {seat}; {owes}")
    message = f"seat {seat} was not asked decision {decision}; {owes}"
    return Stale(message) if place.is_open else NotYourTurn(message)
