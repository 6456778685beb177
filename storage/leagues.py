"""Leagues: seasons of rounds. One season a number, one round a window of its season's cron."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func, select, update
from sqlalchemy.orm import Session

from .database import now_ms
from .endings import has_open_table
from .errors import Conflict, found
from .inserting import insert_new
from .ladders import EntrantRow, select_entrants
from .names import check_label
from .rows import DONE
from .schema import GameTable, LadderEntrant, League, LeagueRound, Season, SeasonEntrant, TableSeat

OPEN, RUNNING, CLOSED = "open", "running", "closed"
NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """``cron`` in ``zone`` says when a round begins; ``seats``: the wanted table size;
    ``tables_each``: tables a player plays in a round; ``rounds``: in a season."""

    id: int
    name: str
    ladder_id: int
    cron: str
    zone: str
    seats: int
    tables_each: int
    rounds: int
    clock: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """``state``: open (players join, no round yet), running or closed."""

    id: int
    league_id: int
    number: int
    state: str
    opened_at: int
    closed_at: int | None


@dataclass(frozen=True, slots=True)
class RoundRow:
    """``window_start``: the cron instant it belongs to. ``state``: running or done."""

    id: int
    season_id: int
    number: int
    window_start: int
    state: str
    opened_at: int
    closed_at: int | None


def ensure_league(
    tx: Session,
    name: str,
    ladder_id: int,
    *,
    cron: str,
    zone: str,
    seats: int,
    tables_each: int,
    rounds: int,
    clock: dict[str, Any],
) -> LeagueRow:
    """The league of that name, made if missing. Conflict if it exists on another ladder; Invalid for
    what is no name (see storage.names)."""
    check_label("a league's name", name, NAME)
    insert_new(
        tx,
        League,
        name=name,
        ladder_id=ladder_id,
        cron=cron,
        zone=zone,
        seats=seats,
        tables_each=tables_each,
        rounds=rounds,
        clock=clock,
        created_at=now_ms(tx),
    )
    league = find_league(tx, name)
    if league.ladder_id != ladder_id:
        raise Conflict(
            f"league {name!r} plays on ladder {league.ladder_id}, not {ladder_id}; choose another name"
        )
    return league


def find_league(tx: Session, name: str) -> LeagueRow:
    """NotFound if there is none of that name."""
    league = tx.execute(select(League).where(League.name == name)).scalar_one_or_none()
    return _league(found(league, f"there is no league {name!r}"))


def get_league(tx: Session, league_id: int) -> LeagueRow:
    """NotFound if there is none of that id."""
    return _league(found(tx.get(League, league_id), f"there is no league {league_id}"))


def leagues(tx: Session) -> list[LeagueRow]:
    """All leagues, by name."""
    return [_league(league) for league in tx.execute(select(League).order_by(League.name)).scalars()]


def open_season(tx: Session, league_id: int) -> SeasonRow:
    """The league's season that is open or running; the next one is opened if there is none."""
    found(tx.get(League, league_id, with_for_update=True), f"there is no league {league_id}")
    current = current_season(tx, league_id)
    if current is not None:
        return current
    last = tx.execute(select(func.max(Season.number)).where(Season.league_id == league_id)).scalar() or 0
    season = Season(league_id=league_id, number=last + 1, state=OPEN, opened_at=now_ms(tx))
    tx.add(season)
    tx.flush()
    return _season(season)


def current_season(tx: Session, league_id: int) -> SeasonRow | None:
    """The season that is open or running, if there is one."""
    where = (Season.league_id == league_id, Season.state != CLOSED)
    season = tx.execute(
        select(Season).where(*where).order_by(Season.number.desc()).limit(1)
    ).scalar_one_or_none()
    return None if season is None else _season(season)


def get_season(tx: Session, season_id: int) -> SeasonRow:
    """NotFound if there is none of that id."""
    season = tx.get(Season, season_id, populate_existing=True)
    return _season(found(season, f"there is no season {season_id}"))


def seasons(tx: Session, league_id: int) -> list[SeasonRow]:
    """A league's seasons, newest first."""
    statement = select(Season).where(Season.league_id == league_id).order_by(Season.number.desc())
    return [_season(season) for season in tx.execute(statement).scalars()]


def close_season(tx: Session, season_id: int) -> bool:
    """Ends a season. False if it had ended."""
    where = (Season.id == season_id, Season.state != CLOSED)
    closed = update(Season).where(*where).values(state=CLOSED, closed_at=now_ms(tx)).returning(Season.id)
    return tx.execute(closed).first() is not None


def join(tx: Session, season_id: int, player_id: int) -> bool:
    """Enters a player, who must be on the league's ladder. False if it was in the season already.

    Conflict if the season is closed.
    """
    if _lock_season(tx, season_id).state == CLOSED:
        raise Conflict(f"season {season_id} is over; join the next one")
    if insert_new(tx, SeasonEntrant, season_id=season_id, player_id=player_id, joined_at=now_ms(tx)):
        return True
    where = (SeasonEntrant.season_id == season_id, SeasonEntrant.player_id == player_id)
    back = update(SeasonEntrant).where(*where, SeasonEntrant.left_at.is_not(None)).values(left_at=None)
    return tx.execute(back.returning(SeasonEntrant.player_id)).first() is not None


