"""``mamenoki turn`` and ``mamenoki league forecast``: what is to come, and when."""

from typing import TYPE_CHECKING

import typer

from mamenoki.cli.leaderboard import Ladder, Player
from mamenoki.cli.leagues import Name, find_named, league
from mamenoki.cli.options import AsJson, Token
from mamenoki.cli.options import Server as OtherServer
from mamenoki.cli.screen import emit
from mamenoki.cli.seasons import Server
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from scheduler.v1.leagues_pb2 import ForecastResponse, Load

verbs = typer.Typer()


@verbs.command()
def turn(
    ladder: Ladder, player: Player, server: OtherServer = None, token: Token = None, json: AsJson = False
) -> None:
    """Say when a bot plays next on a ladder, and which place in the queue it has."""
    from mamenoki.cli.calls import Service
    from scheduler.domain.turns import Turn, clause
    from scheduler.v1 import ladders_pb2 as pb
    from scheduler.v1.ladders_pb2_grpc import LadderServiceStub

    with Service(LadderServiceStub, server, token) as service:
        answer = service.ask("Turn", pb.TurnRequest(ladder=ladder, player=player))
    wait_ms = answer.wait_ms if answer.HasField("wait_ms") else None
    found = Turn(answer.state, answer.place, answer.table, wait_ms)
    if json:
        emit({"state": found.state, "place": found.place, "table": found.table, "wait_ms": wait_ms})
    else:
        print(f"{player} {clause(found)}{f' ({found.table})' if found.table else ''}")


@league.command()
def forecast(name: Name, server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """Say what the next round and the rest of the season will take, by how long tables took before."""
    from mamenoki.cli.calls import plain

    told = _forecast(name, server, token)
    if json:
        emit(plain(told))
        return
    print(f"next round of {name}: {counted(told.tables, 'table')}, begins {_time(told.begins_at_ms)}")
    if not told.measured:
        print("how long it takes is known when tables of this ladder have been played")
        return
    print(f"  {_work(told.next_round)}")
    print(f"{counted(told.rounds, 'round')} to come: {counted(told.season.tables, 'table')}")
    print(f"  {_work(told.season)}")
    print(
        f"told by {counted(told.measured, 'table')}: one is in play for {told.table_ms / 1000:.1f} s, "
        f"and all workers together end one every {told.step_ms / 1000:.2f} s"
    )


def _forecast(name: str, server: str | None, token: str | None) -> "ForecastResponse":
    """From a server, or from the database at hand."""
    from scheduler.v1 import leagues_pb2 as pb

    request = pb.ForecastRequest(league=name)
    if server is None:
        from scheduler.league_service import forecast as told
        from service.errors import Precondition
        from storage.errors import Conflict

        with opened() as database, database.reading() as tx:
            find_named(tx, name)
            try:
                return told(tx, request)
            except Precondition as error:
                raise Conflict(str(error)) from error
    from mamenoki.cli.calls import Service
    from scheduler.v1.leagues_pb2_grpc import LeagueServiceStub

    with Service(LeagueServiceStub, server, token) as service:
        answer: ForecastResponse = service.ask("Forecast", request)
        return answer


def _work(load: "Load") -> str:
    minutes = load.work_ms / 60_000
    return f"{minutes:.1f} minutes of all workers together, over {_time(load.ends_at_ms)}"


def _time(ms: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
