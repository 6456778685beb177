"""What the worker does with each of the engine's answers."""

from dataclasses import dataclass

import grpc

from bot_runner.runner import Runner
from scheduler import leagues
from scheduler.ladders import enter_house
from scheduler.playing import ABSENT, play
from scheduler.settings import SchedulerSettings, read
from scheduler.tables import plan_tables
from storage import identity, tables
from storage import ladders as ladder_rows
from storage import leagues as league_rows
from storage.database import Database
from tests.fixtures.engine import SERVICE_TOKEN, RunningEngine
from tests.fixtures.stack import ROSTER, MakeStack, Stack


@dataclass
class Here:
    """A worker's means, in the test's own process."""

    settings: SchedulerSettings
    database: Database
    channel: grpc.aio.Channel
    token: str = SERVICE_TOKEN
    runner: Runner | None = None


def means(engine: RunningEngine, address: str = "") -> Here:
    address = address or engine.internal
    return Here(read(internal_address=address, start_ms=10_000), engine.database, engine.channel(address))


def seats(stack: Stack, remote: bool) -> list[tuple[int, int]]:
    """Two house bots, or one and a remote one who is not there."""
    with stack.database.transaction() as tx:
        enter_house(tx, stack.ladder, ROSTER[:2])
        house = [(one.player_id, one.version_id) for one in ladder_rows.entrants(tx, stack.ladder.id)]
        if not remote:
            return house[:2]
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "alice"), "bot", "remote")
        return [house[0], (player.id, identity.ensure_version(tx, player.id, "1").id)]


def plan(stack: Stack, remote: bool = False, round_id: int | None = None) -> str:
    sitting = seats(stack, remote)
    with stack.database.transaction() as tx:
        return plan_tables(tx, stack.ladder, [sitting], round_id=round_id)[0]


async def test_tables_are_played_and_played_ones_are_left_alone(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    here = means(stack.engine)
    ids = [plan(stack), plan(stack)]
    report = await play(here, ids, "first")
    assert (report.outcomes, report.seats["ended"], report.away) == ({"started": 2}, 4, False)
    assert report.moves > 20
    assert report.seconds > 0
    again = await play(here, [*ids, "NOSUCHTABLE"], "second")
    assert again.outcomes == {"finished": 2, "not_found": 1}
    assert again.moves == 0


async def test_a_ladder_table_without_one_of_its_players_is_void(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    missing, whole = plan(stack, remote=True), plan(stack)
    report = await play(means(stack.engine), [missing, whole], "first")
    assert report.outcomes == {"seat_absent": 1, "started": 1}
    table = stack.engine.table(missing)
    assert (table.state, table.void_reason, table.attempt) == (tables.VOID, ABSENT, 0)
    assert stack.engine.table(whole).state == tables.DONE, "nobody else waits for it"


async def test_a_league_table_waits_for_its_player(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    season_id = stack.league(tables_each=1)
    with stack.database.transaction() as tx:
        season = league_rows.get_season(tx, season_id)
        league = league_rows.get_league(tx, season.league_id)
        opened = leagues.open_round(tx, league, season, 1_000, seed=1)
    assert opened is not None
    missing = plan(stack, remote=True, round_id=opened.round.id)
    await play(means(stack.engine), [missing], "first")
    table = stack.engine.table(missing)
    assert (table.state, table.attempt) == (tables.PLANNED, 0)


async def test_without_an_engine_nothing_is_raised_and_nothing_lost(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    table = plan(stack)
    report = await play(means(stack.engine, "127.0.0.1:1"), [table], "first")
    assert report.away
    assert stack.engine.table(table).state == tables.PLANNED
