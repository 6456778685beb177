"""Leagues: in short, and a season with its standings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from scheduler.domain.cron import CronError, next_window
from scheduler.domain.standings import TIE_BREAKS, Line, Played, rank_divisions
from scheduler.forecasts import outlook
from storage import hall, ladders, leagues, results, seasons, set_records, sets
from storage.database import Database, Transaction, now_ms
from storage.errors import Conflict, NotFound
from storage.hall import SeasonTable
from storage.leagues import OPEN, RUNNING, LeagueRow, RoundRow, SeasonRow
from storage.rows import DONE, VOID
from storage.seasons import FinishRow, MemberRow
from web.models import (
    Column,
    DivisionTable,
    LeagueCard,
    LeagueHead,
    LeaguePage,
    Outlook,
    RoundLine,
    StandingLine,
)
from web.reading.lines import played_line

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
        every = leagues.seasons(tx, league_id)
        season = _choose(league, every, number)
        together = sets.find_rule(tx, ladder.id) is not None
        tables = hall.season_tables(tx, season.id) if season else []
        finished = _finished(tx, season, tables, together) if season else []
        members = seasons.members(tx, season.id) if season else []
        finishes = seasons.finishes(tx, season.id) if season else []
        rounds = leagues.rounds(tx, season.id) if season else []
        played = results.recent(tx, None, None, RECENT, round_id=rounds[-1].id) if rounds else []
        coming = _outlook(tx, league) if season is not None and season is every[0] else None
        now = now_ms(tx)
    return LeaguePage(
        now=now,
        league=_head(league, ladder.name, together),
        season=season.number if season else None,
        state=season.state if season else "",
        entered=sum(not member.left for member in members),
        registration_until=season.registration_until if season and not rounds else None,
        seasons=[other.number for other in every],
        next_round=_next_round(league, season, len(rounds), now),
        rounds=round_lines(rounds, tables),
        columns=(*COLUMNS[:-1], Column("Sets", "")) if together else COLUMNS,
        standings=division_tables(members, finished, finishes),
        outlook=coming,
        recent=[played_line(row) for row in played],
    )


def season_of(tx: Transaction, league_id: int, number: int | None) -> tuple[LeagueRow, SeasonRow]:
    """A league and one of its seasons, by default the latest. NotFound without such ones."""
    league = leagues.get_league(tx, league_id)
    season = _choose(league, leagues.seasons(tx, league_id), number)
    if season is None:
        raise NotFound(f"{league.name} has had no season yet")
    return league, season


def division_tables(
    members: Sequence[MemberRow], finished: Sequence[Played], finishes: Sequence[FinishRow]
) -> list[DivisionTable]:
    """The standings of a season's divisions, the highest first, once it has a result."""
    if not finished:
        return []
    by_id = {member.player_id: member for member in members}
    moves = {finish.player_id: finish.move for finish in finishes}
    ranked = rank_divisions({member.player_id: member.division for member in members}, finished)
    return [
        DivisionTable(number if len(ranked) > 1 else 0, _standing_lines(lines, by_id, moves))
        for number, lines in enumerate(ranked, 1)
    ]


def _standing_lines(
    lines: Sequence[Line], members: Mapping[int, MemberRow], moves: Mapping[int, int]
) -> list[StandingLine]:
    level = Counter(_before_mutual(line) for line in lines)
    return [
        _line(line, members[line.player], level[_before_mutual(line)] > 1, moves.get(line.player, 0))
        for line in lines
    ]


def round_lines(rounds: Sequence[RoundRow], tables: Sequence[SeasonTable]) -> list[RoundLine]:
    """Each round with how many of its tables have ended."""
    planned = Counter(table.round for table in tables)
    ended = Counter(table.round for table in tables if table.state in (DONE, VOID))
    return [
        RoundLine(one.number, one.opened_at, one.state, planned[one.number], ended[one.number])
        for one in rounds
    ]


def _outlook(tx: Transaction, league: LeagueRow) -> Outlook | None:
    """Of the present season; None where no round is to come."""
    try:
        told = outlook(tx, league)
    except (Conflict, CronError):
        return None
    if told.next_round is None or told.season is None:
        return Outlook(told.tables, None, told.rounds * told.tables, None)
    return Outlook(told.tables, told.next_round.ends_at, told.season.tables, told.season.ends_at)


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
    """When the season's next round begins; None if none does now, or the schedule names no time."""
    if season is None or season.state not in (OPEN, RUNNING) or rounds >= league.rounds:
        return None
    try:
        return next_window(league.cron, league.zone, max(now, season.registration_until or 0))
    except CronError:
        return None


def _head(league: LeagueRow, ladder: str, together: bool) -> LeagueHead:
    return LeagueHead(
        league.id,
        league.name,
        ladder,
        league.cron,
        league.zone,
        league.seats,
        league.tables_each,
        league.rounds,
        league.division_size,
        league.movers,
        league.join_rounds,
        league.repeats,
        together,
    )


def _finished(
    tx: Transaction, season: SeasonRow, tables: Sequence[SeasonTable], together: bool
) -> list[Played]:
    """What counts for the standings: tables, or sets where each table is an entrant's own."""
    if together:
        return [Played(one.players, one.placements) for one in set_records.season_sets(tx, season.id)]
    return [
        Played([seat.player_id for seat in table.seats], table.placements)
        for table in tables
        if table.placements is not None
    ]


def _before_mutual(line: Line) -> tuple[Fraction, Fraction, Fraction]:
    """What decides before the last tie-break, which counts only among those level in all of it."""
    return line.share, Fraction(line.wins, line.tables or 1), line.opponents


def _line(line: Line, member: MemberRow, is_level: bool, move: int) -> StandingLine:
    values = (
        _percent(line.share),
        str(line.wins),
        _percent(line.opponents),
        _percent(line.mutual) if is_level else "–",
        f"{line.points} / {line.possible}",
        str(line.tables),
    )
    return StandingLine(line.rank, member.owner, member.name, values, move, member.left)


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.1f} %"
