"""Uploaded bundles and the reports of their bots' seats."""

from dataclasses import replace

import pytest

from storage import bundles
from storage.bundles import ReportRow
from storage.database import Database
from storage.errors import Conflict, NotFound
from tests.fixtures.records import make_world, plan

DATA = b"PK\x05\x06" + bytes(18)
REPORT = ReportRow(
    "t1", 1, 0, "namespaces+user", "crash", "exit with 1", 1, None, "Traceback …\n", [(1, 900), (2, 40)]
)


def test_the_same_bytes_are_one_bundle(database: Database) -> None:
    with database.transaction() as tx:
        digest = bundles.store(tx, DATA)
        assert bundles.store(tx, DATA) == digest
    with database.reading() as tx:
        assert bundles.data(tx, digest) == DATA
        with pytest.raises(NotFound, match="no bundle"):
            bundles.data(tx, "0" * 64)


def test_a_program_says_which_bundle() -> None:
    assert bundles.digest_of(bundles.program_of("ab")) == "ab"
    assert bundles.digest_of("greedy") is None


def test_reports_are_kept_by_attempt_and_seat(database: Database) -> None:
    well = replace(REPORT, seat=1, cause=None, why="", code=None, stderr="", times=[])
    again = replace(REPORT, attempt=2, why="exit with 2", code=2)
    with database.transaction() as tx:
        plan(tx, make_world(tx), "t1")
        bundles.report(tx, [again, well, REPORT])
    with database.transaction() as tx:
        bundles.report(tx, [replace(REPORT, why="told once more")])
    with database.reading() as tx:
        assert bundles.reports(tx, "t1") == [replace(REPORT, why="told once more"), well, again]
        assert bundles.reports(tx, "t2") == []


def test_a_report_is_of_a_table_that_there_is(database: Database) -> None:
    with pytest.raises(Conflict), database.transaction() as tx:
        bundles.report(tx, [REPORT])
