"""Trials of uploaded versions: planned, decided by what became of their tables, and tried again after a bench."""

import pytest

from scheduler import bots, periodic, trials
from scheduler.settings import SchedulerSettings, read
from storage import bundles, identity, ladders, ledger, submissions, tables
from storage.bounds import Bounds
from storage.bundles import ReportRow
from storage.database import Database, Transaction
from storage.errors import Conflict
from storage.quotas import Quota
from storage.submissions import NewSubmission, SubmissionRow
from tests.fixtures.records import World, claimed, finished, make_world, plan

TWO = ("mushi/standard", "mushi/other")


@pytest.fixture
def world(database: Database) -> World:
    with database.transaction() as tx:
        make_world(tx, 0, name="mushi/other")
        return make_world(tx, 4)


def hand_in(tx: Transaction, text: str = "1", games: tuple[str, ...] = TWO[:1]) -> SubmissionRow:
    owner_id = identity.ensure_owner(tx, "ann")
    new = NewSubmission(owner_id, text, "climber", "python", games, text.encode())
    return bots.hand_in(tx, new, Quota(1_000, 100), Bounds(10, 100))[0]


def look(database: Database) -> list[str]:
    """One look at the trials; the tables that it planned."""
    with database.transaction() as tx:
        trials.decide(tx)
        return trials.begin(tx)


def now(database: Database, row: SubmissionRow) -> SubmissionRow:
    with database.reading() as tx:
        return submissions.of_version(tx, row.version_id)


def end(database: Database, id: str, why: str | None = None, report: bool = True) -> None:
    """A trial's table has been played; ``why``: the bot's forfeit."""
    with database.transaction() as tx:
        fence = claimed(tx, id).fence
        forfeits = {} if why is None else {"0": why}
        told = finished(id, fence, (0, 1), forfeits=forfeits, scores=[1, 0], ranks=[0, 1], strikes=[0, 0])
        assert tables.finish(tx, [told]) == ["done"]
        if report:
            row = ReportRow(id, 1, 0, "namespaces", why, "exit with 3" if why else "", None, None, "", [])
            bundles.report(tx, [row])


def test_a_trial_is_a_table_on_each_game_with_house_bots(database: Database, world: World) -> None:
    with database.transaction() as tx:
        row = hand_in(tx, games=TWO)
    first, second = look(database)
    assert look(database) == []
    assert now(database, row).state == "qualifying"
    with database.reading() as tx:
        for id in (first, second):
            table = tables.find(tx, id)
            assert (table.rated, table.ladder_id, table.clock["move_ms"]) == (False, None, 2_000)
            assert [seat.kind for seat in table.seats] == ["uploaded", "house"]
    end(database, first)
    look(database)
    assert now(database, row).state == "qualifying"
    end(database, second)
    look(database)
    passed = now(database, row)
    assert (passed.state, passed.level, passed.table_id) == ("active", "namespaces", second)
    with database.reading() as tx:
        for ladder in ladders.ladders(tx):
            assert row.version_id in {one.version_id for one in ladders.entrants(tx, ladder.id)}


def test_whoever_forfeits_is_refused_with_the_reason(database: Database, world: World) -> None:
    with database.transaction() as tx:
        row = hand_in(tx)
    (id,) = look(database)
    end(database, id, "crash")
    look(database)
    refused = now(database, row)
    assert (refused.state, refused.table_id, refused.level) == ("refused", id, "namespaces")
    assert refused.reason == "it forfeited mushi/standard by crash: exit with 3"


def test_a_fault_of_ours_is_tried_again_but_not_for_ever(database: Database, world: World) -> None:
    with database.transaction() as tx:
        row = hand_in(tx)
    (id,) = look(database)
    for state in ("qualifying", "qualifying", "refused"):
        with database.transaction() as tx:
            tables.void(tx, id, "infra")
        id = "".join(look(database))
        assert now(database, row).state == state
    assert "came to nothing (infra), as 2 before it" in now(database, row).reason


