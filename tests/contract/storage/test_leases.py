"""Claims: fences, attempts, leases, and the ways a claim ends without a result."""

import hashlib

import pytest

from storage import jobs, tables
from storage.database import Database, Transaction, now_ms
from storage.errors import Invalid
from storage.leases import INFRA, MAX_ATTEMPTS
from storage.tables import Refusal
from tests.fixtures.racers import claim as claim_in_process
from tests.fixtures.racers import in_processes
from tests.fixtures.records import LEASE_MS, claimed, finished, make_world, plan, race, seed

LONG = 30_000


def one_table(tx: Transaction, **changes: object) -> None:
    plan(tx, make_world(tx), "t1", **changes)


def try_claim(tx: Transaction) -> object:
    return tables.claim(tx, "t1", "engine:2", LEASE_MS, seed("fresh"))


def test_the_first_claim_plays_on_the_planned_seed(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        before = now_ms(tx)
        claim = claimed(tx, "t1")
        assert (claim.fence, claim.attempt) == (1, 1)
        assert (claim.table.state, claim.table.lease_owner) == (tables.RUNNING, "engine:1")
        assert claim.table.seed == seed("t1")
        assert claim.table.lease_until is not None
        assert before + LEASE_MS <= claim.table.lease_until <= now_ms(tx) + LEASE_MS


@pytest.mark.parametrize("state", ["missing", "not_due", "running", "done", "void"])
def test_what_cannot_be_claimed(database: Database, state: str) -> None:
    with database.transaction() as tx:
        if state != "missing":
            one_table(tx, not_before=now_ms(tx) + LONG if state == "not_due" else 0)
        if state in {"running", "done"}:
            claim = claimed(tx, "t1")
        if state == "done":
            tables.finish(tx, [finished("t1", claim.fence)])
        if state == "void":
            tables.void(tx, "t1", "called off")
        refusal = try_claim(tx)
        assert isinstance(refusal, Refusal)
        assert refusal.state == state
        if state == "running":
            assert (refusal.owner, refusal.fence) == ("engine:1", 1)


def test_a_seed_has_32_bytes(sqlite_database: Database) -> None:
    with sqlite_database.transaction() as tx, pytest.raises(Invalid, match="32 bytes"):
        tables.claim(tx, "t1", "engine", LEASE_MS, b"short")


def test_an_expired_lease_is_taken_over_on_a_fresh_seed(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        claimed(tx, "t1", lease_ms=0)
        second = claimed(tx, "t1", owner="engine:2")
        assert (second.fence, second.attempt) == (2, 2)
        assert second.table.seed == seed("fresh t1")
        assert second.table.commitment == hashlib.sha256(seed("fresh t1")).hexdigest()
        (lost,) = tables.attempts(tx, "t1")
        assert (lost.fence, lost.attempt, lost.cause) == (1, 1, "lease")
        assert "engine:1" in lost.detail


def test_after_three_lost_leases_the_table_is_void(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        for _ in range(MAX_ATTEMPTS):
            claimed(tx, "t1", lease_ms=0)
        assert try_claim(tx) == Refusal("void")
        table = tables.find(tx, "t1")
        assert (table.state, table.void_reason) == (tables.VOID, INFRA)
        assert [lost.cause for lost in tables.attempts(tx, "t1")] == ["lease"] * 3
        assert try_claim(tx) == Refusal("void")
        assert tables.finish(tx, [finished("t1", 3)]) == ["stale"]
        assert jobs.due(tx, 10, 0) == []  # nothing to fold


def test_a_heartbeat_prolongs_what_is_still_mine(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        plan(tx, world, "mine", "late", "lost", "done")
        claims = [(id, claimed(tx, id, lease_ms=0).fence) for id in ("mine", "late", "lost", "done")]
        claimed(tx, "lost", owner="engine:2")
        tables.finish(tx, [finished("done", 1)])
        assert tables.heartbeat(tx, claims, LONG) == ["lost", "done"]
        assert tables.heartbeat(tx, [], LONG) == []
        until = tables.find(tx, "mine").lease_until
        assert until is not None
        assert until > now_ms(tx)
        assert tables.due(tx, 10, 0) == []  # nobody had taken `late` over: it is mine again


def test_unclaiming_spends_no_attempt(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        claim = claimed(tx, "t1")
        assert tables.unclaim(tx, "t1", claim.fence, "seat 2 did not come", LONG)
        assert not tables.unclaim(tx, "t1", claim.fence, "seat 2 did not come", LONG)
        table = tables.find(tx, "t1")
        assert (table.state, table.attempt, table.lease_owner) == (tables.PLANNED, 0, None)
        assert table.not_before > now_ms(tx)
        (note,) = tables.attempts(tx, "t1")
        assert (note.cause, note.detail) == ("seats", "seat 2 did not come")


def test_unclaimed_tables_come_back_on_the_first_seed(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        for fence in range(1, MAX_ATTEMPTS + 3):
            claim = claimed(tx, "t1")
            assert (claim.fence, claim.attempt, claim.table.seed) == (fence, 1, seed("t1"))
            tables.unclaim(tx, "t1", claim.fence, "nobody came", 0)


def test_failing_three_times_voids(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        answers = []
        for _ in range(MAX_ATTEMPTS):
            claim = claimed(tx, "t1")
            answers.append(tables.fail(tx, "t1", claim.fence, "bridge", "worker 7 went away"))
            assert tables.fail(tx, "t1", claim.fence, "bridge", "said again") == "stale"
        assert answers == ["planned", "planned", "void"]
        assert tables.find(tx, "t1").void_reason == INFRA
        assert [(a.attempt, a.cause) for a in tables.attempts(tx, "t1")] == [
            (1, "bridge"),
            (2, "bridge"),
            (3, "bridge"),
        ]


def test_a_failed_table_is_due_at_once(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        tables.mark_sent(tx, ["t1"])
        claim = claimed(tx, "t1")
        tables.fail(tx, "t1", claim.fence, "engine", "no memory")
        (row,) = tables.due(tx, 10, LONG)
        assert (row.id, row.attempt) == ("t1", 1)


@pytest.mark.parametrize("act", ["fail", "unclaim", "finish"])
def test_an_overtaken_claimer_writes_nothing(database: Database, act: str) -> None:
    with database.transaction() as tx:
        one_table(tx)
        old = claimed(tx, "t1", lease_ms=0)
        new = claimed(tx, "t1", owner="engine:2")
        if act == "fail":
            assert tables.fail(tx, "t1", old.fence, "engine", "late") == "stale"
        elif act == "unclaim":
            assert not tables.unclaim(tx, "t1", old.fence, "late", 0)
        else:
            assert tables.finish(tx, [finished("t1", old.fence)]) == ["stale"]
        table = tables.find(tx, "t1")
        assert (table.state, table.fence, table.lease_owner) == (tables.RUNNING, new.fence, "engine:2")


def test_voiding_puts_a_running_table_out_of_reach(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        claim = claimed(tx, "t1")
        assert tables.void(tx, "t1", "called off")
        assert not tables.void(tx, "t1", "called off")
        assert tables.heartbeat(tx, [("t1", claim.fence)], LONG) == ["t1"]
        assert tables.finish(tx, [finished("t1", claim.fence)]) == ["stale"]
        assert tables.fail(tx, "t1", claim.fence, "engine", "late") == "stale"


def test_of_racing_threads_one_claims(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
    answers = race(database, 6, lambda tx: type(try_claim(tx)))
    assert sorted(kind.__name__ for kind in answers) == ["Claim"] + ["Refusal"] * 5


def test_of_threads_racing_for_an_expired_lease_one_gets_it(database: Database) -> None:
    with database.transaction() as tx:
        one_table(tx)
        claimed(tx, "t1", lease_ms=0)
    answers = race(database, 6, lambda tx: type(try_claim(tx)))
    assert sorted(kind.__name__ for kind in answers) == ["Claim"] + ["Refusal"] * 5
    with database.reading() as tx:
        assert tables.find(tx, "t1").attempt == 2
        assert len(tables.attempts(tx, "t1")) == 1


def test_every_table_delivered_to_every_process_is_claimed_once(
    database: Database, database_url: str
) -> None:
    ids = [f"t{number:02}" for number in range(24)]
    with database.transaction() as tx:
        plan(tx, make_world(tx), *ids)
    deliveries = [(database_url, ids, f"engine:{number}") for number in range(3)]
    got = in_processes(claim_in_process, deliveries)
    assert sorted(id for ids in got for id in ids) == ids
