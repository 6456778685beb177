"""Use cases of calendars: a league's rounds, and an owner's rounds and tables."""

from collections.abc import Iterator
from itertools import islice

from scheduler.domain.cron import following
from scheduler.domain.exports.calendar import Entry, calendar_of
from storage import calendars, ladders, leagues
from storage.calendars import CalendarTable
from storage.database import Transaction, now_ms
from storage.leagues import OPEN, RUNNING, LeagueRow, SeasonRow
from storage.rows import DONE

ROUNDS = 200
"""Of a league's past."""
COMING = 50
"""Rounds to come: a season may have a thousand."""
TABLES = 200


def league_calendar(tx: Transaction, league: LeagueRow) -> str:
    """The rounds that a league's season has had and will have, and those of seasons before, the latest ones."""
    return calendar_of(league.name, league.zone, _rounds(tx, league))


def owner_calendar(tx: Transaction, owner: str) -> str:
    """The rounds of the leagues that an owner's players are in, and their tables in leagues and events.

    NotFound if there is no such owner. It holds nothing that the pages do not show to everybody.
    """
    owner_id = calendars.find_owner(tx, owner)
    rows = [leagues.get_league(tx, one) for one in calendars.leagues_of_owner(tx, owner_id)]
    entries = [entry for row in rows for entry in _rounds(tx, row)]
    entries += [_table(one) for one in reversed(calendars.tables_of_owner(tx, owner_id, TABLES))]
    return calendar_of(f"mamenoki: {owner}", rows[0].zone if rows else "UTC", entries)


def _rounds(tx: Transaction, league: LeagueRow) -> Iterator[Entry]:
    ladder = ladders.get_ladder(tx, league.ladder_id).name
    seasons = leagues.seasons(tx, league.id)  # the latest first
    past: list[Entry] = []
    for season in seasons:
        begun = leagues.rounds(tx, season.id)[::-1]
        past += [
            _round(league, season, ladder, one.number, one.window_start, one.closed_at, one.opened_at)
            for one in begun[: ROUNDS - len(past)]
        ]
        if len(past) >= ROUNDS:
            break
    yield from reversed(past)
    if seasons:
        yield from _coming(tx, league, seasons[0], ladder)


def _coming(tx: Transaction, league: LeagueRow, season: SeasonRow, ladder: str) -> Iterator[Entry]:
    """The rounds to come, if the season goes on: each at the next time of the schedule."""
    begun = len(leagues.rounds(tx, season.id))
    if season.state not in (OPEN, RUNNING):
        return
    after = max(now_ms(tx), season.registration_until or 0)
    windows = islice(following(league.cron, league.zone, after), min(COMING, league.rounds - begun))
    for number, window in enumerate(windows, begun + 1):
        yield _round(league, season, ladder, number, window, None, season.opened_at)


def _round(
    league: LeagueRow,
    season: SeasonRow,
    ladder: str,
    number: int,
    begins_at: int,
    ends_at: int | None,
    changed_at: int,
) -> Entry:
    return Entry(
        name=f"league-{league.id}.season-{season.number}.round-{number}",
        title=f"{league.name}: round {number} of {league.rounds}",
        text=f"Season {season.number}, played on {ladder}. /leagues/{league.id}",
        begins_at=begins_at,
        ends_at=ends_at,
        changed_at=max(changed_at, ends_at or 0),
    )


def _table(one: CalendarTable) -> Entry:
    of = one.of if one.round is None else f"{one.of}, round {one.round}"
    state = "" if one.state == DONE else f" ({one.state})"
    return Entry(
        name=f"table-{one.table_id}",
        title=f"{of}: {one.game}/{one.variant}{state}",
        text=f"/tables/{one.table_id}",
        begins_at=one.begins_at,
        ends_at=one.ended_at,
        changed_at=one.changed_at,
    )