def leave(tx: Session, season_id: int, player_id: int) -> bool:
    """Takes a player out of the rounds to come. False if it was not in."""
    where = (SeasonEntrant.season_id == season_id, SeasonEntrant.player_id == player_id)
    gone = update(SeasonEntrant).where(*where, SeasonEntrant.left_at.is_(None)).values(left_at=now_ms(tx))
    return tx.execute(gone.returning(SeasonEntrant.player_id)).first() is not None


def entrants(tx: Session, season_id: int) -> list[EntrantRow]:
    """Who plays in the season now, by player id, with the versions that stand on its ladder."""
    on = and_(SeasonEntrant.player_id == LadderEntrant.player_id, SeasonEntrant.season_id == season_id)
    statement = (
        select_entrants(SeasonEntrant.joined_at)
        .join(SeasonEntrant, on)
        .join(Season, Season.id == SeasonEntrant.season_id)
        .join(League, and_(League.id == Season.league_id, League.ladder_id == LadderEntrant.ladder_id))
        .where(SeasonEntrant.left_at.is_(None), LadderEntrant.active)
        .order_by(SeasonEntrant.player_id)
    )
    return [EntrantRow(*row) for row in tx.execute(statement)]


def open_round(tx: Session, season_id: int, window_start: int) -> RoundRow | None:
    """Opens the season's next round for that window (ms since 1970), and sets the season running.

    None, whoever asks and however often, if the window has its round already, the
    season is closed, or it has had all its rounds. Plan its tables in the same transaction.
    """
    season = _lock_season(tx, season_id)
    number = tx.execute(_last_round(season_id)).scalar() or 0
    if season.state == CLOSED or number >= get_league(tx, season.league_id).rounds:
        return None
    now = now_ms(tx)
    row = {"season_id": season_id, "number": number + 1, "window_start": window_start}
    if not insert_new(tx, LeagueRound, **row, state=RUNNING, opened_at=now):
        return None
    season.state = RUNNING
    tx.flush()
    where = (LeagueRound.season_id == season_id, LeagueRound.window_start == window_start)
    return _round(tx.execute(select(LeagueRound).where(*where)).scalar_one())


def close_round(tx: Session, round_id: int) -> bool:
    """Ends a round all of whose tables have ended; True for the one caller that did it."""
    statement = select(LeagueRound).where(LeagueRound.id == round_id).with_for_update()
    row = tx.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()
    one = found(row, f"there is no round {round_id}")
    if one.state == DONE or has_open_table(tx, round_id):
        return False
    one.state, one.closed_at = DONE, now_ms(tx)
    tx.flush()
    return True


def get_round(tx: Session, round_id: int) -> RoundRow:
    """NotFound if there is none of that id."""
    one = tx.get(LeagueRound, round_id, populate_existing=True)
    return _round(found(one, f"there is no round {round_id}"))


def rounds(tx: Session, season_id: int) -> list[RoundRow]:
    """A season's rounds, in order."""
    statement = select(LeagueRound).where(LeagueRound.season_id == season_id).order_by(LeagueRound.number)
    return [_round(one) for one in tx.execute(statement).scalars()]


def games_per_entrant(tx: Session, season_id: int) -> dict[int, int]:
    """How many tables of the season each player has played to a result, those with none left out."""
    statement = (
        select(TableSeat.player_id, func.count())
        .join(GameTable, GameTable.id == TableSeat.table_id)
        .join(LeagueRound, LeagueRound.id == GameTable.round_id)
        .where(LeagueRound.season_id == season_id, GameTable.state == DONE)
        .group_by(TableSeat.player_id)
    )
    return {row[0]: row[1] for row in tx.execute(statement)}


def _last_round(season_id: int) -> Any:
    return select(func.max(LeagueRound.number)).where(LeagueRound.season_id == season_id)


def _lock_season(tx: Session, season_id: int) -> Season:
    statement = select(Season).where(Season.id == season_id).with_for_update()
    season = tx.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()
    return found(season, f"there is no season {season_id}")


def _league(row: League) -> LeagueRow:
    return LeagueRow(
        row.id,
        row.name,
        row.ladder_id,
        row.cron,
        row.zone,
        row.seats,
        row.tables_each,
        row.rounds,
        dict(row.clock),
    )


def _season(row: Season) -> SeasonRow:
    return SeasonRow(row.id, row.league_id, row.number, row.state, row.opened_at, row.closed_at)


def _round(row: LeagueRound) -> RoundRow:
    return RoundRow(
        row.id, row.season_id, row.number, row.window_start, row.state, row.opened_at, row.closed_at
    )
