"""What stands in a calendar, over both databases."""

from datetime import UTC, datetime

import icalendar
import pytest
from icalendar import Event

from scheduler import calendars, seasons
from storage import leagues, tables
from storage.database import Database
from storage.errors import NotFound
from storage.leagues import LeagueRow
from tests.fixtures.garden import Garden

DAY = 86_400_000


@pytest.fixture
def garden(database: Database) -> Garden:
    garden = Garden(database)
    garden.plant("ann", "one", "remote", 2)
    garden.plant("ann", "two", "remote", 3)
    garden.plant("house", "three", "house", 2)
    return garden


@pytest.fixture
def league(garden: Garden) -> LeagueRow:
    """Two rounds of eight have been played."""
    league = garden.found_league(seats=2)
    for window in (DAY, 2 * DAY):
        garden.play_round(league, window, tables=2)
    return league


def events(text: str) -> list[Event]:
    return list(icalendar.Calendar.from_ical(text).events)


def of_league(garden: Garden, league: LeagueRow) -> str:
    with garden.database.reading() as tx:
        return calendars.league_calendar(tx, league)


def of_owner(garden: Garden, owner: str) -> str:
    with garden.database.reading() as tx:
        return calendars.owner_calendar(tx, owner)


def test_a_league_has_its_rounds_past_and_to_come(garden: Garden, league: LeagueRow) -> None:
    found = events(of_league(garden, league))
    assert [str(one["summary"]) for one in found] == [f"Autumn league: round {n} of 8" for n in range(1, 9)]
    assert [one.start for one in found[:2]] == [
        datetime(1970, 1, 2, tzinfo=UTC),
        datetime(1970, 1, 3, tzinfo=UTC),
    ]
    assert all(one.start > datetime.now(UTC) for one in found[2:])
    assert len({str(one["uid"]) for one in found}) == 8


def test_a_round_keeps_its_name_when_it_has_been_played(garden: Garden, league: LeagueRow) -> None:
    before = [str(one["uid"]) for one in events(of_league(garden, league))]
    assert of_league(garden, league) == of_league(garden, league)
    garden.play_round(league, 3 * DAY, tables=1)
    assert [str(one["uid"]) for one in events(of_league(garden, league))] == before


def test_what_does_not_go_on_has_nothing_to_come(garden: Garden, league: LeagueRow) -> None:
    with garden.database.transaction() as tx:
        seasons.step(tx, league, "pause")
    assert len(events(of_league(garden, league))) == 2
    with garden.database.transaction() as tx:
        seasons.step(tx, league, "close")
    assert len(events(of_league(garden, league))) == 2
    with garden.database.transaction() as tx:
        seasons.open_season(tx, league, [])
    found = [str(one["uid"]) for one in events(of_league(garden, league))]
    assert found[1:3] == ["league-1.season-1.round-2@mamenoki", "league-1.season-2.round-1@mamenoki"]


def test_the_past_is_as_long_as_it_is_useful(
    garden: Garden, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendars, "ROUNDS", 1)
    monkeypatch.setattr(calendars, "COMING", 2)
    assert [str(one["summary"])[-6:] for one in events(of_league(garden, league))] == [
        "2 of 8",
        "3 of 8",
        "4 of 8",
    ]


def test_an_owner_has_its_leagues_rounds_and_its_tables_and_no_ladders(
    garden: Garden, league: LeagueRow
) -> None:
    assert league
    garden.play(garden.players[:2])  # of the ladder
    with garden.database.transaction() as tx:
        (season,) = leagues.seasons(tx, league.id)
        third = leagues.open_round(tx, season.id, 3 * DAY)
    assert third is not None
    planned = garden.plan(garden.players[:2], round_id=third.id)
    called_off = garden.plan(garden.players[:2], round_id=third.id)
    with garden.database.transaction() as tx:
        tables.void(tx, called_off, "called off")
    found = {str(one["uid"]): one for one in events(of_owner(garden, "ann"))}
    rounds = [name for name in found if name.startswith("league-")]
    assert len(rounds) == 8
    assert len(found) == 8 + 4 + 1
    mine = found[f"table-{planned}@mamenoki"]
    assert str(mine["summary"]) == "Autumn league, round 3: mushi/standard (planned)"
    assert "dtend" not in mine


def test_an_owner_has_the_tables_of_its_events(garden: Garden) -> None:
    event = garden.found_event("Cup", {"format": "round-robin", "seats": 2})
    garden.play_event(event, tables=1)
    found = [str(one["summary"]) for one in events(of_owner(garden, "ann"))]
    assert found
    assert all(title.startswith("Cup: mushi/standard") for title in found)


def test_who_has_left_or_owns_nothing_has_an_empty_calendar(garden: Garden, league: LeagueRow) -> None:
    garden.plant("bob", "late", "remote", 2)
    assert events(of_owner(garden, "bob")) == []
    with garden.database.transaction() as tx:
        for planted in garden.players[:2]:
            seasons.leave(tx, league, planted.player_id)
    assert all(str(one["uid"]).startswith("table-") for one in events(of_owner(garden, "ann")))


def test_nobody_is_not_there(garden: Garden) -> None:
    with pytest.raises(NotFound, match="there is no owner 'nobody'"):
        of_owner(garden, "nobody")
