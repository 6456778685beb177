"""Planned tables: their names, seeds and commitments."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from scheduler.ladders import enter_house, open_ladder
from scheduler.tables import CLOCK, plan_tables
from storage import ladders, tables
from storage.database import Database
from storage.new_tables import new_ids
from tests.fixtures.stack import ROSTER


@given(times=st.lists(st.integers(0, 2**48 - 1), min_size=2, max_size=5, unique=True))
def test_names_sort_by_time_and_then_by_order(times: list[int]) -> None:
    names = [name for time in sorted(times) for name in new_ids(time, 3)]
    assert names == sorted(names)
    assert len(set(names)) == len(names)
    assert {len(name) for name in names} == {26}


def test_a_planned_table_is_committed_to_a_seed_that_nobody_is_told(database: Database) -> None:
    with database.transaction() as tx:
        ladder = open_ladder(tx, "mushi")
        enter_house(tx, ladder, ROSTER[:3])
        seats = [(one.player_id, one.version_id) for one in ladders.entrants(tx, ladder.id)]
        ids = plan_tables(tx, ladder, [seats, seats[:2]])
    with database.reading() as tx:
        one, other = (tables.find(tx, id) for id in ids)
    assert (one.seed, other.seed) == (None, None)
    assert one.commitment != other.commitment
    assert [len(one.seats), len(other.seats)] == [3, 2]
    assert (one.clock, one.rated, one.state) == (dict(CLOCK), True, "planned")
    with database.transaction() as tx:
        claim = tables.claim(tx, ids[0], "engine", 1_000, bytes(32))
    assert isinstance(claim, tables.Claim)
    assert claim.table.seed is not None
    assert sha256(claim.table.seed).hexdigest() == one.commitment
