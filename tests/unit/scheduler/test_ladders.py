"""Use cases of the continuous ladder, over both databases."""

from collections import Counter

import pytest

from engine_service.core.game import ConfigError
from scheduler import periodic
from scheduler.ladders import Limits, enter_house, open_ladder, plan_next
from scheduler.settings import read
from service.presence import Present
from storage import identity, ladders, planning, tables
from storage.database import Database, now_ms
from storage.errors import Conflict
from storage.ladders import LadderRow
from tests.fixtures.stack import ROSTER, HouseBot

LIMITS = Limits(planned_most=100, tables_at_once=2, longest_wait_ms=60_000)


@pytest.fixture
def ladder(database: Database) -> LadderRow:
    """A ladder of six house bots."""
    with database.transaction() as tx:
        opened = open_ladder(tx, "mushi")
        enter_house(tx, opened, ROSTER[:6])
        return opened


def enter_remote(database: Database, ladder: LadderRow, owner: str, name: str) -> Present:
    with database.transaction() as tx:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, owner), name, "remote")
        version = identity.ensure_version(tx, player.id, "1")
        ladders.enter(tx, ladder.id, player.id, version.id)
        return Present(player.id, version.id, free=1, engine="e")


def planned(database: Database, ids: list[str]) -> list[tables.TableRow]:
    with database.reading() as tx:
        return [tables.find(tx, id) for id in ids]


def test_a_ladder_is_opened_once_and_for_what_it_is(database: Database) -> None:
    with database.transaction() as tx:
        first, second = open_ladder(tx, "mushi"), open_ladder(tx, "mushi/standard")
        assert first == second
        assert (first.name, first.game, first.variant) == ("mushi/standard", "mushi", "standard")
        assert first.config["turn_limit"] == 500, "every key with its value"
        with pytest.raises(ConfigError, match="no game 'chess'"):
            open_ladder(tx, "chess")
        with pytest.raises(ConfigError, match="turn_limit is 0"):
            open_ladder(tx, "mushi", name="odd", settings={"turn_limit": 0})
        with pytest.raises(Conflict):
            open_ladder(tx, "mushi", settings={"turn_limit": 12})


def test_house_bots_enter_once_and_changed_ones_as_new_versions(
    database: Database, ladder: LadderRow
) -> None:
    changed = [HouseBot("random-0", "random", {"nerve": "x" * 100}), *ROSTER[1:6]]
    with database.transaction() as tx:
        before = {one.player_id: one.version for one in ladders.entrants(tx, ladder.id)}
        enter_house(tx, ladder, ROSTER[:6])
        assert {one.player_id: one.version for one in ladders.entrants(tx, ladder.id)} == before
        enter_house(tx, ladder, changed)
        after = {one.name: one.version for one in ladders.entrants(tx, ladder.id)}
    assert after == {"random-0": 2} | {bot.name: 1 for bot in ROSTER[1:6]}


def test_the_next_tables_keep_within_what_everybody_may_play(database: Database, ladder: LadderRow) -> None:
    with database.transaction() as tx:
        ids = plan_next(tx, ladder, {}, LIMITS, seed=1)
        assert plan_next(tx, ladder, {}, LIMITS, seed=2) == [], "all places are taken"
    sat = Counter(seat.player_id for table in planned(database, ids) for seat in table.seats)
    assert set(sat.values()) == {2}


def test_the_queue_of_planned_tables_stays_short(database: Database, ladder: LadderRow) -> None:
    few = Limits(planned_most=3, tables_at_once=50, longest_wait_ms=60_000)
    with database.transaction() as tx:
        assert len(plan_next(tx, ladder, {}, few, seed=1)) == 3
        assert plan_next(tx, ladder, {}, few, seed=2) == []


def test_remote_players_sit_only_when_present_and_with_the_version_that_is(
    database: Database, ladder: LadderRow
) -> None:
    here, away = (enter_remote(database, ladder, "alice", name) for name in ("here", "away"))
    with database.transaction() as tx:
        newer = identity.ensure_version(tx, here.player_id, "2")
        present = {here.player_id: Present(here.player_id, newer.id, 1, "e")}
        ids = plan_next(tx, ladder, present, LIMITS, seed=3)
    seats = [seat for table in planned(database, ids) for seat in table.seats]
    assert [seat.version_id for seat in seats if seat.player_id == here.player_id] == [newer.id], "one place"
    assert away.player_id not in {seat.player_id for seat in seats}


def test_remote_players_who_take_their_time_keep_house_bots_from_nobody(
    database: Database, ladder: LadderRow
) -> None:
    slow = [enter_remote(database, ladder, f"owner-{number}", "slow") for number in range(12)]
    present = {one.player_id: Present(one.player_id, one.version_id, 2, "e") for one in slow}
    with database.transaction() as tx:
        first = plan_next(tx, ladder, present, LIMITS, seed=1)
        again = plan_next(tx, ladder, {}, LIMITS, seed=2)
    assert any(seat.player_id in present for table in planned(database, first) for seat in table.seats)
    assert again, "the house bots' open tables with them are not counted against them"


def test_two_bots_of_one_owner_never_sit_together(database: Database, ladder: LadderRow) -> None:
    present = {}
    for name in ("a", "b", "c"):
        one = enter_remote(database, ladder, "alice", name)
        present[one.player_id] = Present(one.player_id, one.version_id, 2, "e")
    with database.transaction() as tx:
        ids = plan_next(tx, ladder, present, LIMITS, seed=4)
    together = [sum(seat.player_id in present for seat in table.seats) for table in planned(database, ids)]
    assert max(together) == 1
    assert sum(together) >= 3, "each of them plays"


def test_a_window_is_planned_once(database: Database, ladder: LadderRow) -> None:
    settings = read(plan_ms=86_400_000, tables_at_once=1)
    assert periodic.plan_ladders(database, settings, {}) > 0
    with database.transaction() as tx:
        before = planning.records(tx, ladder.id)
        for table in planning.meetings(tx, ladder.id, 100):
            assert len(table) >= 2
    assert periodic.plan_ladders(database, read(plan_ms=86_400_000, tables_at_once=9), {}) == 0
    with database.reading() as tx:
        assert planning.records(tx, ladder.id) == before


def test_a_closed_ladder_plans_nothing(database: Database, ladder: LadderRow) -> None:
    with database.transaction() as tx:
        ladders.set_open(tx, ladder.id, False)
    assert periodic.plan_ladders(database, read(), {}) == 0


def test_old_windows_are_forgotten_and_recent_ones_not(database: Database, ladder: LadderRow) -> None:
    from storage import windows

    with database.transaction() as tx:
        now = now_ms(tx)
        for start in (now - 7_200_000, now):
            assert windows.once(tx, f"ladder/{ladder.id}", start)
    periodic.tidy(database, read(windows_kept_ms=3_600_000))
    with database.transaction() as tx:
        assert windows.once(tx, f"ladder/{ladder.id}", now - 7_200_000)
        assert not windows.once(tx, f"ladder/{ladder.id}", now)
