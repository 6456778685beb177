"""Use cases of leagues, over both databases."""

from collections import Counter
from typing import Any

import pytest

from engine_service.core.game import ConfigError
from scheduler import leagues, periodic
from scheduler import seasons as season_cases
from scheduler.domain.cron import CronError
from scheduler.ladders import enter_house, open_ladder
from storage import identity, jobs, ladders, seasons, tables
from storage import leagues as rows
from storage.database import Database, now_ms
from storage.errors import Conflict, NotFound
from storage.ladders import LadderRow
from storage.leagues import LeagueRow, SeasonRow
from tests.fixtures.stack import ROSTER

OFTEN = "* * * * * *"


@pytest.fixture
def ladder(database: Database) -> LadderRow:
    with database.transaction() as tx:
        return open_ladder(tx, "mushi")


def make(
    database: Database, ladder: LadderRow, players: int = 6, **changes: Any
) -> tuple[LeagueRow, SeasonRow]:
    values: dict[str, Any] = {
        "cron_line": OFTEN,
        "zone": "Asia/Tokyo",
        "seats": 3,
        "tables_each": 2,
        "rounds": 2,
    }
    with database.transaction() as tx:
        league = leagues.create_league(tx, "evening", ladder.name, **{**values, **changes})
        ids = enter_house(tx, ladder, ROSTER[:players])
        return league, season_cases.open_season(tx, league, ids)


def open_now(database: Database, league: LeagueRow, season: SeasonRow, window: int) -> leagues.Opened | None:
    with database.transaction() as tx:
        return leagues.open_round(tx, league, season, window, seed=5)


def end(database: Database, ids: tuple[str, ...]) -> None:
    """Plays tables: seat 0 first, the others in order behind it."""
    with database.transaction() as tx:
        for id in ids:
            claim = tables.claim(tx, id, "engine", 60_000, bytes(32))
            assert isinstance(claim, tables.Claim)
            order = list(range(len(claim.table.seats)))
            done = tables.Finished(
                id, claim.fence, "normal", order, order, order, {}, [0] * len(order), 9, b"{}\n"
            )
            assert tables.finish(tx, [done]) == ["done"]


