"""Events on both databases: once only, in order, and safe to repeat."""

from collections.abc import Mapping

import pytest
from sqlalchemy import update

from scheduler import event_corrections, events, no_shows
from scheduler.domain.events.settings import StageError
from scheduler.event_corrections import Right
from scheduler.ladders import enter_house, open_ladder
from scheduler.periodic import follow_up
from service.presence import Present
from storage import events as rows
from storage import identity, jobs, ladders, tables
from storage.database import Database, Transaction
from storage.errors import Conflict, NotFound
from storage.events import FINISHED, PAUSED, EventRow
from storage.leases import Claim
from storage.schema import Attempt, GameTable
from tests.fixtures.stack import HouseBot

SINGLE = {"format": "single-elimination", "seats": 2}
SWISS = {"format": "swiss", "seats": 2, "rounds": 2}


def begun(tx: Transaction, count: int, *stages: Mapping[str, object]) -> EventRow:
    ladder = open_ladder(tx, "mushi")
    players = enter_house(tx, ladder, [HouseBot(f"bot-{n:02}", "random", {}) for n in range(count)])
    event = events.create_event(tx, "Cup", ladder.name, stages)
    versions = {one.player_id: one.version_id for one in ladders.entrants(tx, ladder.id)}
    assert all(rows.enter(tx, event.id, player, versions[player]) for player in players)
    assert not rows.enter(tx, event.id, players[0], versions[players[0]]), "it is in already"
    events.start(tx, event)
    return event


def void_all(tx: Transaction, event: EventRow) -> int:
    waiting = [row for row in rows.tables(tx, event.id) if not rows.has_ended(row)]
    return sum(tables.void(tx, row.table_id, "a test wanted it") for row in waiting)


def run_jobs(database: Database) -> int:
    with database.reading() as tx:
        due = [job.id for job in jobs.due(tx, 100, 0) if job.kind == jobs.EVENT]
    return sum(follow_up(database, id) for id in due)


def test_an_event_is_made_once_and_refused_when_it_differs(database: Database) -> None:
    with database.transaction() as tx:
        ladder = open_ladder(tx, "mushi")
        first = events.create_event(tx, "Cup", ladder.name, [SINGLE])
        assert events.create_event(tx, "Cup", ladder.name, [SINGLE]) == first
    with pytest.raises(Conflict, match="other settings"), database.transaction() as tx:
        events.create_event(tx, "Cup", ladder.name, [SWISS])
    with pytest.raises(StageError, match="format, seats"), database.transaction() as tx:
        events.create_event(tx, "Bowl", ladder.name, [{**SINGLE, "colour": "red"}])
    with pytest.raises(StageError, match="do not fill"), database.transaction() as tx:
        events.start(tx, first)


def test_advancing_twice_plans_once(database: Database) -> None:
    with database.transaction() as tx:
        event = begun(tx, 4, SINGLE)
    with database.transaction() as tx:
        assert len(events.advance(tx, event.id)) == 2
    with database.transaction() as tx:
        assert events.advance(tx, event.id) == []


@pytest.mark.parametrize("stage", [SINGLE, SWISS])
def test_an_event_of_void_tables_ends_all_the_same(database: Database, stage: Mapping[str, object]) -> None:
    with database.transaction() as tx:
        event = begun(tx, 5, stage)
    for _ in range(40):
        if not run_jobs(database):
            break
        with database.transaction() as tx:
            void_all(tx, event)
    with database.reading() as tx:
        assert rows.get_event(tx, event.id).state == FINISHED
        lines = events.standings(tx, event)[-1].situation.lines
    assert [line.rank for line in lines] == [1, 2, 3, 4, 5]


def test_who_withdraws_idles_nobody(database: Database) -> None:
    with database.transaction() as tx:
        event = begun(tx, 4, SINGLE)
    run_jobs(database)
    with database.transaction() as tx:
        waiting = rows.tables(tx, event.id)
        events.withdraw(tx, event, waiting[0].seated[0])
    assert run_jobs(database) == 1
    with database.reading() as tx:
        assert [row.state for row in rows.tables(tx, event.id)] == [tables.VOID, tables.PLANNED]
    with pytest.raises(NotFound, match="not in this stage"), database.transaction() as tx:
        events.withdraw(tx, event, 999)


