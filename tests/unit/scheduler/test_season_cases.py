"""Seasons over both databases: their states, who may join, divisions from one season to the next."""

from collections.abc import Callable
from typing import Any

import pytest

from scheduler import leagues, seasons
from scheduler.domain.seasons import DOWN, STAYS, UP
from scheduler.ladders import enter_house, open_ladder
from storage import identity, tables
from storage import ladders as ladder_rows
from storage import leagues as rows
from storage import seasons as season_rows
from storage.database import Database
from storage.errors import Conflict
from storage.ladders import LadderRow
from storage.leagues import LeagueRow
from tests.fixtures.stack import ROSTER
from tests.unit.scheduler.test_leagues import OFTEN, do_jobs, end, open_now


@pytest.fixture
def ladder(database: Database) -> LadderRow:
    with database.transaction() as tx:
        return open_ladder(tx, "mushi")


@pytest.fixture
def found(database: Database, ladder: LadderRow) -> Callable[..., tuple[LeagueRow, list[int]]]:
    """Founds the league, its season not begun; gives the ids of the ladder's house bots too."""

    def found_league(**changes: Any) -> tuple[LeagueRow, list[int]]:
        values: dict[str, Any] = {"cron_line": OFTEN, "zone": "UTC", "seats": 3, "rounds": 2}
        with database.transaction() as tx:
            league = leagues.create_league(tx, "evening", ladder.name, **{**values, **changes})
            return league, enter_house(tx, ladder, ROSTER)

    return found_league


Found = Callable[..., tuple[LeagueRow, list[int]]]


def play_round(database: Database, league: LeagueRow, window: int) -> leagues.Opened:
    """A round from its opening to its end, the lower player id always ahead."""
    with database.reading() as tx:
        season = rows.current_season(tx, league.id)
    assert season is not None
    opened = open_now(database, league, season, window)
    assert opened is not None
    with database.transaction() as tx:
        for id in opened.tables:
            claim = tables.claim(tx, id, "engine", 60_000, bytes(32))
            assert isinstance(claim, tables.Claim)
            players = [seat.player_id for seat in claim.table.seats]
            order = [sorted(players).index(player) for player in players]
            strikes = [0] * len(order)
            done = tables.Finished(id, claim.fence, "normal", order, order, order, {}, strikes, 9, b"{}\n")
            assert tables.finish(tx, [done]) == ["done"]
    do_jobs(database)
    return opened


def state_of(database: Database, league: LeagueRow) -> str:
    with database.reading() as tx:
        return rows.seasons(tx, league.id)[0].state


def take(database: Database, league: LeagueRow, verb: str) -> str:
    with database.transaction() as tx:
        return seasons.step(tx, league, verb)


def test_a_draft_is_published_paused_resumed_and_closed(database: Database, found: Found) -> None:
    league, players = found()
    with database.transaction() as tx:
        season = seasons.open_season(tx, league, players, draft=True)
        assert leagues.due_window(tx, league) is None
    assert open_now(database, league, season, 1_000) is None
    assert take(database, league, "publish") == "open"
    assert take(database, league, "pause") == "paused"
    assert open_now(database, league, season, 1_000) is None
    assert take(database, league, "resume") == "open"
    opened = open_now(database, league, season, 1_000)
    assert opened is not None
    assert take(database, league, "pause") == "paused"
    end(database, opened.tables)
    do_jobs(database)
    assert open_now(database, league, season, 2_000) is None
    assert take(database, league, "resume") == "running"
    second = open_now(database, league, season, 2_000)
    assert second is not None
    assert state_of(database, league) == "closing"
    end(database, second.tables)
    do_jobs(database)
    assert state_of(database, league) == "closed"


@pytest.mark.parametrize("verb", ["publish", "resume"])
def test_what_cannot_be_done_now_says_why(database: Database, found: Found, verb: str) -> None:
    league, players = found()
    with pytest.raises(Conflict, match="evening has no season now"):
        take(database, league, verb)
    with database.transaction() as tx:
        seasons.open_season(tx, league, players)
    with pytest.raises(Conflict, match=f"season 1 of evening is open; one can {verb} it while it is"):
        take(database, league, verb)


def test_a_season_closed_early_ends_with_the_round_under_way(database: Database, found: Found) -> None:
    league, players = found(rounds=5)
    with database.transaction() as tx:
        season = seasons.open_season(tx, league, players)
    opened = open_now(database, league, season, 1_000)
    assert opened is not None
    assert take(database, league, "close") == "closing"
    assert open_now(database, league, season, 2_000) is None
    end(database, opened.tables)
    do_jobs(database)
    assert state_of(database, league) == "closed"
    with database.reading() as tx:
        assert {one.tables for one in season_rows.finishes(tx, season.id)} == {1}


