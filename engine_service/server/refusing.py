"""Move errors as the wire's refusals."""

from engine_service.core.game import IllegalMove, MoveError, NotationError
from engine_service.core.refusals import Answered, Forfeited, MatchOver, Stale
from engine_service.v1.play_pb2 import Refused

_KINDS: tuple[tuple[type[MoveError], Refused.Reason.ValueType], ...] = (
    (NotationError, Refused.REASON_NOTATION),
    (IllegalMove, Refused.REASON_ILLEGAL),
    (MatchOver, Refused.REASON_OVER),
    (Answered, Refused.REASON_ANSWERED),
    (Stale, Refused.REASON_STALE),
    (Forfeited, Refused.REASON_NOT_YOUR_TURN),
)

NAMES = {value: name.removeprefix("REASON_").lower() for name, value in Refused.Reason.items()}
"""Reasons as metric labels."""


def reason_of(error: MoveError) -> Refused.Reason.ValueType:
    """The wire's word for an error of the referee's."""
    for kind, reason in _KINDS:
        if isinstance(error, kind):
            return reason
    return Refused.REASON_NOT_YOUR_TURN


def refusal(match: str, seat: int, reason: Refused.Reason.ValueType, message: str) -> Refused:
    """A refusal of something that is not a move."""
    return Refused(match=match[:64], seat=seat, reason=reason, message=message)


def move_refusal(match: str, seat: int, decision: int, error: MoveError) -> Refused:
    """A refusal of a move: the message says what would be taken."""
    return Refused(
        match=match,
        seat=seat,
        decision=decision,
        reason=reason_of(error),
        message=str(error)[:1000],
        tries_left=max(0, getattr(error, "tries_left", 0)),
    )
