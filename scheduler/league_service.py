"""LeagueService: leagues over gRPC, for organisers and for the owners of bots.

Errors are those of ``service.errors`` and ``storage.errors``; the server's guard puts them
on the wire. Queries run in threads, so that SQL never blocks the loop.
"""

from typing import Any

from engine_service.core.game import ConfigError
from scheduler import seasons as season_cases
from scheduler.domain.cron import CronError
from scheduler.domain.forecast import Forecast
from scheduler.domain.standings import TIE_BREAKS
from scheduler.forecasts import outlook
from scheduler.leagues import create_league
from scheduler.serving import ORGANISE, allowed, find_allowed
from scheduler.v1 import leagues_pb2 as pb
from scheduler.v1.leagues_pb2_grpc import LeagueServiceServicer
from service.auth import PUBLIC, Policy, Principal, caller
from service.errors import BadRequest, Missing
from service.transactions import Transactions, page_size
from storage import actions, ladders, leagues, seasons
from storage.database import Database, Transaction
from storage.errors import Conflict
from storage.leagues import LeagueRow, SeasonRow

NAME = "scheduler.v1.LeagueService"
POLICY: Policy = {
    f"/{NAME}/List": PUBLIC,
    f"/{NAME}/Standings": PUBLIC,
    f"/{NAME}/Forecast": PUBLIC,
    f"/{NAME}/Join": frozenset({"play", ORGANISE}),
    f"/{NAME}/Leave": frozenset({"play", ORGANISE}),
    f"/{NAME}/Create": frozenset({ORGANISE}),
    f"/{NAME}/Begin": frozenset({ORGANISE}),
    f"/{NAME}/Step": frozenset({ORGANISE}),
}
VERBS = {
    pb.StepRequest.VERB_PUBLISH: "publish",
    pb.StepRequest.VERB_PAUSE: "pause",
    pb.StepRequest.VERB_RESUME: "resume",
    pb.StepRequest.VERB_CLOSE: "close",
}
PAGE, MOST = 50, 200


class LeagueService(LeagueServiceServicer):
    """Serves ``proto/scheduler/v1/leagues.proto`` from a database. Close it when its server has stopped."""

    # N802 below: the names are the proto's.

    def __init__(self, database: Database) -> None:
        self._transactions = Transactions(database, "leagues")

    def close(self) -> None:
        self._transactions.close()

    async def List(self, request: pb.ListLeaguesRequest, context: Any) -> pb.ListLeaguesResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: list_leagues(tx, request))

    async def Standings(self, request: pb.StandingsRequest, context: Any) -> pb.StandingsResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: standings(tx, request))

    async def Forecast(self, request: pb.ForecastRequest, context: Any) -> pb.ForecastResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: forecast(tx, request))

    async def Join(self, request: pb.EntryRequest, context: Any) -> pb.EntryResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: enter(tx, request, who, "join"))

    async def Leave(self, request: pb.EntryRequest, context: Any) -> pb.EntryResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: enter(tx, request, who, "leave"))

    async def Create(self, request: pb.CreateLeagueRequest, context: Any) -> pb.League:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: create(tx, request.league, who))

    async def Begin(self, request: pb.BeginRequest, context: Any) -> pb.Season:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: begin(tx, request, who))

    async def Step(self, request: pb.StepRequest, context: Any) -> pb.Season:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: step(tx, request, who))


def list_leagues(tx: Transaction, request: pb.ListLeaguesRequest) -> pb.ListLeaguesResponse:
    """A page of the leagues by name; a token is the last name of the page before."""
    size = page_size(request.page_size, PAGE, MOST)
    rows = leagues.leagues(tx, after=request.page_token, limit=size + 1)
    told = [_league(tx, row) for row in rows[:size]]
    return pb.ListLeaguesResponse(
        leagues=told, next_page_token=rows[size - 1].name if len(rows) > size else ""
    )


def standings(tx: Transaction, request: pb.StandingsRequest) -> pb.StandingsResponse:
    """A season's divisions, and what decides ties."""
    league = leagues.find_league(tx, request.league)
    season = _season_of(tx, league, request.season)
    members = {one.player_id: one for one in seasons.members(tx, season.id)}
    moves = {one.player_id: one.move for one in seasons.finishes(tx, season.id)}
    divisions = [
        pb.Division(
            lines=[
                pb.Line(
                    rank=line.rank,
                    player=f"{members[line.player].owner}/{members[line.player].name}",
                    points=line.points,
                    possible=line.possible,
                    wins=line.wins,
                    tables=line.tables,
                    left=members[line.player].left,
                    move=moves.get(line.player, 0),
                )
                for line in lines
            ]
        )
        for lines in season_cases.standings(tx, season.id)
    ]
    return pb.StandingsResponse(season=_season(tx, season), divisions=divisions, tie_breaks=list(TIE_BREAKS))