def test_a_paused_event_plans_nothing(database: Database) -> None:
    with database.transaction() as tx:
        event = begun(tx, 4, SINGLE)
        events.pause(tx, event)
        assert events.advance(tx, event.id) == []
        assert rows.get_event(tx, event.id).state == PAUSED
        events.resume(tx, event)
        assert len(events.advance(tx, event.id)) == 2


def test_a_correction_needs_an_ending_and_the_players_who_sat_there(database: Database) -> None:
    with database.transaction() as tx:
        event = begun(tx, 4, SINGLE)
        events.advance(tx, event.id)
        table = rows.tables(tx, event.id)[0]
    with pytest.raises(Conflict, match="has not ended"), database.transaction() as tx:
        event_corrections.correct(tx, event, Right(table.table_id, None), "me", "why not")
    with (
        pytest.raises(Conflict, match=r"sat house/bot-\d\d, house/bot-\d\d; give each of them"),
        database.transaction() as tx,
    ):
        event_corrections.correct(tx, event, Right(table.table_id, {999: 0}), "me", "why not")
    with pytest.raises(NotFound, match="is not of event"), database.transaction() as tx:
        event_corrections.correct(tx, event, Right("NONE", None), "me", "why not")


def wait_for_somebody(tx: Transaction) -> tuple[EventRow, int, int]:
    """An event of a house bot and a remote one whose table found the remote one's seat empty; both ids."""
    ladder = open_ladder(tx, "mushi")
    (house,) = enter_house(tx, ladder, [HouseBot("bot", "random", {})])
    ann = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "bot", "remote")
    version = identity.ensure_version(tx, ann.id, "1")
    ladders.enter(tx, ladder.id, ann.id, version.id)
    event = events.create_event(tx, "Cup", ladder.name, [{**SINGLE, "no_show_ms": 1_000}])
    assert events.enter(tx, event, house)
    assert events.enter(tx, event, ann.id)
    events.start(tx, event)
    (table,) = events.advance(tx, event.id)
    claim = tables.claim(tx, table, "engine", 60_000, bytes(32))
    assert isinstance(claim, Claim)
    assert tables.unclaim(tx, table, claim.fence, "seat 1: nobody is there", 0)
    return event, house, ann.id


def planned_earlier(tx: Transaction, ms: int) -> None:
    """The event's table was planned so much earlier than it was."""
    tx.execute(update(GameTable).values(planned_at=GameTable.planned_at - ms))
    tx.expire_all()


def test_who_does_not_come_is_last_once_the_time_is_over(database: Database) -> None:
    with database.transaction() as tx:
        event, house, ann = wait_for_somebody(tx)
        version = next(one.version_id for one in rows.entrants(tx, event.id) if one.player_id == ann)
        assert no_shows.end_no_shows(tx, {}) == [], "its time is not over"
        planned_earlier(tx, 1_001)
        assert no_shows.end_no_shows(tx, {ann: Present(ann, version, 0, "engine")}) == [], "it is here"
        assert len(no_shows.end_no_shows(tx, {ann: Present(ann, version + 1, 1, "engine")})) == 1, (
            "as another"
        )
        assert no_shows.end_no_shows(tx, {}) == []
        assert events.advance(tx, event.id) == []
        assert rows.get_event(tx, event.id).state == FINISHED
        assert [line.entrant for line in events.standings(tx, event)[-1].situation.lines] == [house, ann]
        assert jobs.due(tx, 100, 0)


def test_nobody_is_judged_until_an_engine_has_looked_after_the_time_was_over(database: Database) -> None:
    with database.transaction() as tx:
        wait_for_somebody(tx)
        tx.execute(update(Attempt).values(ended_at=Attempt.ended_at - 5_000))
        planned_earlier(tx, 5_000)
        assert no_shows.end_no_shows(tx, {}) == []


def test_a_table_that_is_played_after_all_is_left_alone(database: Database) -> None:
    with database.transaction() as tx:
        event, _, _ = wait_for_somebody(tx)
        (row,) = rows.tables(tx, event.id)
        assert isinstance(tables.claim(tx, row.table_id, "engine", 60_000, bytes(32)), Claim)
        planned_earlier(tx, 1_001)
        assert no_shows.end_no_shows(tx, {}) == []


def test_where_nobody_comes_the_match_is_decided_as_it_stands() -> None:
    assert no_shows.placements([4, 5], {4, 5}) is None
    assert no_shows.placements([4, 5, 6], {5}) == {4: 0, 5: 2, 6: 0}
    assert no_shows.placements([4, 5, 6], {4, 6}) == {4: 1, 5: 0, 6: 1}
