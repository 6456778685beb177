"""Every promise of the data: kept by what the product writes, and seen when somebody breaks it."""

import pytest
from sqlalchemy import text

from scheduler.auditing import PROMISES, RATINGS_FOLLOW, REPLAYS_VERIFY, audit, audit_nightly
from scheduler.settings import read
from storage import actions, findings
from storage.database import Database
from storage.invariants import EXAMPLES
from tests.fixtures.garden import Garden

BREACHES = {
    "done_has_result": "delete from result where table_id = 'GARDEN00001'",
    "result_is_done": "update game_table set state = 'void' where id = 'GARDEN00002'",
    "end_has_time": "update game_table set ended_at = null where id = 'GARDEN00001'",
    "lease_is_held": "update game_table set lease_owner = 'nobody' where id = 'GARDEN00001'",
    "lease_is_fresh": "update game_table set lease_until = 5 where id = 'GARDEN00004'",
    "seats_are_full": "update game_table set seats = 6 where id = 'GARDEN00001'",
    "attempts_are_few": "update game_table set attempt = 4 where id = 'GARDEN00001'",
    "result_is_rated": "delete from ledger_entry where table_id = 'GARDEN00003'",
    "entry_has_result": "update game_table set rated = false where id = 'GARDEN00001'",
    "ledger_has_no_gap": "delete from ledger_entry where place = 0",
    "fold_goes_on": "update ladder set folded_place = folded_place - 1",
    "round_goes_on": "update league_round set state = 'running'",
    "commitment_fits": "update game_table set commitment = 'false' where id = 'GARDEN00001'",
    "entry_fits_result": "update result set placements = '[5, 6]' where table_id = 'GARDEN00002'",
    "set_goes_on": "update game_table set state = 'void' where id like 'GARDENSET007-%'",
    "set_shares_a_deal": "update game_table set seed = (select seed from game_table where id = 'GARDEN00001') "
    "where id = 'GARDENSET007-1'",
    "set_has_entry": "update game_set set place = null where id = 'GARDENSET006'",
    "entry_fits_set": "update game_set set place = 1 where id = 'GARDENSET005'",
    RATINGS_FOLLOW: "update rating set mean = mean + 1 where player_id = 1",
    REPLAYS_VERIFY: "update result set ranks = '[2, 2]' where table_id = 'GARDEN00003'",
}


@pytest.fixture
def garden(database: Database) -> Garden:
    """Three rated tables, one of them in a league's round that is over, and one in play; and three sets
    of a game that is played together, the last of them planned."""
    garden = Garden(database)
    seats = [garden.plant("ann", "a", "remote", 1), garden.plant("bob", "b", "remote", 2)]
    for _ in range(2):
        garden.play(seats)
    league = garden.found_league(seats=2)
    garden.play_round(league, 1000, tables=1)
    garden.start(garden.plan(seats))
    for unplayed in (0, 0, 2):
        garden.play_set(seats, unplayed=unplayed)
    with database.transaction() as tx:
        tx.execute(text("delete from job where kind = 'round'"))  # a worker would have done it
    garden.rate()
    return garden


def looked(database: Database) -> dict[str, int]:
    return {one.promise: one.count for one in audit(database)}


def test_what_the_product_writes_keeps_every_promise(garden: Garden) -> None:
    assert looked(garden.database) == dict.fromkeys(PROMISES, 0)


def test_each_broken_promise_is_seen_and_named(garden: Garden) -> None:
    assert BREACHES.keys() == PROMISES.keys()
    with garden.database.transaction() as tx:
        for promise, breach in BREACHES.items():
            changed = tx.execute(text(breach)).rowcount  # type: ignore[attr-defined]  # a CursorResult
            assert changed, promise
    for found in audit(garden.database):
        assert found.count, found.promise
        assert 1 <= len(found.examples) <= EXAMPLES


def test_a_night_has_one_audit_whose_findings_are_kept(garden: Garden) -> None:
    with garden.database.transaction() as tx:
        tx.execute(text(BREACHES["commitment_fits"]))
    settings = read()
    found = audit_nightly(garden.database, settings)
    assert found is not None
    assert audit_nightly(garden.database, settings) is None
    with garden.database.reading() as tx:
        kept = {one.promise: (one.broken, one.examples) for one in findings.latest(tx)}
    assert kept == {one.promise: (one.count, one.examples) for one in found}
    assert kept["commitment_fits"] == (1, ("GARDEN00001",))


def test_an_action_stands_if_its_transaction_does(database: Database) -> None:
    with database.transaction() as tx:
        actions.record(tx, "ann@here", "ladder pause", "mushi/standard", why="a fault")
    with pytest.raises(ZeroDivisionError):
        _record_and_fail(database)
    with database.reading() as tx:
        (row,) = actions.recent(tx, 10)
    assert (row.actor, row.action, row.detail) == ("ann@here", "ladder pause", {"why": "a fault"})


def _record_and_fail(database: Database) -> None:
    with database.transaction() as tx:
        actions.record(tx, "ann@here", "ladder resume", "mushi/standard")
        assert 1 // 0
