"""Use cases of forecasts: what a league's next round and season will take, and when somebody plays next."""

from collections.abc import Mapping
from dataclasses import dataclass

from scheduler import ladders as ladder_cases
from scheduler import seasons as season_cases
from scheduler.domain import cron
from scheduler.domain.forecast import (
    Forecast,
    Pace,
    forecast_round,
    forecast_season,
    pace_of,
    tables_of_round,
)
from scheduler.domain.matchmaking import Entrant, Rules
from scheduler.domain.queueing import Place, Service, place_of, waits
from scheduler.domain.rounds import RoundError
from scheduler.domain.seasons import CLOSING, DRAFT
from scheduler.domain.turns import ABSENT, AWAY, PAUSED, PLANNED, PLAYING, QUEUED, WAITING, Turn
from scheduler.ladders import OURS
from scheduler.leagues import due_window, wish_of
from scheduler.settings import SchedulerSettings
from scheduler.teams import members_here
from service.presence import Present
from storage import ladders, leagues, paces, seasons, sets, tables
from storage.database import Transaction, now_ms
from storage.errors import Conflict
from storage.ladders import LadderRow
from storage.leagues import LeagueRow, SeasonRow

MEASURED = 1_000
"""The latest tables, whose times make a pace."""
NOBODY = 0
"""The id of no player: the next newcomer's."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is to come of a season: ``rounds`` more of ``tables`` each, the next at ``begins_at``.

    ``pace``, ``next_round``, ``season``: None while no table of the ladder has been played.
    """

    rounds: int
    tables: int
    begins_at: int
    pace: Pace | None
    next_round: Forecast | None
    season: Forecast | None


def outlook(tx: Transaction, league: LeagueRow) -> Outlook:
    """The rest of a league's season, as it stands now: as if it were published, or resumed, now.

    As many tables are taken to wait ahead of a round as do now. Conflict, saying why, where no
    round is to come.
    """
    season = leagues.current_season(tx, league.id)
    if season is None:
        raise Conflict(f"{league.name} has no season now; open one first")
    rounds = league.rounds - len(leagues.rounds(tx, season.id))
    if rounds <= 0 or season.state == CLOSING:
        raise Conflict(f"season {season.number} of {league.name} has no round to come")
    now = now_ms(tx)
    begins_at = now if due_window(tx, league) is not None else _next_window(league, season, now)
    tables_each = _tables_of_round(tx, league, season)
    pace = pace_of(paces.spans(tx, MEASURED, league.ladder_id))
    if pace is None:
        return Outlook(rounds, tables_each, begins_at, None, None, None)
    ahead_ms = _ahead_ms(tx)
    return Outlook(
        rounds,
        tables_each,
        begins_at,
        pace,
        forecast_round(tables_each, ahead_ms, begins_at, pace),
        forecast_season(
            rounds,
            tables_each,
            ahead_ms,
            cron.following(league.cron, league.zone, begins_at),
            begins_at,
            pace,
        ),
    )


def turn(
    tx: Transaction,
    ladder: LadderRow,
    player_id: int,
    present: Mapping[int, Present],
    settings: SchedulerSettings,
) -> Turn:
    """When a player or team plays next on a ladder. ``present``: the remote players here now."""
    next_table = paces.upcoming(tx, ladder.id, player_id)
    pace = pace_of(paces.spans(tx, MEASURED))
    if next_table is not None and next_table.running:
        return Turn(PLAYING, table=next_table.table_id, wait_ms=0)
    if next_table is not None:
        wait_ms = None if pace is None else round(next_table.ahead * pace.step_ms)
        return Turn(PLANNED, next_table.ahead + 1, next_table.table_id, wait_ms)
    seats = ladders.entrants(tx, ladder.id)
    if all(seat.player_id != player_id for seat in seats):
        return Turn(ABSENT)
    if not ladder.open:
        return Turn(PAUSED)
    here = ladder_cases.standings(tx, ladder, seats, present, settings.tables_at_once)
    if any(one.player == player_id and one.places <= 0 for one in here):
        return Turn(AWAY)
    place = place_of(here, _rules(tx, ladder, here, settings), player_id)
    if place is None:
        return Turn(WAITING)
    mine = [seat for seat in seats if seat.player_id == player_id]
    bots = [bot for members in members_here(tx, mine).values() for bot in members]
    by_worker = OURS.issuperset(one.kind for one in bots or mine)
    return Turn(QUEUED, place.place, wait_ms=_wait(tx, ladder, place, pace, settings, by_worker=by_worker))


def newcomer_wait(
    tx: Transaction, ladder: LadderRow, present: Mapping[int, Present], settings: SchedulerSettings
) -> int | None:
    """About how many milliseconds a bot of ours that joins a ladder now waits for its first table; None: there is
    no telling."""
    seats = ladders.entrants(tx, ladder.id)
    newcomer = Entrant(NOBODY, frozenset(), 0, 0, ladder_cases.NEWCOMER_SKILL, 1)
    field = [*ladder_cases.standings(tx, ladder, seats, present, settings.tables_at_once), newcomer]
    place = place_of(field, _rules(tx, ladder, field, settings), NOBODY) if ladder.open else None
    if place is None:
        return None
    return _wait(tx, ladder, place, pace_of(paces.spans(tx, MEASURED)), settings, by_worker=True)


def _next_window(league: LeagueRow, season: SeasonRow, now: int) -> int:
    opens = now + league.registration_ms if season.state == DRAFT else season.registration_until or 0
    return cron.next_window(league.cron, league.zone, max(now, opens))


def _wait(
    tx: Transaction,
    ladder: LadderRow,
    place: Place,
    pace: Pace | None,
    settings: SchedulerSettings,
    *,
    by_worker: bool,
) -> int | None:
    if pace is None:
        return None
    rule = sets.find_rule(tx, ladder.id)
    room = max(0, settings.planned_most - tables.backlog(tx).planned)
    service = Service(paces.queued(tx), room, settings.plan_ms)
    return waits(place, service, pace, tables_each=rule.size if rule else 1, by_worker=by_worker)


def _rules(tx: Transaction, ladder: LadderRow, here: list[Entrant], settings: SchedulerSettings) -> Rules:
    """By which the ladder makes its tables, or its sets."""
    rule = sets.find_rule(tx, ladder.id)
    if rule is None:
        return ladder_cases.rules_of(ladder, settings.longest_wait_ms)
    size = max(2, min(rule.size, len(here)))
    return Rules(size, size, longest_wait_ms=settings.longest_wait_ms)


def _tables_of_round(tx: Transaction, league: LeagueRow, season: SeasonRow) -> int:
    """Conflict where the field is too small for a round."""
    rule = sets.find_rule(tx, league.ladder_id)
    wish = wish_of(league, ladders.get_ladder(tx, league.ladder_id), rule)
    entrants = seasons.entrants(tx, season.id)
    fields = season_cases.next_fields(tx, league, season, entrants, wish.least)
    try:
        return tables_of_round(fields, wish, apart=rule is not None)
    except RoundError as error:
        raise Conflict(f"no round of {league.name} can begin: {error}") from error


def _ahead_ms(tx: Transaction) -> float:
    """How long what waits for workers now keeps them busy."""
    pace = pace_of(paces.spans(tx, MEASURED))
    return 0.0 if pace is None else paces.queued(tx) * pace.step_ms