def do_jobs(database: Database) -> None:
    with database.reading() as tx:
        due = jobs.due(tx, 100, 0)
    for job in due:
        periodic.follow_up(database, job.id)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"cron_line": "at noon"}, CronError),
        ({"zone": "Europe/Atlantis"}, CronError),
        ({"seats": 9}, ConfigError),
        ({"rounds": 0}, Conflict),
        ({"tables_each": 0}, Conflict),
    ],
)
def test_what_cannot_be_scheduled_is_refused(
    database: Database, ladder: LadderRow, changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        make(database, ladder, **changes)
    with database.reading() as tx, pytest.raises(NotFound):
        rows.find_league(tx, "evening")


def test_in_a_round_everybody_plays_equally_often(database: Database, ladder: LadderRow) -> None:
    league, season = make(database, ladder, players=7, tables_each=3)
    opened = open_now(database, league, season, 1_000)
    assert opened is not None
    with database.reading() as tx:
        planned = [tables.find(tx, id) for id in opened.tables]
    assert set(Counter(seat.player_id for table in planned for seat in table.seats).values()) == {3}
    assert {table.round_id for table in planned} == {opened.round.id}
    assert {len(table.seats) for table in planned} == {3}


def test_a_window_opens_one_round_and_the_next_waits_for_its_end(
    database: Database, ladder: LadderRow
) -> None:
    league, season = make(database, ladder)
    first = open_now(database, league, season, 1_000)
    assert first is not None
    assert open_now(database, league, season, 1_000) is None
    assert open_now(database, league, season, 2_000) is None, "the first is still played"
    end(database, first.tables)
    do_jobs(database)
    assert open_now(database, league, season, 1_000) is None
    second = open_now(database, league, season, 2_000)
    assert second is not None
    assert second.round.number == 2


def test_the_season_closes_after_its_last_round(database: Database, ladder: LadderRow) -> None:
    league, season = make(database, ladder, rounds=1)
    opened = open_now(database, league, season, 1_000)
    assert opened is not None
    end(database, opened.tables[:-1])
    do_jobs(database)
    with database.transaction() as tx:
        assert not leagues.close_round(tx, opened.round.id), "a table is still to be played"
    end(database, opened.tables[-1:])
    do_jobs(database)
    with database.reading() as tx:
        assert rows.get_season(tx, season.id).state == rows.CLOSED
        assert leagues.due_window(tx, league) is None
        (lines,) = season_cases.standings(tx, season.id)
    assert [line.tables for line in lines] == [2] * 6
    assert sum(line.points for line in lines) == 4 * 6, "four tables of three give six points each"


def test_only_the_last_missed_window_is_due(database: Database, ladder: LadderRow) -> None:
    league, season = make(database, ladder)
    with database.reading() as tx:
        due = leagues.due_window(tx, league)
        now = now_ms(tx)
    if due is None:  # the season opened within this very second
        return
    assert due[0].id == season.id
    assert now - due[1] < 2_000


def test_two_schedulers_open_a_round_once(database: Database, ladder: LadderRow) -> None:
    league, season = make(database, ladder)
    opened = [open_now(database, league, season, 1_000) for _ in range(5)]
    assert sum(one is not None for one in opened) == 1
    with database.reading() as tx:
        assert len(rows.rounds(tx, season.id)) == 1


def test_too_few_players_wait_for_more(database: Database, ladder: LadderRow) -> None:
    league, season = make(database, ladder, players=1)
    assert open_now(database, league, season, 1_000) is None
    with database.transaction() as tx:
        for player in enter_house(tx, ladder, ROSTER[:3]):
            seasons.join(tx, season.id, player)
    assert open_now(database, league, season, 1_000) is not None


def test_who_is_missing_for_a_whole_round_does_not_hold_the_others_up(
    database: Database, ladder: LadderRow
) -> None:
    league, season = make(database, ladder, players=4, seats=2, tables_each=1)
    with database.transaction() as tx:
        for name in ("a", "b"):
            player = identity.ensure_player(tx, identity.ensure_owner(tx, name), "bot", "remote")
            ladders.enter(tx, ladder.id, player.id, identity.ensure_version(tx, player.id, "1").id)
            seasons.join(tx, season.id, player.id)
    opened = open_now(database, league, season, 1_000)
    assert opened is not None
    with database.transaction() as tx:
        missing = [
            id for id in opened.tables if any(seat.kind == "remote" for seat in tables.find(tx, id).seats)
        ]
        claim = tables.claim(tx, missing[0], "engine", 60_000, bytes(32))
        assert isinstance(claim, tables.Claim)
        assert tables.unclaim(tx, missing[0], claim.fence, "seat 0 had nobody", 0)
        assert leagues.end_no_shows(tx, season) == [missing[0]]
        assert leagues.end_no_shows(tx, season) == []
        assert tables.find(tx, missing[0]).void_reason == leagues.NO_SHOW
        states = {tables.find(tx, id).state for id in opened.tables if id != missing[0]}
    assert states == {"planned"}, "tables that wait for us are left to wait"


def test_a_job_is_done_once_however_often_it_is_sent(database: Database, ladder: LadderRow) -> None:
    league, season = make(database, ladder, rounds=1)
    opened = open_now(database, league, season, 1_000)
    assert opened is not None
    end(database, opened.tables)
    with database.reading() as tx:
        due = jobs.due(tx, 100, 0)
    assert {job.kind for job in due} == {jobs.FOLD, jobs.ROUND}
    assert [periodic.follow_up(database, job.id) for job in due] == [True, True]
    assert [periodic.follow_up(database, job.id) for job in due * 3] == [False] * 6
    with database.reading() as tx:
        found = ladders.get_ladder(tx, ladder.id)
        assert found.folded_place == found.next_place == len(opened.tables)
