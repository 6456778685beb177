"""How a match ended, as the database takes it and as its players are told."""

from engine_service.server.live import LiveMatch
from engine_service.v1 import play_pb2
from storage.tables import Finished


def finished_of(match: LiveMatch) -> Finished:
    """A match that is over, as the database takes it."""
    result = match.referee.result
    return Finished(
        table_id=match.id,
        fence=match.fence,
        end=result.end,
        scores=result.scores,
        ranks=result.ranks,
        placements=result.placements,
        forfeits=result.forfeits,
        strikes=result.strikes,
        moves=result.moves,
        replay=match.referee.replay(),
    )


def ending_of(finished: Finished, void: bool) -> play_pb2.Ended:
    """What everybody at the table is told of a result."""
    return play_pb2.Ended(
        end="void" if void else finished.end,
        scores=finished.scores,
        ranks=finished.ranks,
        placements=finished.placements,
        reason="every seat was forfeited" if void else "",
    )


def without_result(end: str, reason: str) -> play_pb2.Ended:
    """What everybody is told of a match without a result: ``void`` or ``aborted``."""
    return play_pb2.Ended(end=end, reason=reason)