def forecast(tx: Transaction, request: pb.ForecastRequest) -> pb.ForecastResponse:
    """What is to come of a season; Precondition where nothing is."""
    league = leagues.find_league(tx, request.league)
    told = allowed(lambda: outlook(tx, league))
    return pb.ForecastResponse(
        rounds=told.rounds,
        tables=told.tables,
        begins_at_ms=told.begins_at,
        measured=0 if told.pace is None else told.pace.tables,
        table_ms=0 if told.pace is None else round(told.pace.table_ms),
        step_ms=0 if told.pace is None else round(told.pace.step_ms),
        next_round=_load(told.next_round),
        season=_load(told.season),
    )


def enter(tx: Transaction, request: pb.EntryRequest, who: Principal, verb: str) -> pb.EntryResponse:
    """A bot joins or leaves. What is not the caller's is not there for it, unless it is an organiser."""
    league = leagues.find_league(tx, request.league)
    player = find_allowed(tx, request.player, who)
    act = season_cases.join if verb == "join" else season_cases.leave
    changed = allowed(lambda: act(tx, league, player))
    if changed and ORGANISE in who.scopes:
        actions.record(tx, who.name, f"league {verb}", league.name, player=request.player)
    return pb.EntryResponse(changed=changed)


def create(tx: Transaction, wanted: pb.League, who: Principal) -> pb.League:
    """Makes a league, or finds it. BadRequest says what is wrong with a schedule, a size or a number."""
    try:
        row = create_league(
            tx,
            wanted.name,
            wanted.ladder,
            cron_line=wanted.cron,
            zone=wanted.zone or "UTC",
            seats=wanted.seats,
            tables_each=wanted.tables_each or 1,
            rounds=wanted.rounds or 1,
            division_size=wanted.division_size,
            movers=wanted.movers,
            registration_ms=wanted.registration_ms,
            join_rounds=wanted.join_rounds if wanted.HasField("join_rounds") else None,
            repeats=wanted.repeats,
        )
    except (ConfigError, CronError, Conflict) as error:
        raise BadRequest(str(error)) from error
    actions.record(
        tx, who.name, "league create", row.name, ladder=wanted.ladder, cron=row.cron, zone=row.zone
    )
    return _league(tx, row)


def begin(tx: Transaction, request: pb.BeginRequest, who: Principal) -> pb.Season:
    """Opens the next season, unless there is one now."""
    league = leagues.find_league(tx, request.league)
    there = leagues.current_season(tx, league.id)
    if there is not None:
        return _season(tx, there)
    players = [] if request.empty else [one.player_id for one in ladders.entrants(tx, league.ladder_id)]
    season = season_cases.open_season(tx, league, players, draft=request.draft)
    actions.record(tx, who.name, "league begin", league.name, season=season.number, players=len(players))
    return _season(tx, season)


def step(tx: Transaction, request: pb.StepRequest, who: Principal) -> pb.Season:
    """Publishes, pauses, resumes or closes the season."""
    verb = VERBS.get(request.verb)
    if verb is None:
        raise BadRequest(f"verb is none of {', '.join(VERBS.values())}")
    league = leagues.find_league(tx, request.league)
    season = leagues.current_season(tx, league.id)
    allowed(lambda: season_cases.step(tx, league, verb))
    actions.record(tx, who.name, f"league {verb}", league.name)
    assert season is not None  # noqa: S101 - tells mypy; without one the step was refused
    return _season(tx, leagues.get_season(tx, season.id))


def _load(told: Forecast | None) -> pb.Load | None:
    if told is None:
        return None
    return pb.Load(tables=told.tables, work_ms=told.work_ms, ends_at_ms=told.ends_at)


def _season_of(tx: Transaction, league: LeagueRow, number: int) -> SeasonRow:
    found = leagues.seasons(tx, league.id)
    for season in found:
        if number in (0, season.number):
            return season
    raise Missing(f"{league.name} has no season {number or 'yet'}; it has had {len(found)}")


def _league(tx: Transaction, row: LeagueRow) -> pb.League:
    latest = next(iter(leagues.seasons(tx, row.id)), None)
    return pb.League(
        name=row.name,
        ladder=ladders.get_ladder(tx, row.ladder_id).name,
        cron=row.cron,
        zone=row.zone,
        seats=row.seats,
        tables_each=row.tables_each,
        rounds=row.rounds,
        division_size=row.division_size,
        movers=row.movers,
        registration_ms=row.registration_ms,
        join_rounds=row.join_rounds,
        repeats=row.repeats,
        season=None if latest is None else _season(tx, latest),
    )


def _season(tx: Transaction, row: SeasonRow) -> pb.Season:
    return pb.Season(
        number=row.number,
        state=row.state,
        rounds=len(leagues.rounds(tx, row.id)),
        players=sum(not one.left for one in seasons.members(tx, row.id)),
        opened_at_ms=row.opened_at,
        registration_until_ms=row.registration_until or 0,
    )