def test_a_season_without_a_round_closes_at_once(database: Database, found: Found) -> None:
    league, players = found()
    with database.transaction() as tx:
        seasons.open_season(tx, league, players)
    assert take(database, league, "close") == "closed"


def test_registration_holds_the_first_round_back(database: Database, found: Found) -> None:
    league, players = found(registration_ms=3_600_000)
    with database.transaction() as tx:
        season = seasons.open_season(tx, league, players)
        assert season.registration_until == season.opened_at + 3_600_000
        assert leagues.due_window(tx, league) is None


def test_whoever_comes_late_is_in_the_lowest_division(database: Database, found: Found) -> None:
    league, players = found(division_size=4, join_rounds=1)
    with database.transaction() as tx:
        season = seasons.open_season(tx, league, players[:8])
    play_round(database, league, 1_000)
    with database.transaction() as tx:
        assert seasons.join(tx, league, players[8])
        assert not seasons.join(tx, league, players[8])
        divisions = {one.player_id: one.division for one in season_rows.members(tx, season.id)}
    assert sorted(divisions.values()) == [1, 1, 1, 1, 2, 2, 2, 2, 2]
    assert divisions[players[8]] == 2
    play_round(database, league, 2_000)
    with database.transaction() as tx, pytest.raises(Conflict, match="has no season now"):
        seasons.join(tx, league, players[8])


def test_joining_ends_with_the_round_that_was_said(
    database: Database, found: Found, ladder: LadderRow
) -> None:
    league, players = found(join_rounds=0)
    with database.transaction() as tx:
        stranger = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "bot", "remote")
        seasons.open_season(tx, league, players[:6])
        with pytest.raises(Conflict, match="only who is on the ladder mushi/standard may join"):
            seasons.join(tx, league, stranger.id)
        ladder_rows.enter(tx, ladder.id, stranger.id, identity.ensure_version(tx, stranger.id, "1").id)
    play_round(database, league, 1_000)
    with database.transaction() as tx, pytest.raises(Conflict, match="until its round 1 begins"):
        seasons.join(tx, league, stranger.id)


def test_divisions_play_among_themselves_and_the_best_go_up(database: Database, found: Found) -> None:
    league, players = found(division_size=4, movers=1, rounds=1, repeats=True)
    field = players[:8]
    with database.transaction() as tx:
        season = seasons.open_season(tx, league, field)
    opened = play_round(database, league, 1_000)
    with database.reading() as tx:
        divisions = {one.player_id: one.division for one in season_rows.members(tx, season.id)}
        for id in opened.tables:
            assert len({divisions[seat.player_id] for seat in tables.find(tx, id).seats}) == 1
        finishes = season_rows.finishes(tx, season.id)
        following = rows.current_season(tx, league.id)
    assert [(one.division, one.rank) for one in finishes] == sorted(
        (one.division, one.rank) for one in finishes
    )
    moves = {one.player_id: one.move for one in finishes}
    assert sorted(moves.values()) == [DOWN, *[STAYS] * 6, UP]
    assert following is not None
    assert (following.number, following.state) == (2, "open")
    play_round(database, league, 3_000)
    with database.reading() as tx:
        again = {one.player_id: one.division for one in season_rows.members(tx, following.id)}
    for player in field:
        assert again[player] == (divisions[player] or 0) - moves[player]


def test_what_somebody_who_left_has_played_stands(database: Database, found: Found) -> None:
    league, players = found(division_size=6, movers=2, rounds=2)
    with database.transaction() as tx:
        season = seasons.open_season(tx, league, players[:6])
    play_round(database, league, 1_000)
    with database.transaction() as tx:
        assert seasons.leave(tx, league, players[0])
        assert not seasons.leave(tx, league, players[0])
    play_round(database, league, 2_000)
    with database.reading() as tx:
        finishes = {one.player_id: one for one in season_rows.finishes(tx, season.id)}
    assert finishes[players[0]].tables == 1
    assert finishes[players[0]].move == STAYS
    assert all(finishes[player].tables == 2 for player in players[1:6])


def test_a_division_that_shrank_plays_with_the_one_above(database: Database, found: Found) -> None:
    league, players = found(division_size=4, rounds=2, seats=2)
    with database.transaction() as tx:
        season = seasons.open_season(tx, league, players[:8])
    play_round(database, league, 1_000)
    with database.transaction() as tx:
        lower = [one.player_id for one in season_rows.members(tx, season.id) if one.division == 2]
        for player in lower[:3]:
            seasons.leave(tx, league, player)
    play_round(database, league, 2_000)
    with database.reading() as tx:
        upper, below = seasons.standings(tx, season.id)
    assert [len(upper), len(below)] == [4, 4]
    assert {line.player: line.tables for line in below}[lower[3]] == 2
    assert below[0].rank == 1


def test_a_division_is_a_table_or_more(found: Found) -> None:
    with pytest.raises(Conflict, match="a division has a table's 3 players or more"):
        found(division_size=2)
