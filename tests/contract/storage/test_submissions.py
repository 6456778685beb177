"""Submitted versions: stored once, counted against a quota, moved from state to state, deleted."""

from dataclasses import replace

import pytest

from storage import bundles, identity, quotas, submissions
from storage.bounds import Bounds
from storage.database import Database, Transaction
from storage.errors import Conflict, Full, Invalid, NotFound, Stale
from storage.quotas import Quota
from storage.submissions import CHECKED, QUALIFYING, RECEIVED, NewSubmission, SubmissionRow
from tests.fixtures.records import make_world, plan

BOUNDS = Bounds(players=5, versions=20)
QUOTA = Quota(stored_bytes=1_000, daily=3)
DATA = b"an archive"


def new(tx: Transaction, owner: str = "ann", **changes: object) -> NewSubmission:
    owner_id = identity.ensure_owner(tx, owner)
    whole = NewSubmission(owner_id, "r1", "climber", "python", ("mushi/standard",), DATA)
    return replace(whole, **changes)  # type: ignore[arg-type]  # each test changes fields of their types


def submit(tx: Transaction, owner: str = "ann", **changes: object) -> tuple[SubmissionRow, bool]:
    return submissions.submit(tx, new(tx, owner, **changes), QUOTA, BOUNDS)


def test_a_bundle_is_taken_in_and_found(database: Database) -> None:
    with database.transaction() as tx:
        row, is_new = submit(tx)
    assert (is_new, row.full_name, row.state, row.games) == (
        True, "ann/climber@1", RECEIVED, ("mushi/standard",),
    )  # fmt: skip
    with database.reading() as tx:
        assert row.digest is not None
        assert bundles.data(tx, row.digest) == DATA
        assert submissions.in_state(tx, RECEIVED, 10) == [row]
        assert [step.state for step in submissions.steps(tx, row.version_id)] == [RECEIVED]


def test_the_same_again_is_answered_and_not_stored(database: Database) -> None:
    with database.transaction() as tx:
        row, _ = submit(tx)
    for request in ("r1", "r2", "r3", "r4", "r5"):
        with database.transaction() as tx:
            assert submit(tx, request_id=request) == (row, False)
    with database.reading() as tx:
        assert submissions.versions(tx, row.player_id, None, 10) == [row]
        assert quotas.usage(tx, row.owner_id, QUOTA).today == 1


def test_a_request_id_is_for_one_bundle(database: Database) -> None:
    with database.transaction() as tx:
        submit(tx)
    with pytest.raises(Conflict, match="use a new request id"), database.transaction() as tx:
        submit(tx, data=b"another")
    with database.transaction() as tx:  # another owner's request of that id is another request
        row, is_new = submit(tx, "bob", data=b"another")
    assert (is_new, row.full_name) == (True, "bob/climber@1")


@pytest.mark.parametrize("request_id", ["", "x" * 65, "a\nb", " a"])
def test_a_request_id_is_a_label(database: Database, request_id: str) -> None:
    with pytest.raises(Invalid, match="request id"), database.transaction() as tx:
        submit(tx, request_id=request_id)


def test_beyond_the_quota_nothing_is_kept(database: Database) -> None:
    with database.transaction() as tx:
        owner_id = identity.ensure_owner(tx, "ann")
        submit(tx, data=b"x" * 900)
    with pytest.raises(Full, match=r"100 of 1000 are left.* 2 uploads"), database.transaction() as tx:
        submit(tx, request_id="r2", data=b"y" * 101)
    with database.transaction() as tx:
        submit(tx, request_id="r3", data=b"a")
        submit(tx, request_id="r4", data=b"b")
    with pytest.raises(Full, match="in 1440 minutes"), database.transaction() as tx:
        submit(tx, request_id="r5", data=b"c")
    with database.reading() as tx:
        used = quotas.usage(tx, owner_id, QUOTA)
        assert (used.stored_bytes, used.today) == (902, 3)
        with pytest.raises(NotFound):
            bundles.data(tx, bundles.address_of(b"c"))


def test_a_version_moves_once(database: Database) -> None:
    with database.transaction() as tx:
        row, _ = submit(tx)
        checked = submissions.move(tx, row, CHECKED)
    with database.transaction() as tx:
        moved = submissions.move(tx, checked, QUALIFYING, "now", level="namespaces", table_id="t", faults=2)
    assert (moved.state, moved.reason, moved.level, moved.table_id, moved.faults) == (
        QUALIFYING, "now", "namespaces", "t", 2,
    )  # fmt: skip
    with pytest.raises(Stale, match="not checked any more"), database.transaction() as tx:
        submissions.move(tx, checked, QUALIFYING)
    with database.reading() as tx:
        assert [one.state for one in submissions.steps(tx, row.version_id)] == [
            RECEIVED, CHECKED, QUALIFYING,
        ]  # fmt: skip


def test_lists_are_an_owners_own_and_come_in_pages(database: Database) -> None:
    with database.transaction() as tx:
        first, _ = submit(tx)
        second, _ = submit(tx, request_id="r2", data=b"2")
        other, _ = submit(tx, request_id="r3", name="zed", data=b"3")
        submit(tx, "bob")
    with database.reading() as tx:
        assert submissions.latest(tx, first.owner_id, "", 10) == [second, other]
        assert submissions.latest(tx, first.owner_id, "climber", 10) == [other]
        assert submissions.versions(tx, first.player_id, None, 1) == [second]
        assert submissions.versions(tx, first.player_id, 2, 10) == [first]


def test_a_deleted_bundle_is_gone_unless_somebody_else_has_it(database: Database) -> None:
    with database.transaction() as tx:
        ann, _ = submit(tx)
        bob, _ = submit(tx, "bob")
        assert ann.digest == bob.digest is not None
        digest = bundles.address_of(DATA)
        submissions.forget(tx, [ann.version_id])
    with database.transaction() as tx:
        assert submissions.of_version(tx, ann.version_id).digest is None
        assert bundles.data(tx, digest) == DATA
        submissions.forget(tx, [bob.version_id])
    with database.reading() as tx, pytest.raises(NotFound):
        bundles.data(tx, digest)
    with database.transaction() as tx:  # handed in again it begins anew, as the version that it was
        again, is_new = submit(tx, request_id="r9")
    assert (is_new, again.version_id, again.state) == (True, ann.version_id, RECEIVED)


def test_a_bundle_whose_table_is_to_be_played_stays(database: Database) -> None:
    with database.transaction() as tx:
        row, _ = submit(tx)
        world = make_world(tx)
        world = replace(world, players=[(row.player_id, row.version_id), *world.players[1:]])
        plan(tx, world, "t1")
    with pytest.raises(Conflict, match="table t1 is still to be played"), database.transaction() as tx:
        submissions.forget(tx, [row.version_id])
