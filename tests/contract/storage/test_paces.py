"""How long tables took and what waits for workers, as forecasts need it."""

from sqlalchemy import text

from storage import identity, paces, tables
from storage.database import Database, Transaction
from storage.paces import Upcoming
from storage.sets import Rule, ensure_rule, plan_sets
from tests.fixtures.records import World, claimed, finished, make_world, new_set, plan


def outsider(tx: Transaction, kind: str) -> tuple[int, int]:
    owner = identity.ensure_owner(tx, f"owner-of-{kind}")
    player = identity.ensure_player(tx, owner, kind, kind)
    return player.id, identity.ensure_version(tx, player.id, "1").id


def play(tx: Transaction, world: World, id: str, began: int, ended: int, **changes: object) -> None:
    plan(tx, world, id, **changes)
    tables.finish(tx, [finished(id, claimed(tx, id).fence)])
    times = {"id": id, "began": began, "ended": ended}
    tx.execute(text("update game_table set claimed_at = :began, ended_at = :ended where id = :id"), times)


def test_the_latest_spans_come_first_and_no_persons(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        person, remote = outsider(tx, "person"), outsider(tx, "remote")
        play(tx, world, "t1", 100, 150)
        play(tx, world, "t2", 120, 200)
        play(tx, world, "t3", 130, 9_000, seats=(person, *world.players[1:]))
        play(tx, world, "t4", 140, 300, seats=(remote, *world.players[1:]))
        play(tx, world, "t5", 150, 400, ladder_id=None, rated=False)
        plan(tx, world, "t6")
        tables.void(tx, "t6", "called off")
    with database.reading() as tx:
        assert paces.spans(tx, 10) == [(150, 400), (120, 200), (100, 150)]
        assert paces.spans(tx, 10, world.ladder_id) == [(140, 300), (120, 200), (100, 150)]
        assert paces.spans(tx, 1, world.ladder_id) == [(140, 300)]


def test_who_sits_where_next_and_behind_how_many(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 6)
        remote = outsider(tx, "remote")
        first, second = world.players[:2], world.players[2:4]
        plan(tx, world, "t1", seats=first)
        plan(tx, world, "t2", seats=first)
        plan(tx, world, "t3", seats=second)
        plan(tx, world, "t4", seats=(remote, world.players[4]))
        plan(tx, world, "t0", seats=(world.players[5], world.players[4]), not_before=2)
        claimed(tx, "t2")
        ladder = world.ladder_id
        assert paces.queued(tx) == 4
        assert paces.upcoming(tx, ladder, first[0][0]) == Upcoming("t2", True, 0)
        assert paces.upcoming(tx, ladder, second[0][0]) == Upcoming("t3", False, 2)
        assert paces.upcoming(tx, ladder, world.players[5][0]) == Upcoming("t0", False, 3)
        assert paces.upcoming(tx, ladder, remote[0]) == Upcoming("t4", False, 0)
        assert paces.upcoming(tx, ladder, 10_000) is None
        assert paces.upcoming(tx, ladder + 1, first[0][0]) is None


def test_an_entrant_of_a_set_sits_at_its_own_table(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 3)
        ensure_rule(tx, world.ladder_id, Rule(3, 2))
        plan_sets(tx, [new_set(world, "s", (0, 1, 2))])
        assert paces.upcoming(tx, world.ladder_id, world.players[2][0]) == Upcoming("s2", False, 2)
