"""What an owner may read of its bots' matches: reports of their seats, and every strike with what was seen.

None of this is for anybody else: views hold hidden cards, and logs what the author wrote to them.
"""

from dataclasses import dataclass

from engine_service.core.game import View
from engine_service.core.notation import notation_of
from engine_service.core.record import FORFEITED, Decided, encode
from engine_service.core.replay import walk
from engine_service.games import GAMES
from storage import results, seat_logs
from storage.database import Transaction
from storage.errors import NotFound
from storage.seat_logs import SeatLogRow


@dataclass(frozen=True, slots=True)
class Strike:
    """The clock moved for a seat. ``event``: the replay's; ``view``: JSON of what the seat saw then."""

    event: int
    reason: str
    view: str
    move: str


@dataclass(frozen=True, slots=True)
class SeatLog:
    """A seat's report with the strikes of the attempt, where its replay may be read."""

    row: SeatLogRow
    strikes: tuple[Strike, ...]


def seat_logs_of(tx: Transaction, player_id: int, match: str, limit: int) -> list[SeatLog]:
    """How a bot did at its latest seats, newest first; only those of ``match``, unless that is empty.

    NotFound if the bot had no seat at that match. Strikes are told for a single match.
    """
    rows = seat_logs.of_player(tx, player_id, match or None, limit)
    if match and not rows:
        raise NotFound(
            f"there is no log of your bot in match {match!r}; `mamenoki logs BOT` lists its latest"
        )
    return [SeatLog(row, _strikes(tx, row) if match else ()) for row in rows]


def strikes(replay: bytes, seat: int) -> list[Strike]:
    """The seat's strikes in a replay, in order; Lie where the replay does not follow."""
    walked = walk(replay, GAMES)
    notation = notation_of(walked.header.game)
    found: list[Strike] = []
    view: View = walked.state.view(seat)
    for step in walked.steps():
        if isinstance(step.event, Decided):
            why = step.event.why.get(seat, FORFEITED)  # it has forfeited before: that move has its own reason
            if why != FORFEITED:
                found.append(Strike(step.n, why, encode(view), notation.text(step.event.moves[seat])))
        view = step.state.view(seat)
    return found


def _strikes(tx: Transaction, row: SeatLogRow) -> tuple[Strike, ...]:
    try:
        result = results.get(tx, row.report.table_id)
    except NotFound:  # it is being played, or came to nothing
        return ()
    if result.replay is None or result.attempt != row.report.attempt:
        return ()
    return tuple(strikes(result.replay, row.report.seat))
