"""LadderService: how even a ladder is and when somebody plays next, over gRPC.

Errors are those of ``service.errors`` and ``storage.errors``; the server's guard puts them
on the wire. Queries run in threads, so that neither SQL nor Redis blocks the loop.
"""

from typing import Any

from scheduler import forecasts
from scheduler import ladders as cases
from scheduler.domain.fairness import Fairness, told
from scheduler.settings import SchedulerSettings
from scheduler.v1 import ladders_pb2 as pb
from scheduler.v1.ladders_pb2_grpc import LadderServiceServicer
from service.auth import PUBLIC, Policy
from service.errors import Down
from service.presence import Presence, PresenceError, Present
from service.transactions import Transactions
from storage import identity, ladders, sets
from storage.database import Database, Transaction

NAME = "scheduler.v1.LadderService"
POLICY: Policy = {f"/{NAME}/Fairness": PUBLIC, f"/{NAME}/Turn": PUBLIC}


class LadderService(LadderServiceServicer):
    """Serves ``proto/scheduler/v1/ladders.proto`` from a database and from what engines say of who is
    connected. ``settings`` are the workers'. Close it when its server has stopped."""

    # N802 below: the names are the proto's.

    def __init__(self, database: Database, settings: SchedulerSettings) -> None:
        self._transactions = Transactions(database, "ladders")
        self._settings = settings
        self._presence = Presence(settings.redis_url, settings.presence_ttl_ms)

    def close(self) -> None:
        self._transactions.close()
        self._presence.close()

    async def Fairness(self, request: pb.FairnessRequest, context: Any) -> pb.FairnessResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: fairness(tx, request))

    async def Turn(self, request: pb.TurnRequest, context: Any) -> pb.TurnResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: turn(tx, request, self._present(), self._settings))

    def _present(self) -> dict[int, Present]:
        try:
            return self._presence.read()
        except PresenceError as error:
            raise Down("nobody can say now which bots are connected; try again", retry_ms=5_000) from error


def fairness(tx: Transaction, request: pb.FairnessRequest) -> pb.FairnessResponse:
    """The figures that mean something on that ladder, each beside what is promised."""
    ladder = ladders.find_ladder(tx, request.ladder)
    figures = cases.fairness(tx, ladder, ladders.entrants(tx, ladder.id))
    names = told(together=sets.find_rule(tx, ladder.id) is not None)
    return pb.FairnessResponse(
        players=figures.players,
        tables=figures.tables,
        cut=figures.cut,
        figures=[_figure(figures, name) for name in names],
    )


def turn(
    tx: Transaction, request: pb.TurnRequest, present: dict[int, Present], settings: SchedulerSettings
) -> pb.TurnResponse:
    """When that player plays next."""
    ladder = ladders.find_ladder(tx, request.ladder)
    player = identity.find_player(tx, request.player)
    found = forecasts.turn(tx, ladder, player.id, present, settings)
    return pb.TurnResponse(state=found.state, place=found.place, table=found.table, wait_ms=found.wait_ms)


def _figure(figures: Fairness, name: str) -> pb.Figure:
    bound = figures.bound(name)
    return pb.Figure(
        name=name,
        value=float(getattr(figures, name)),
        bound=None if bound is None else float(bound),
        exceeded=name in figures.exceeded(),
    )
