"""Lists of finished tables."""

import pytest

from storage import results, tables
from storage.database import Database, Transaction, now_ms
from storage.errors import NotFound
from tests.fixtures.records import World, claimed, finished, make_world, plan, seed


def play(tx: Transaction, world: World, id: str, **changes: object) -> None:
    """Plays a table to its end, later than the ones before."""
    plan(tx, world, id, **changes)
    placements = range(len(tables.find(tx, id).seats))
    tables.finish(tx, [finished(id, claimed(tx, id).fence, tuple(placements))])
    now = now_ms(tx)
    while now_ms(tx) == now:
        pass


def ids(rows: list[results.PlayedRow]) -> list[str]:
    return [row.table_id for row in rows]


def test_recent_tables_in_pages(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        for number in range(5):
            play(tx, world, f"t{number}")
        plan(tx, world, "open")
        first = results.recent(tx, world.ladder_id, None, 2)
        assert ids(first) == ["t4", "t3"]
        assert ids(results.recent(tx, world.ladder_id, "t3", 2)) == ["t2", "t1"]
        assert ids(results.recent(tx, None, "t1", 9)) == ["t0"]
        assert first[0].players == tuple(f"house/bot{number}@1" for number in range(4))
        assert first[0].player_ids == tuple(player for player, _ in world.players)
        with pytest.raises(NotFound):
            results.recent(tx, None, "open", 2)


def test_tables_that_ended_together_are_listed_once_each(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        names = [f"t{number}" for number in range(6)]
        plan(tx, world, *names)
        tables.finish(tx, [finished(id, claimed(tx, id).fence) for id in names])
        listed, before = [], None
        while page := results.recent(tx, None, before, 2):
            listed += ids(page)
            before = listed[-1]
        assert listed == names[::-1]


def test_where_a_player_sat(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        a, b, c, _ = world.players
        play(tx, world, "t1", seats=(a, b))
        play(tx, world, "t2", seats=(b, c, a))
        plan(tx, world, "open", seats=(a, b))
        assert results.sittings(tx, world.ladder_id, a[0], 9) == [(2, (0, 1, 2)), (0, (0, 1))]
        assert results.sittings(tx, world.ladder_id, a[0], 1) == [(2, (0, 1, 2))]
        assert results.sittings(tx, world.ladder_id, c[0], 9) == [(1, (0, 1, 2))]


def test_recent_tables_of_some(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        other = make_world(tx, name="mushi/other")
        a, b, c, _ = world.players
        play(tx, world, "t1", seats=(a, b))
        play(tx, world, "t2", seats=(b, c))
        play(tx, other, "t3", seats=(a, c))
        assert ids(results.recent(tx, world.ladder_id, None, 9)) == ["t2", "t1"]
        assert ids(results.recent(tx, None, None, 9, player_id=a[0])) == ["t3", "t1"]
        assert ids(results.recent(tx, other.ladder_id, None, 9, player_id=b[0])) == []
        assert results.recent(tx, None, None, 1)[0].ladder == "mushi/other"


def test_a_replay_is_withheld_while_its_deal_is_in_play(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1", "t2", seed=seed("shared"))
        told = finished("t1", claimed(tx, "t1").fence)
        tables.finish(tx, [told])
        row = results.get(tx, "t1")
        assert (row.replay, row.seed, row.played.placements) == (None, None, (0, 1, 2, 3))
        tables.finish(tx, [finished("t2", claimed(tx, "t2").fence)])
        row = results.get(tx, "t1")
        assert (row.replay, row.seed) == (told.replay, seed("shared"))


def test_a_table_in_play_has_no_result(database: Database) -> None:
    with database.transaction() as tx:
        plan(tx, make_world(tx), "t1")
        claimed(tx, "t1")
        for id in ("t1", "none"):
            with pytest.raises(NotFound):
                results.get(tx, id)
