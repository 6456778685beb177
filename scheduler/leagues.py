"""Use cases of leagues: seasons of rounds that begin by cron, in which everybody plays equally often.

**Windows.** A round belongs to an instant of the cron schedule. Of several missed ones only the
last counts, and none while a round is being played: a missed window is skipped, never doubled.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from engine_service.core.game import check_seats
from engine_service.games import find
from scheduler import seasons as season_cases
from scheduler.domain import cron
from scheduler.domain.rounds import KIN, KIN_ON_ONE_DEAL, Past, RoundError, Wish, plan_round
from scheduler.domain.seasons import CLOSING, OPEN, RUNNING
from scheduler.domain.sets import LEAST
from scheduler.ladders import owners_of, with_versions
from scheduler.sets import check_size, plan_together
from scheduler.tables import CLOCK, plan_tables
from scheduler.teams import members_here
from storage import figures, ladders, leagues, seasons, sets, tables
from storage.database import Transaction, now_ms
from storage.errors import Conflict
from storage.ladders import EntrantRow, LadderRow
from storage.leagues import LeagueRow, RoundRow, SeasonRow
from storage.sets import Rule

NO_SHOW = "no-show"


@dataclass(frozen=True, slots=True)
class Opened:
    """A round that has begun, with its tables."""

    league: LeagueRow
    season: SeasonRow
    round: RoundRow
    tables: tuple[str, ...]


def create_league(
    tx: Transaction,
    name: str,
    ladder_name: str,
    *,
    cron_line: str,
    zone: str,
    seats: int,
    tables_each: int = 1,
    rounds: int = 1,
    clock: Mapping[str, Any] = CLOCK,
    division_size: int = 0,
    movers: int = 0,
    registration_ms: int = 0,
    join_rounds: int | None = None,
    repeats: bool = False,
) -> LeagueRow:
    """The league of that name on an existing ladder, made if missing; see ``storage.leagues.LeagueRow``.

    ``cron_line`` in the time zone ``zone`` says when a round begins. ``seats``: the wanted table size;
    where the ladder is played together, the wanted entrants of a set. CronError, ConfigError
    or Conflict say what is wrong with a schedule, a table size or a number.
    """
    cron.check(cron_line, zone)
    ladder = ladders.find_ladder(tx, ladder_name)
    if sets.find_rule(tx, ladder.id) is None:
        check_seats(find(f"{ladder.game}/{ladder.variant}")[1], seats)
    else:
        check_size(seats)
    if tables_each < 1 or rounds < 1:
        raise Conflict(
            f"a season has one round or more and a round one table or more each, not {rounds}, {tables_each}"
        )
    if min(division_size, movers, registration_ms, join_rounds or 0) < 0 or 0 < division_size < seats:
        raise Conflict(
            f"a division has a table's {seats} players or more (0: none are made), and nothing is negative; "
            f"not divisions of {division_size}, {movers} movers, {registration_ms} ms of registration, "
            f"joining for {join_rounds} rounds"
        )
    return leagues.ensure_league(
        tx,
        name,
        ladder.id,
        cron=cron_line,
        zone=zone,
        seats=seats,
        tables_each=tables_each,
        rounds=rounds,
        clock=dict(clock),
        division_size=division_size,
        movers=movers,
        registration_ms=registration_ms,
        join_rounds=join_rounds,
        repeats=repeats,
    )


def due_window(tx: Transaction, league: LeagueRow) -> tuple[SeasonRow, int] | None:
    """The season and the window that its next round should begin for now; None if none is due.

    Of several missed windows only the last counts. While a round is being played no other begins,
    nor before registration has ended.
    """
    season = leagues.current_season(tx, league.id)
    if season is None or season.state not in (OPEN, RUNNING):
        return None
    played = leagues.rounds(tx, season.id)
    if len(played) >= league.rounds:
        return None
    registered = max(season.opened_at, season.registration_until or 0)
    since = played[-1].window_start if played else registered
    window = cron.due_window(league.cron, league.zone, since, now_ms(tx))
    return None if window is None else (season, window)


def open_round(
    tx: Transaction, league: LeagueRow, season: SeasonRow, window: int, seed: int
) -> Opened | None:
    """Opens the round of that window and plans its tables; None if it has been opened already, or if
    another round is still played or too few players are in: then the next tick asks again.

    The first round puts everybody into divisions.
    """
    if not season_cases.is_free(tx, season):
        return None
    ladder = ladders.get_ladder(tx, league.ladder_id)
    rule = sets.find_rule(tx, ladder.id)
    wish = wish_of(league, ladder, rule)
    entrants = seasons.entrants(tx, season.id)
    fields = season_cases.fields(tx, league, season, entrants, wish.least)
    before = past(tx, season, entrants)
    try:
        seatings = [
            table for at, field in enumerate(fields) for table in plan_round(field, wish, before, seed + at)
        ]
    except RoundError:
        return None
    opened = leagues.open_round(tx, season.id, window)
    if opened is None:
        return None
    seats = with_versions(tx, ladder, entrants, {}, seatings)
    if rule is None:
        planned = plan_tables(tx, ladder, seats, round_id=opened.id, clock=league.clock)
    else:
        planned = plan_together(tx, ladder, rule.seats, seats, round_id=opened.id, clock=league.clock)
    return Opened(league, season, opened, tuple(planned))


def end_no_shows(tx: Transaction, season: SeasonRow) -> list[str]:
    """Voids the running round's tables that wait for somebody who was not there; their ids.

    For when the next window has come: whoever is missing for a whole round's time does not
    hold the others up. Tables that wait for us are left to wait.
    """
    running = [one.id for one in leagues.rounds(tx, season.id) if one.state != tables.DONE]
    waiting = [table for round_id in running for table in figures.absent_of_round(tx, round_id)]
    return [table for table in waiting if tables.void(tx, table, NO_SHOW)]


def close_round(tx: Transaction, round_id: int) -> bool:
    """Ends a round whose tables have all ended, and the season with its last one. False if it had ended,
    or has not yet."""
    if not leagues.close_round(tx, round_id):
        return False
    season = leagues.get_season(tx, leagues.get_round(tx, round_id).season_id)
    if season.state == CLOSING:
        season_cases.end(tx, season)
    return True


def past(tx: Transaction, season: SeasonRow, entrants: Sequence[EntrantRow]) -> Past:
    """What the season's earlier rounds mean for the next one's tables."""
    met: Counter[tuple[int, int]] = Counter()
    sat: dict[int, Counter[tuple[int, int]]] = {}
    for table in season_cases.played(tx, season.id):
        met.update(combinations(sorted(table.players), 2))
        for place, player in enumerate(table.players):
            sat.setdefault(player, Counter())[len(table.players), place] += 1
    bots = members_here(tx, entrants)
    owners = {one.player_id: owners_of(one, bots.get(one.player_id, ())) for one in entrants}
    league = leagues.get_league(tx, season.league_id)
    is_together = sets.find_rule(tx, league.ladder_id) is not None
    return Past(met, sat, owners, KIN_ON_ONE_DEAL if is_together else KIN)


def wish_of(league: LeagueRow, ladder: LadderRow, rule: Rule | None) -> Wish:
    """What a round's tables should be, or its sets, whose entrants meet as others do at a table."""
    if rule is not None:
        return Wish(league.tables_each, league.seats, LEAST, sets.MOST)
    variant = find(f"{ladder.game}/{ladder.variant}")[1]
    return Wish(league.tables_each, league.seats, variant.min_seats, variant.max_seats)
