"""Leagues, seasons and rounds: each round once, whoever asks."""

from typing import Any

import pytest

from storage import identity, ladders, leagues, seasons, tables
from storage.database import Database, Transaction
from storage.errors import Conflict, Invalid, NotFound
from tests.fixtures.records import World, claimed, finished, make_world, plan, race

SETTINGS: dict[str, Any] = {
    "cron": "0 20 * * *",
    "zone": "Europe/Berlin",
    "seats": 4,
    "tables_each": 3,
    "rounds": 2,
    "clock": {"move_ms": 2000},
}


def make_season(tx: Transaction) -> tuple[World, leagues.SeasonRow]:
    world = make_world(tx)
    league = leagues.ensure_league(tx, "summer", world.ladder_id, **SETTINGS)
    season = leagues.open_season(tx, league.id)
    for player, _ in world.players:
        assert seasons.join(tx, season.id, player)
    return world, season


def test_a_league_is_found_again(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        made = leagues.ensure_league(tx, "summer", world.ladder_id, **SETTINGS)
        assert leagues.ensure_league(tx, "summer", world.ladder_id, **SETTINGS) == made
        assert leagues.find_league(tx, "summer") == leagues.get_league(tx, made.id) == made
        assert leagues.leagues(tx) == [made]
        later = leagues.ensure_league(tx, "winter-to-be", world.ladder_id, **SETTINGS)
        assert leagues.leagues(tx, limit=1) == [made]
        assert leagues.leagues(tx, after=made.name, limit=1) == [later]
        assert leagues.leagues(tx, after=later.name) == []
        assert (made.cron, made.zone, made.clock) == ("0 20 * * *", "Europe/Berlin", {"move_ms": 2000})
        other = make_world(tx, name="mushi/other")
        with pytest.raises(Conflict):
            leagues.ensure_league(tx, "summer", other.ladder_id, **SETTINGS)
        with pytest.raises(NotFound):
            leagues.find_league(tx, "winter")
        with pytest.raises(NotFound):
            leagues.get_league(tx, 99)
        for name in ("", " ", "summer ", "sum\nmer", "x" * 61):
            with pytest.raises(Invalid, match="a league's name is 1 to 60"):
                leagues.ensure_league(tx, name, world.ladder_id, **SETTINGS)


def test_one_season_at_a_time(database: Database) -> None:
    with database.transaction() as tx:
        _, season = make_season(tx)
        assert leagues.open_season(tx, season.league_id) == season
        assert leagues.current_season(tx, season.league_id) == season
        assert leagues.close_season(tx, season.id)
        assert not leagues.close_season(tx, season.id)
        assert leagues.current_season(tx, season.league_id) is None
        with pytest.raises(Conflict, match="next one"):
            seasons.join(tx, season.id, 1)
        following = leagues.open_season(tx, season.league_id)
        assert (season.number, following.number) == (1, 2)
        assert [row.number for row in leagues.seasons(tx, season.league_id)] == [2, 1]
        assert leagues.get_season(tx, season.id).state == leagues.CLOSED
        with pytest.raises(NotFound):
            leagues.open_season(tx, 99)


def test_racers_open_one_season(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        league = leagues.ensure_league(tx, "summer", world.ladder_id, **SETTINGS)
    assert len(set(race(database, 6, lambda tx: leagues.open_season(tx, league.id).id))) == 1


def test_entrants_of_a_season_play_the_ladders_version(database: Database) -> None:
    with database.transaction() as tx:
        world, season = make_season(tx)
        first, second, third, _ = (player for player, _ in world.players)
        assert not seasons.join(tx, season.id, first)
        assert seasons.leave(tx, season.id, first)
        assert not seasons.leave(tx, season.id, first)
        version = identity.ensure_version(tx, second, "second")
        ladders.enter(tx, world.ladder_id, second, version.id)
        ladders.leave(tx, world.ladder_id, third)
        found = seasons.entrants(tx, season.id)
        assert [(row.name, row.version) for row in found] == [("bot1", 2), ("bot3", 1)]
        assert seasons.join(tx, season.id, first)
        assert [row.name for row in seasons.entrants(tx, season.id)] == ["bot0", "bot1", "bot3"]
        with pytest.raises(NotFound):
            seasons.join(tx, 99, first)


def test_a_window_opens_one_round(database: Database) -> None:
    with database.transaction() as tx:
        _, season = make_season(tx)
        opened = leagues.open_round(tx, season.id, 1000)
        assert opened is not None
        assert (opened.number, opened.window_start, opened.state) == (1, 1000, leagues.RUNNING)
        assert leagues.open_round(tx, season.id, 1000) is None
        assert leagues.get_season(tx, season.id).state == leagues.RUNNING
        assert leagues.get_round(tx, opened.id) == opened


def test_a_season_has_so_many_rounds(database: Database) -> None:
    with database.transaction() as tx:
        _, season = make_season(tx)
        numbers = [getattr(leagues.open_round(tx, season.id, start), "number", None) for start in (1, 2, 3)]
        assert numbers == [1, 2, None]
        assert [row.number for row in leagues.rounds(tx, season.id)] == [1, 2]


def test_a_closed_season_opens_none(database: Database) -> None:
    with database.transaction() as tx:
        _, season = make_season(tx)
        leagues.close_season(tx, season.id)
        assert leagues.open_round(tx, season.id, 1) is None
        with pytest.raises(NotFound):
            leagues.open_round(tx, 99, 1)


def test_of_racers_one_opens_the_round(database: Database) -> None:
    with database.transaction() as tx:
        _, season = make_season(tx)
    answers = race(database, 6, lambda tx: leagues.open_round(tx, season.id, 1000))
    assert sum(answer is not None for answer in answers) == 1
    with database.reading() as tx:
        assert len(leagues.rounds(tx, season.id)) == 1


def test_games_of_a_season_by_player(database: Database) -> None:
    with database.transaction() as tx:
        world, season = make_season(tx)
        opened = leagues.open_round(tx, season.id, 1000)
        assert opened is not None
        first, second, third, _ = world.players
        plan(tx, world, "t1", "t2", seats=(first, second), round_id=opened.id)
        plan(tx, world, "other", seats=(first, second))
        plan(tx, world, "void", seats=(first, third), round_id=opened.id)
        for id in ("t1", "t2", "other"):
            tables.finish(tx, [finished(id, claimed(tx, id).fence, (0, 1))])
        tables.void(tx, "void", "called off")
        assert seasons.games_per_entrant(tx, season.id) == {first[0]: 2, second[0]: 2}
        assert leagues.close_round(tx, opened.id)
        closed = leagues.get_round(tx, opened.id)
        assert closed.state == "done"
        assert closed.closed_at is not None
        with pytest.raises(NotFound):
            leagues.close_round(tx, 99)
        with pytest.raises(NotFound):
            leagues.get_round(tx, 99)
        with pytest.raises(NotFound):
            leagues.get_season(tx, 99)
