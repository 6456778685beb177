"""Leagues: in short, and a season with its standings."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from scheduler.domain.cron import CronError, next_window
from scheduler.domain.standings import TIE_BREAKS, Line, Played, standings
from storage import hall, ladders, leagues, results
from storage.database import Database, Transaction, now_ms
from storage.errors import NotFound
from storage.hall import SeasonTable
from storage.leagues import CLOSED, LeagueRow, RoundRow, SeasonRow
from storage.rows import DONE, VOID
from web.models import Column, LeagueCard, LeagueHead, LeaguePage, RoundLine, StandingLine
from web.reading.lines import played_line, split_name

RECENT = 6

COLUMNS = (
    Column("Share", TIE_BREAKS["share"]),
    Column("Wins", TIE_BREAKS["wins"]),
    Column("Opponents", TIE_BREAKS["opponents"]),
    Column("Mutual", TIE_BREAKS["mutual"]),
    Column("Points", ""),
    Column("Tables", ""),
)


def league_cards(tx: Transaction, now: int) -> list[LeagueCard]:
    """Every league with where it stands."""
    names = {ladder.id: ladder.name for ladder in ladders.ladders(tx)}
    return [_card(tx, league, names[league.ladder_id], now) for league in leagues.leagues(tx)]


def leagues_page(database: Database) -> tuple[int, list[LeagueCard]]:
    """The present, and every league."""
    with database.reading() as tx:
        now = now_ms(tx)
        return now, league_cards(tx, now)


def league_page(database: Database, league_id: int, number: int | None) -> LeaguePage:
    """One season of a league, by default the latest. NotFound without such a league or season."""
    with database.reading() as tx:
        league = leagues.get_league(tx, league_id)
        ladder = ladders.get_ladder(tx, league.ladder_id)
        seasons = leagues.seasons(tx, league_id)
        season = _choose(league, seasons, number)
        tables = hall.season_tables(tx, season.id) if season else []
        entrants = leagues.entrants(tx, season.id) if season else []
        rounds = leagues.rounds(tx, season.id) if season else []
        played = results.recent(tx, None, None, RECENT, round_id=rounds[-1].id) if rounds else []
        now = now_ms(tx)
    names = {entrant.player_id: (entrant.owner, entrant.name) for entrant in entrants}
    return LeaguePage(
        now=now,
        league=_head(league, ladder.name),
        season=season.number if season else None,
        seasons=[other.number for other in seasons],
        next_round=_next_round(league, season, len(rounds), now),
        rounds=round_lines(rounds, tables),
        columns=COLUMNS,
        standings=standing_lines(names, tables),
        recent=[played_line(row) for row in played],
    )


def standing_lines(entrants: dict[int, tuple[str, str]], tables: Sequence[SeasonTable]) -> list[StandingLine]:
    """The standings of a season, once it has a result."""
    finished = [table for table in tables if table.placements is not None]
    names = dict(entrants)
    for table in finished:
        names.update({seat.player_id: split_name(seat.full_name)[:2] for seat in table.seats})
    lines = standings(entrants, [_played(table) for table in finished]) if finished else []
    level = Counter(_before_mutual(line) for line in lines)
    return [_line(line, *names[line.player], level[_before_mutual(line)] > 1) for line in lines]


def round_lines(rounds: Sequence[RoundRow], tables: Sequence[SeasonTable]) -> list[RoundLine]:
    """Each round with how many of its tables have ended."""
    planned = Counter(table.round for table in tables)
    ended = Counter(table.round for table in tables if table.state in (DONE, VOID))
    return [
        RoundLine(one.number, one.opened_at, one.state, planned[one.number], ended[one.number])
        for one in rounds
    ]


def _card(tx: Transaction, league: LeagueRow, ladder: str, now: int) -> LeagueCard:
    season = next(iter(leagues.seasons(tx, league.id)), None)
    rounds = leagues.rounds(tx, season.id) if season else []
    return LeagueCard(
        id=league.id,
        name=league.name,
        ladder=ladder,
        seats=league.seats,
        season=season.number if season else 0,
        round=len(rounds),
        rounds=league.rounds,
        next_round=_next_round(league, season, len(rounds), now),
    )


def _choose(league: LeagueRow, seasons: Sequence[SeasonRow], number: int | None) -> SeasonRow | None:
    if number is None:
        return seasons[0] if seasons else None
    for season in seasons:
        if season.number == number:
            return season
    raise NotFound(f"{league.name} has no season {number}")


def _next_round(league: LeagueRow, season: SeasonRow | None, rounds: int, now: int) -> int | None:
    """When the season's next round begins; None if it has had all, or the schedule names no time."""
    if season is None or season.state == CLOSED or rounds >= league.rounds:
        return None
    try:
        return next_window(league.cron, league.zone, now)
    except CronError:
        return None


def _head(league: LeagueRow, ladder: str) -> LeagueHead:
    return LeagueHead(
        league.id,
        league.name,
        ladder,
        league.cron,
        league.zone,
        league.seats,
        league.tables_each,
        league.rounds,
    )


def _played(table: SeasonTable) -> Played:
    return Played([seat.player_id for seat in table.seats], table.placements or ())


def _before_mutual(line: Line) -> tuple[Fraction, Fraction, Fraction]:
    """What decides before the last tie-break, which counts only among those level in all of it."""
    return line.share, Fraction(line.wins, line.tables or 1), line.opponents


def _line(line: Line, owner: str, name: str, is_level: bool) -> StandingLine:
    values = (
        _percent(line.share),
        str(line.wins),
        _percent(line.opponents),
        _percent(line.mutual) if is_level else "–",
        f"{line.points} / {line.possible}",
        str(line.tables),
    )
    return StandingLine(line.rank, owner, name, values)


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.1f} %"
