"""Tables before they are claimed, and what the scheduler knows of their players."""

import hashlib

import pytest

from storage import identity, planning, tables
from storage.database import Database, Transaction, now_ms
from storage.errors import Conflict, Invalid, NotFound
from storage.tables import Backlog
from tests.fixtures.records import CONFIG, claimed, finished, make_world, new_table, plan, seed

LONG = 30_000


def test_a_planned_table_is_as_it_was_planned(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1")
    with database.reading() as tx:
        table = tables.find(tx, "t1")
    assert table.state == tables.PLANNED
    assert list(table.config) == list(CONFIG)
    assert [seat.full_name for seat in table.seats] == [f"house/bot{number}@1" for number in range(4)]
    assert table.seats[2].settings == {"number": 2}
    assert table.ladder == "mushi/standard"


def test_the_commitment_is_shown_and_the_seed_is_not(database: Database) -> None:
    with database.transaction() as tx:
        plan(tx, make_world(tx), "t1")
        claim = claimed(tx, "t1")
        assert claim.table.seed == seed("t1")
        open_table = tables.find(tx, "t1")
        assert open_table.seed is None
        assert open_table.commitment == hashlib.sha256(seed("t1")).hexdigest()
        assert "seed" not in repr(claim)
        tables.finish(tx, [finished("t1", claim.fence)])
        assert tables.find(tx, "t1").seed == seed("t1")


def test_a_seed_is_secret_until_the_last_table_on_it_has_ended(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1", "t2", seed=seed("shared"))
        tables.finish(tx, [finished("t1", claimed(tx, "t1").fence)])
        assert tables.find(tx, "t1").seed is None
        tables.void(tx, "t2", "called off")
        assert tables.find(tx, "t1").seed == seed("shared")


def test_a_plan_is_whole_or_not_at_all(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1")
    with pytest.raises(Conflict), database.transaction() as tx:
        plan(tx, world, "t0", "t1")
    with database.reading() as tx, pytest.raises(NotFound, match="'t0'"):
        tables.find(tx, "t0")


def test_a_rated_table_seats_a_player_once(sqlite_database: Database) -> None:
    with sqlite_database.transaction() as tx:
        world = make_world(tx)
        twice = (world.players[0], world.players[0])
        with pytest.raises(Invalid, match="once"):
            tables.plan(tx, [new_table(world, "t1", seats=twice)])
        with pytest.raises(Invalid, match="32 bytes"):
            tables.plan(tx, [new_table(world, "t1", seed=b"short")])
        tables.plan(tx, [new_table(world, "t1", seats=twice, rated=False)])
        tables.plan(tx, [])


def test_what_is_due(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        now = now_ms(tx)
        plan(tx, world, "later", not_before=now + LONG)
        plan(tx, world, "second", not_before=now - 10)
        plan(tx, world, "first", not_before=0)
        plan(tx, world, "running")
        claimed(tx, "running")
        found = tables.due(tx, 10, LONG)
        assert {row.id for row in found} == {"first", "second"}
        assert all(row.kinds == ("house",) * 4 and row.attempt == 0 for row in found)
        assert all(0 <= row.waited_ms < LONG for row in found)
        assert len(tables.due(tx, 1, LONG)) == 1


def test_what_was_sent_is_not_due_until_its_time(database: Database) -> None:
    with database.transaction() as tx:
        plan(tx, make_world(tx), "t1", "t2")
        tables.mark_sent(tx, ["t1"])
        tables.mark_sent(tx, [])
        assert [row.id for row in tables.due(tx, 10, LONG)] == ["t2"]
        assert {row.id for row in tables.due(tx, 10, 0)} == {"t1", "t2"}


def test_an_expired_lease_is_due_once_until_its_time(database: Database) -> None:
    with database.transaction() as tx:
        plan(tx, make_world(tx), "t1")
        tables.mark_sent(tx, ["t1"])
        claimed(tx, "t1", lease_ms=0)
    with database.transaction() as tx:
        (row,) = tables.due(tx, 10, LONG)
        assert (row.id, row.attempt) == ("t1", 1)
        _wait_a_millisecond(tx)
        tables.mark_sent(tx, ["t1"])
        assert tables.due(tx, 10, LONG) == []
        assert len(tables.due(tx, 10, 0)) == 1


def test_the_backlog(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        assert tables.backlog(tx) == Backlog(0, 0, 0, 0)
        plan(tx, world, "t1", "t2", "t3", "t4")
        plan(tx, world, "later", not_before=now_ms(tx) + LONG)
        claimed(tx, "t1")
        tables.finish(tx, [finished("t2", claimed(tx, "t2").fence)])
        found = tables.backlog(tx)
        assert (found.planned, found.waiting, found.running) == (3, 2, 1)
        assert 0 <= found.oldest_ms < LONG


def test_records_of_players(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, players=5)
        a, b, c, d, e = world.players
        plan(tx, world, "t1", seats=(a, b))
        plan(tx, world, "t2", seats=(b, a, c))
        plan(tx, world, "t3", seats=(d, a))
        tables.finish(tx, [finished("t1", claimed(tx, "t1").fence, (0, 1))])
        tables.void(tx, "t3", "called off")
        found = planning.records(tx, world.ladder_id)
        first = found[a[0]]
        assert (first.games, first.open) == (1, 1)
        assert first.seats == {0: 1, 1: 1}
        assert first.sizes == {2: 1, 3: 1}
        assert (found[c[0]].games, found[c[0]].open) == (0, 1)
        assert d[0] not in found
        assert e[0] not in found
        assert first.last_at == tables.find(tx, "t2").planned_at


def test_open_tables_with_a_remote_player_are_told_apart(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, players=2)
        a, b = world.players
        far = identity.ensure_player(tx, identity.ensure_owner(tx, "far"), "away", "remote")
        away = (far.id, identity.ensure_version(tx, far.id, "1").id)
        plan(tx, world, "t1", seats=(a, b))
        plan(tx, world, "t2", seats=(a, away))
        plan(tx, world, "t3", seats=(away, b))
        tables.finish(tx, [finished("t3", claimed(tx, "t3").fence, (0, 1))])
        found = planning.records(tx, world.ladder_id)
        told = {player: (record.open, record.open_remote) for player, record in found.items()}
        assert told == {a[0]: (2, 1), b[0]: (1, 0), away[0]: (1, 1)}


def test_meetings_newest_first(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        a, b, c, _ = world.players
        plan(tx, world, "t1", seats=(a, b))
        _wait_a_millisecond(tx)
        plan(tx, world, "t2", seats=(c, b, a))
        assert planning.meetings(tx, world.ladder_id, 5) == [(c[0], b[0], a[0]), (a[0], b[0])]
        assert planning.meetings(tx, world.ladder_id, 1) == [(c[0], b[0], a[0])]
        latest = planning.records(tx, world.ladder_id, last=1)
        assert {player: record.sizes for player, record in latest.items()} == {
            a[0]: {3: 1},
            b[0]: {3: 1},
            c[0]: {3: 1},
        }


def _wait_a_millisecond(tx: Transaction) -> None:
    now = now_ms(tx)
    while now_ms(tx) == now:
        pass
