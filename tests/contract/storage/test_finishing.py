"""Results: once a table, in the ledger's order, whatever is repeated and whoever races."""

import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest
from sqlalchemy import func, select

from ratings.follow import fold_ladder, rebuild
from storage import folding, jobs, leagues, ledger, results, tables
from storage.database import Database, Transaction
from storage.errors import NotFound
from storage.finishing import ALL_FORFEITED
from storage.schema import Result
from tests.fixtures.records import World, claimed, finished, make_world, new_table, plan, race

TABLES, WRITERS = 200, 4


def test_a_result_is_kept_as_it_was_given(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1")
        claim = claimed(tx, "t1")
        told = finished(
            "t1", claim.fence, (2, 0, 3, 1), ranks=[1, 0, 3, 2], forfeits={2: "crash"}, strikes=[0, 1, 3, 0]
        )
        assert tables.finish(tx, [told]) == ["done"]
    with database.reading() as tx:
        row = results.get(tx, "t1")
        raw = tx.execute(select(Result.replay)).scalar_one()
    assert row.played.placements == (2, 0, 3, 1)
    assert (row.ranks, row.strikes, row.played.forfeits) == ((1, 0, 3, 2), (0, 1, 3, 0), {2: "crash"})
    assert (row.played.scores, row.played.end, row.played.moves) == ((7, 9, 6, 8), "normal", 17)
    assert row.replay == told.replay
    assert zlib.decompress(raw) == told.replay
    assert len(raw) < len(told.replay) / 4


def test_a_rated_result_takes_its_place_in_the_ledger(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1", "t2", "t3")
        told = [finished(id, claimed(tx, id).fence) for id in ("t3", "t1", "t2")]
        assert tables.finish(tx, told) == ["done"] * 3
        found = ledger.entries(tx, world.ladder_id, 0, 10)
        assert [(entry.place, entry.table_id) for entry in found] == [(0, "t3"), (1, "t1"), (2, "t2")]
        seats = [
            {"player_id": player, "version": 1, "placement": n} for n, (player, _) in enumerate(world.players)
        ]
        assert found[0].content == {"table": "t3", "seats": seats}
        assert [(job.kind, job.key) for job in jobs.due(tx, 10, 0)] == [(jobs.FOLD, str(world.ladder_id))]


@pytest.mark.parametrize("changes", [{"rated": False}, {"ladder_id": None}])
def test_an_unrated_result_does_not(database: Database, changes: dict[str, object]) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1", **changes)
        assert tables.finish(tx, [finished("t1", claimed(tx, "t1").fence)]) == ["done"]
        assert ledger.count(tx, world.ladder_id) == 0
        assert jobs.due(tx, 10, 0) == []


def test_saying_it_again_is_harmless(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1")
        told = finished("t1", claimed(tx, "t1").fence)
    for answer in (["done", "already"], ["already", "already"]):
        with database.transaction() as tx:
            assert tables.finish(tx, [told, told]) == answer
    with database.reading() as tx:
        assert ledger.count(tx, world.ladder_id) == 1


def test_the_first_result_stands(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1")
        old = claimed(tx, "t1", lease_ms=0)
        new = claimed(tx, "t1")
        assert tables.finish(tx, [finished("t1", old.fence, (3, 2, 1, 0))]) == ["stale"]
        assert tables.finish(tx, [finished("t1", new.fence)]) == ["done"]
        assert tables.finish(tx, [finished("t1", old.fence, (3, 2, 1, 0))]) == ["stale"]
        assert results.get(tx, "t1").played.placements == (0, 1, 2, 3)


def test_each_table_gets_its_own_answer(database: Database) -> None:
    with database.transaction() as tx:
        plan(tx, make_world(tx), "good", "void", "planned")
        good, void = claimed(tx, "good"), claimed(tx, "void")
        tables.void(tx, "void", "called off")
        told = [
            finished("void", void.fence),
            finished("good", good.fence),
            finished("none", 1),
            finished("planned", 0),
        ]
        assert tables.finish(tx, told) == ["stale", "done", "stale", "stale"]
        assert tables.finish(tx, []) == []


def test_a_table_on_which_all_forfeited_is_void(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "t1")
        told = finished("t1", claimed(tx, "t1").fence, forfeits=dict.fromkeys(range(4), "timeout"))
        assert tables.finish(tx, [told]) == ["void"]
        assert tables.finish(tx, [told]) == ["already"]
        table = tables.find(tx, "t1")
        assert (table.state, table.void_reason) == (tables.VOID, ALL_FORFEITED)
        assert ledger.count(tx, world.ladder_id) == 0
        with pytest.raises(NotFound):
            results.get(tx, "t1")


def test_the_last_table_of_a_round_adds_its_job(database: Database) -> None:
    with database.transaction() as tx:
        world, round_id = _round(tx, "t1", "t2", "t3")
        tables.finish(tx, [finished("t1", claimed(tx, "t1").fence)])
        tables.void(tx, "t2", "called off")
        assert not leagues.close_round(tx, round_id)
        assert jobs.ROUND not in {job.kind for job in jobs.due(tx, 10, 0)}
        tables.finish(tx, [finished("t3", claimed(tx, "t3").fence)])
        assert (jobs.ROUND, str(round_id)) in {(job.kind, job.key) for job in jobs.due(tx, 10, 0)}
        assert world.ladder_id
        assert leagues.close_round(tx, round_id)
        assert not leagues.close_round(tx, round_id)


@pytest.mark.parametrize("end", ["void", "fail", "lease", "forfeits"])
def test_a_round_may_end_with_a_void_table(database: Database, end: str) -> None:
    with database.transaction() as tx:
        _, round_id = _round(tx, "t1")
        _end_without_result(tx, end)
        assert tables.find(tx, "t1").state == tables.VOID
        assert [(job.kind, job.key) for job in jobs.due(tx, 10, 0)] == [(jobs.ROUND, str(round_id))]


@pytest.mark.parametrize("attempt", range(4))
def test_when_the_two_last_tables_end_at_once_the_round_ends(database: Database, attempt: int) -> None:
    with database.transaction() as tx:
        world, round_id = _round(tx, "t1", "t2")
        left = [finished(id, claimed(tx, id).fence) for id in ("t1", "t2")]
    # A list's pop is atomic: each of the two takes one of the results.
    assert race(database, 2, lambda tx: tables.finish(tx, [left.pop()])) == [["done"], ["done"]]
    with database.reading() as tx:
        assert (jobs.ROUND, str(round_id)) in {(job.kind, job.key) for job in jobs.due(tx, 10, 0)}, attempt
        assert ledger.count(tx, world.ladder_id) == 2


def test_of_triple_deliveries_one_counts(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, *(f"t{number}" for number in range(10)))
        told = [finished(f"t{n}", claimed(tx, f"t{n}").fence) for n in range(10)]
    answers = race(database, 3, lambda tx: tables.finish(tx, told))
    assert [Counter(column) for column in zip(*answers, strict=True)] == [Counter(done=1, already=2)] * 10
    with database.reading() as tx:
        assert ledger.count(tx, world.ladder_id) == 10
        assert tx.execute(select(func.count()).select_from(Result)).scalar_one() == 10


def test_many_tables_by_many_writers(database: Database) -> None:
    """Every delivery comes twice, writers and folders work at once; each table counts once."""
    world, told = _many(database)
    batches = [told[n : n + 5] for n in range(0, TABLES, 5)] * 2

    def write(batch: list[tables.Finished]) -> None:
        with database.transaction() as tx:
            tables.finish(tx, batch)
        fold_ladder(database, world.ladder_id)

    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(write, batches))
    _check_many(database, world)


def _many(database: Database) -> tuple[World, list[tables.Finished]]:
    with database.transaction() as tx:
        world = make_world(tx, players=8)
        ids = [f"t{number:03}" for number in range(TABLES)]
        seats = list(permutations(world.players, 4))
        plans = [new_table(world, id, seats=seats[n * 7 % len(seats)]) for n, id in enumerate(ids)]
        tables.plan(tx, plans)
        orders = [(0, 1, 2, 3), (1, 0, 3, 2), (0, 0, 2, 3), (3, 2, 1, 0), (0, 1, 1, 1)]
        told = [finished(id, claimed(tx, id).fence, orders[n % 5]) for n, id in enumerate(ids)]
    return world, told


def _check_many(database: Database, world: World) -> None:
    with database.reading() as tx:
        entries = ledger.entries(tx, world.ladder_id, 0, 2 * TABLES)
        assert [entry.place for entry in entries] == list(range(TABLES))
        assert {entry.table_id for entry in entries} == {f"t{number:03}" for number in range(TABLES)}
        at = folding.progress(tx, world.ladder_id)
        assert (at.folded, at.entries) == (TABLES, TABLES)
        games = sum(row.games for row in folding.standings(tx, world.ladder_id))
        assert games == 4 * TABLES
        assert jobs.due(tx, 10, 0) == []
    found = rebuild(database, world.ladder_id)
    assert found.equal, found.difference


def _round(tx: Transaction, *ids: str, number: int = 0) -> tuple[World, int]:
    world = make_world(tx)
    league = leagues.ensure_league(
        tx,
        "summer",
        world.ladder_id,
        cron="* * * * *",
        zone="UTC",
        seats=4,
        tables_each=1,
        rounds=9,
        clock={},
    )
    opened = leagues.open_round(tx, leagues.open_season(tx, league.id).id, number)
    assert opened is not None
    plan(tx, world, *ids, round_id=opened.id)
    return world, opened.id


def _end_without_result(tx: Transaction, end: str) -> None:
    if end == "void":
        tables.void(tx, "t1", "called off")
    elif end == "fail":
        for _ in range(3):
            tables.fail(tx, "t1", claimed(tx, "t1").fence, "engine", "no memory")
    elif end == "lease":
        for _ in range(3):
            claimed(tx, "t1", lease_ms=0)
        tables.claim(tx, "t1", "engine:2", 1000, b"s" * 32)
    else:
        told = finished("t1", claimed(tx, "t1").fence, forfeits=dict.fromkeys(range(4), "crash"))
        tables.finish(tx, [told])