def test_a_report_that_never_comes_is_not_waited_for_long(
    database: Database, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as tx:
        row = hand_in(tx)
    (id,) = look(database)
    end(database, id, report=False)
    look(database)
    assert now(database, row).state == "qualifying"
    monkeypatch.setattr(trials, "REPORT_MS", 0)
    look(database)
    assert (now(database, row).state, now(database, row).level) == ("active", "")


def qualified(database: Database, text: str = "1", games: tuple[str, ...] = TWO[:1]) -> SubmissionRow:
    with database.transaction() as tx:
        row = hand_in(tx, text, games)
        bots.begin_trial(tx, row.version_id)
        return bots.qualify(tx, row.version_id, "namespaces")


def test_a_new_version_takes_the_place_of_the_one_before(database: Database, world: World) -> None:
    first = qualified(database, "1", TWO)
    second = qualified(database, "2")
    assert now(database, first).state == "retired"
    assert now(database, first).reason == "version 2 plays now"
    with database.reading() as tx:
        here, other = (ladders.find_ladder(tx, name).id for name in TWO)
        assert [one.version for one in ladders.entrants(tx, here) if one.name == "climber"] == [2]
        assert [one for one in ladders.entrants(tx, other) if one.name == "climber"] == []
        kinds = [entry.kind for entry in ledger.entries(tx, here, 0, 10)]
        assert kinds == [ledger.NEW_VERSION]
    with database.transaction() as tx:  # and back again
        bots.activate(tx, first.version_id)
    assert (now(database, first).state, now(database, second).state) == ("active", "retired")


def test_what_has_not_qualified_cannot_be_activated(database: Database, world: World) -> None:
    with database.transaction() as tx:
        row = hand_in(tx)
        bots.retire(tx, identity.find_player(tx, "ann/climber"))
    with pytest.raises(Conflict, match="has not qualified"), database.transaction() as tx:
        bots.activate(tx, row.version_id)


def test_a_retired_bot_leaves_its_ladders_and_its_tables_stay(database: Database, world: World) -> None:
    row = qualified(database)
    with database.transaction() as tx:
        plan(tx, world, "t1", seats=((row.player_id, row.version_id), *world.players[1:]))
        retired = bots.retire(tx, identity.find_player(tx, "ann/climber"))
    with database.transaction() as tx:  # twice is once
        assert bots.retire(tx, identity.find_player(tx, "ann/climber")) == retired
    with database.reading() as tx:
        assert "climber" not in {one.name for one in ladders.entrants(tx, world.ladder_id)}
        assert tables.find(tx, "t1").seats[0].version_id == row.version_id


def test_tables_that_come_to_nothing_bench_a_version_until_it_is_tried_again(
    database: Database, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = qualified(database)
    for n in range(3):
        with database.transaction() as tx:
            assert trials.bench(tx) == []
            seats = ((row.player_id, row.version_id), *world.players[1:])
            plan(tx, world, f"t{n}", seats=seats)
            tables.void(tx, f"t{n}", "infra")
    with database.transaction() as tx:
        (benched,) = trials.bench(tx)
    assert (benched.state, benched.reason) == (
        "benched", "it crashed at each of its last 3 tables, or they came to nothing; it is tried again in 10 minutes",
    )  # fmt: skip
    with database.reading() as tx:
        assert "climber" not in {one.name for one in ladders.entrants(tx, world.ladder_id)}
    assert look(database) == []
    monkeypatch.setattr(trials, "PAUSE_MS", 0)
    (trial,) = look(database)
    end(database, trial)
    look(database)
    assert now(database, row).state == "active"
    with database.transaction() as tx:
        assert trials.bench(tx) == []


def seated(database: Database, world: World, row: SubmissionRow, id: str) -> None:
    with database.transaction() as tx:
        plan(tx, world, id, seats=(world.players[0], (row.player_id, row.version_id)))


def ends(database: Database, world: World, row: SubmissionRow, id: str, forfeits: dict[str, str]) -> None:
    """A ladder's table of the version, at seat 1, with a house bot's at seat 0."""
    seated(database, world, row, id)
    with database.transaction() as tx:
        fence = claimed(tx, id).fence
        told = finished(id, fence, (0, 1), forfeits=forfeits, scores=[1, 0], ranks=[0, 1], strikes=[0, 0])
        assert tables.finish(tx, [told]) == ["done"]


@pytest.mark.parametrize(
    ("forfeits", "state"),
    [
        ([{"1": "crash"}] * 3, "benched"),
        ([{"1": "crash"}, {}, {"1": "crash"}, {"1": "crash"}], "active"),
        ([{"0": "crash"}] * 3, "active"),
        ([{"1": "timeout"}] * 3, "active"),
    ],
)
def test_crashes_in_a_row_bench_a_version(
    database: Database, world: World, forfeits: list[dict[str, str]], state: str
) -> None:
    row = qualified(database)
    for n, one in enumerate(forfeits):
        ends(database, world, row, f"t{n}", one)
    with database.transaction() as tx:
        trials.bench(tx)
    assert now(database, row).state == state


def test_tables_that_others_spoilt_bench_nobody(database: Database, world: World) -> None:
    row = qualified(database)
    for n in range(3):
        seated(database, world, row, f"t{n}")
        with database.transaction() as tx:
            tables.void(tx, f"t{n}", "absent: a seat had nobody")
    with database.transaction() as tx:
        assert trials.bench(tx) == []


def test_a_window_of_trials_is_looked_at_once(database: Database, world: World) -> None:
    settings: SchedulerSettings = read(plan_ms=3_600_000)
    with database.transaction() as tx:
        hand_in(tx)
    assert [periodic.try_uploads(database, settings) for _ in range(2)] == [1, 0]
