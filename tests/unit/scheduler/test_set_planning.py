"""Sets of the continuous ladder and of a league, over both databases; and who is chosen for them, purely."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_service.core.game import ConfigError
from mamenoki.house.roster import ROSTER
from scheduler import leagues, seasons
from scheduler.collecting import SchedulerCollector
from scheduler.domain.matchmaking import Entrant
from scheduler.domain.sets import lineup, plan_sets
from scheduler.ladders import Limits, enter_house, fairness, open_ladder, plan_next
from scheduler.settings import read
from service.presence import Present
from storage import identity, ladders, ledger, sets, tables
from storage import leagues as leagues_rows
from storage.database import Database, Transaction
from storage.errors import Conflict
from storage.ladders import LadderRow
from storage.sets import Rule, SetRow
from tests.fixtures.records import claimed, scored

LIMITS = Limits(planned_most=100, tables_at_once=2, longest_wait_ms=60_000)
COOP = [bot for bot in ROSTER if (bot.game, bot.variant) == ("morumori", "coop")]


@pytest.fixture
def ladder(database: Database) -> LadderRow:
    """The co-operative ladder with its house bots."""
    with database.transaction() as tx:
        opened = open_ladder(tx, "morumori/coop")
        enter_house(tx, opened, COOP)
        return opened


def sets_of(tx: Transaction, ids: list[str]) -> list[SetRow]:
    found = {one.id: one for id in ids if (one := sets.set_of(tx, id)) is not None}
    return list(found.values())


def play_all(tx: Transaction, ids: list[str]) -> None:
    tables.finish(tx, [scored(claimed(tx, id), number % 3) for number, id in enumerate(ids)])


# Use cases


def test_a_ladder_that_is_played_together_says_how_its_sets_are_made(database: Database) -> None:
    with database.transaction() as tx:
        first = open_ladder(tx, "morumori/coop")
        assert open_ladder(tx, "morumori/coop") == first
        assert sets.find_rule(tx, first.id) == Rule(4, 3)
        wide = open_ladder(tx, "morumori/coop", name="coop/wide", set_size=6, seats=2)
        assert sets.find_rule(tx, wide.id) == Rule(6, 2)
        with pytest.raises(Conflict, match="sets of 4 at tables of 3"):
            open_ladder(tx, "morumori/coop", seats=2)
        assert sets.find_rule(tx, open_ladder(tx, "mushi").id) is None


@pytest.mark.parametrize(
    ("game", "changes", "message"),
    [
        ("morumori/coop", {"seats": 7}, "7"),
        ("morumori/coop", {"set_size": 7}, "2 to 6 entrants, not 7"),
        ("morumori/coop", {"set_size": 1}, "2 to 6 entrants, not 1"),
        ("mushi", {"seats": 3}, "plays against the others"),
        ("mushi", {"set_size": 3}, "plays against the others"),
    ],
)
def test_sizes_that_are_none_are_refused(
    database: Database, game: str, changes: dict[str, int], message: str
) -> None:
    with database.transaction() as tx, pytest.raises(ConfigError, match=message):
        open_ladder(tx, game, name="odd", **changes)


def test_an_entrant_has_all_seats_of_its_table_and_all_tables_one_deal(
    database: Database, ladder: LadderRow
) -> None:
    with database.transaction() as tx:
        ids = plan_next(tx, ladder, {}, LIMITS, seed=1)
        planned = sets_of(tx, ids)
        assert planned
        for one in planned:
            rows = [tables.find(tx, table.table_id) for table in one.tables]
            assert [len({seat.player_id for seat in row.seats}) for row in rows] == [1] * 4
            assert [row.seats[0].player_id for row in rows] == [row.entrant_id for row in rows]
            assert {len(row.seats) for row in rows} == {3}
            assert len({row.commitment for row in rows}) == 1
        assert len({tables.find(tx, id).commitment for id in ids}) == len(planned)


def test_all_entrants_play_equally_often_and_meet_evenly(database: Database, ladder: LadderRow) -> None:
    with database.transaction() as tx:
        for seed in range(6):
            play_all(tx, plan_next(tx, ladder, {}, LIMITS, seed))
        entries = ledger.entries(tx, ladder.id, 0, 1000)
        games = Counter(seat["player_id"] for entry in entries for seat in entry.content["seats"])
        assert len(games) == len(COOP)
        assert max(games.values()) - min(games.values()) <= 3
        assert fairness(tx, ladder, ladders.entrants(tx, ladder.id)).exceeded() == []


def test_open_sets_are_a_metric(sqlite_database: Database, sqlite_url: str) -> None:
    with sqlite_database.transaction() as tx:
        ladder = open_ladder(tx, "morumori/coop")
        open_ladder(tx, "mushi")
        enter_house(tx, ladder, COOP)
        planned = len(sets_of(tx, plan_next(tx, ladder, {}, LIMITS, seed=1)))
    collector = SchedulerCollector(read(database_url=sqlite_url, redis_url="redis://127.0.0.1:1/0"))
    samples = [sample for metric in collector.collect() for sample in metric.samples]
    told = {(sample.name, sample.labels.get("ladder")): sample.value for sample in samples}
    assert told["mamenoki_ladder_open_sets", ladder.name] == planned
    assert ("mamenoki_ladder_open_sets", "mushi/standard") not in told
    assert ("mamenoki_ladder_seat_spread", ladder.name) not in told
    assert ("mamenoki_ladder_games_spread", ladder.name) in told


def test_a_remote_bot_needs_one_place_for_all_its_seats(database: Database, ladder: LadderRow) -> None:
    with database.transaction() as tx:
        here = enter_remote(tx, ladder, "ann", "here")
        away = enter_remote(tx, ladder, "bob", "away")
        ids = plan_next(tx, ladder, {here.player_id: here}, LIMITS, seed=3)
        entrants = Counter(table.entrant_id for one in sets_of(tx, ids) for table in one.tables)
    assert (entrants[here.player_id], entrants[away.player_id]) == (1, 0)


def test_two_bots_of_one_owner_never_play_one_deal(database: Database, ladder: LadderRow) -> None:
    with database.transaction() as tx:
        mine = [enter_remote(tx, ladder, "ann", name) for name in ("a", "b", "c")]
        ids = plan_next(tx, ladder, {one.player_id: one for one in mine}, LIMITS, seed=3)
        owned = {one.player_id for one in mine}
        for one in sets_of(tx, ids):
            assert sum(table.entrant_id in owned for table in one.tables) <= 1


def enter_remote(tx: Transaction, ladder: LadderRow, owner: str, name: str) -> Present:
    player = identity.ensure_player(tx, identity.ensure_owner(tx, owner), name, "remote")
    version = identity.ensure_version(tx, player.id, "1")
    ladders.enter(tx, ladder.id, player.id, version.id)
    return Present(player.id, version.id, free=1, engine="e")


def test_a_leagues_round_is_played_in_sets_and_its_standings_are_theirs(
    database: Database, ladder: LadderRow
) -> None:
    with database.transaction() as tx:
        players = [one.player_id for one in ladders.entrants(tx, ladder.id)]
        league = leagues.create_league(
            tx, "together", ladder.name, cron_line="* * * * *", zone="UTC", seats=4, tables_each=4, rounds=2
        )
        season = seasons.open_season(tx, league, players)
        opened = leagues.open_round(tx, league, season, 1, seed=5)
        assert opened is not None
        entrants = Counter(
            table.entrant_id for one in sets_of(tx, list(opened.tables)) for table in one.tables
        )
        assert entrants == dict.fromkeys(players, 4)
        assert {line.tables for line in seasons.standings(tx, season.id)[0]} == {0}
        play_all(tx, list(opened.tables))
        (lines,) = seasons.standings(tx, season.id)
        assert {line.tables for line in lines} == {4}
        assert {line.possible for line in lines} <= set(range(2 * 4, 2 * 4 * 5))
        assert len({line.rank for line in lines}) > 1
        assert leagues.close_round(tx, opened.round.id)
        again = leagues.open_round(tx, league, leagues_rows.get_season(tx, season.id), 2, seed=6)
        assert again is not None


def test_in_a_league_too_bots_of_one_owner_play_different_deals(
    database: Database, ladder: LadderRow
) -> None:
    with database.transaction() as tx:
        mine = {enter_remote(tx, ladder, "ann", name).player_id for name in ("a", "b", "c")}
        players = [one.player_id for one in ladders.entrants(tx, ladder.id)]
        league = leagues.create_league(
            tx, "kin", ladder.name, cron_line="* * * * *", zone="UTC", seats=3, tables_each=2
        )
        opened = leagues.open_round(tx, league, seasons.open_season(tx, league, players), 1, seed=5)
        assert opened is not None
        for one in sets_of(tx, list(opened.tables)):
            assert sum(table.entrant_id in mine for table in one.tables) <= 1


def test_a_league_of_sets_has_entrants_in_each(database: Database, ladder: LadderRow) -> None:
    with database.transaction() as tx, pytest.raises(ConfigError, match="2 to 6 entrants, not 1"):
        leagues.create_league(tx, "x", ladder.name, cron_line="* * * * *", zone="UTC", seats=1)


# Who is chosen


def entrant(player: int, places: int = 1, waited_ms: int = 0, owners: Sequence[str] = ()) -> Entrant:
    return Entrant(player, frozenset(owners), 0, waited_ms, 25.0, places)


@given(
    count=st.integers(0, 30),
    size=st.integers(2, 6),
    sets_most=st.integers(0, 8),
    seed=st.integers(0, 2**32),
    owners=st.integers(1, 30),
)
def test_no_set_is_small_while_there_are_others(
    count: int, size: int, sets_most: int, seed: int, owners: int
) -> None:
    field = [entrant(n, places=1 + n % 2, owners=[f"owner-{n % owners}"]) for n in range(count)]
    planned = plan_sets(field, size, 1000, sets_most, seed)
    assert planned == plan_sets(field[::-1], size, 1000, sets_most, seed)
    assert len(planned) <= sets_most
    assert {len(one) for one in planned} <= {min(size, count, owners)}
    assert all(len({player % owners for player in one}) == len(one) for one in planned)
    taken = Counter(player for one in planned for player in one)
    assert all(times <= 1 + player % 2 for player, times in taken.items())
    if sets_most and min(size, count, owners) >= 2:
        assert planned


def test_a_set_waits_for_those_who_play_but_not_for_ever() -> None:
    busy = [entrant(n, places=0) for n in range(2)]
    fresh = [entrant(n, waited_ms=500) for n in (2, 3, 4)]
    starved = [entrant(n, waited_ms=1000) for n in (2, 3, 4)]
    assert plan_sets([*busy, *fresh], 4, 1000, 5, 1) == []
    (small,) = plan_sets([*busy, *starved], 4, 1000, 5, 1)
    assert set(small) == {2, 3, 4}
    away = entrant(9, places=0, waited_ms=5000)
    assert len(plan_sets([away, *fresh], 4, 1000, 5, 1)[0]) == 3


@given(
    teams=st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=3), max_size=12),
    size=st.integers(2, 6),
    seed=st.integers(0, 2**32),
)
def test_bots_of_one_owner_meet_in_no_team_either(teams: list[frozenset[str]], size: int, seed: int) -> None:
    field = [entrant(n, owners=sorted(owners)) for n, owners in enumerate(teams)]
    for one in plan_sets(field, size, 1000, 5, seed):
        owners = [owner for player in one for owner in teams[player]]
        assert len(set(owners)) == len(owners)


def test_a_bots_place_is_taken_once_by_it_or_its_team() -> None:
    """Bot 1 plays alone and in a team, and has one place."""
    shared = frozenset({1})
    field = [
        Entrant(1, frozenset({"ann"}), 0, 0, 25.0, 1, bots=shared),
        Entrant(2, frozenset({"ann", "bob"}), 0, 0, 25.0, 1, bots=shared),
        *(entrant(n, places=9) for n in range(3, 9)),
    ]
    for seed in range(20):
        taken = [player for one in plan_sets(field, 3, 1000, 9, seed) for player in one]
        assert taken.count(1) + taken.count(2) == 1


def test_a_team_takes_its_seats_in_turn() -> None:
    one, other = (1, 11), (2, 22)
    assert lineup([one], 3) == (one, one, one)
    assert lineup([one, other], 5) == (one, other, one, other, one)
