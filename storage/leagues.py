"""Leagues: seasons of rounds. One season a number, one round a window of its season's cron."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from .database import now_ms
from .endings import has_open_table
from .errors import Conflict, found
from .inserting import insert_new
from .names import check_label
from .rows import DONE
from .schema import League, LeagueRound, Season

DRAFT, OPEN, RUNNING, PAUSED = "draft", "open", "running", "paused"
CLOSING, CLOSED = "closing", "closed"
NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """``cron`` in ``zone`` says when a round begins; ``seats``: the wanted table size;
    ``tables_each``: tables a player plays in a round; ``rounds``: in a season.

    ``division_size``: wanted players in a division, 0: there are none; ``movers`` go up and down.
    ``registration_ms``: at least so long after its opening a season's first round begins;
    ``join_rounds``: after so many nobody joins any more, None: until the last. ``repeats``: when a
    season has closed, the next opens.
    """

    id: int
    name: str
    ladder_id: int
    cron: str
    zone: str
    seats: int
    tables_each: int
    rounds: int
    clock: dict[str, Any]
    division_size: int
    movers: int
    registration_ms: int
    join_rounds: int | None
    repeats: bool


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """``state``: draft, open (players join, no round yet), running, paused, closing or closed.

    ``registration_until``: no round begins before.
    """

    id: int
    league_id: int
    number: int
    state: str
    opened_at: int
    closed_at: int | None
    registration_until: int | None


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
    division_size: int = 0,
    movers: int = 0,
    registration_ms: int = 0,
    join_rounds: int | None = None,
    repeats: bool = False,
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
        division_size=division_size,
        movers=movers,
        registration_ms=registration_ms,
        join_rounds=join_rounds,
        repeats=repeats,
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


def leagues(tx: Session, *, after: str = "", limit: int | None = None) -> list[LeagueRow]:
    """The leagues by name, those that come after a name, all or the first ``limit`` of them."""
    query = select(League).where(League.name > after).order_by(League.name).limit(limit)
    return [_league(league) for league in tx.execute(query).scalars()]


def open_season(tx: Session, league_id: int, *, draft: bool = False) -> SeasonRow:
    """The league's season that has not closed; the next one is opened (or drafted) if there is none."""
    league = found(tx.get(League, league_id, with_for_update=True), f"there is no league {league_id}")
    current = current_season(tx, league_id)
    if current is not None:
        return current
    last = tx.execute(select(func.max(Season.number)).where(Season.league_id == league_id)).scalar() or 0
    now = now_ms(tx)
    season = Season(
        league_id=league_id,
        number=last + 1,
        state=DRAFT if draft else OPEN,
        opened_at=now,
        registration_until=None if draft else now + league.registration_ms,
    )
    tx.add(season)
    tx.flush()
    return _season(season)


def current_season(tx: Session, league_id: int) -> SeasonRow | None:
    """The season that has not closed, if there is one."""
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


def open_round(tx: Session, season_id: int, window_start: int) -> RoundRow | None:
    """Opens the season's next round for that window (ms since 1970), and sets the season running.

    None, whoever asks and however often, if the window has its round already, the season is
    neither open nor running, or it has had all its rounds. With the last one it is closing.
    Plan its tables in the same transaction.
    """
    season = lock_season(tx, season_id)
    number = tx.execute(_last_round(season_id)).scalar() or 0
    most = get_league(tx, season.league_id).rounds
    if season.state not in (OPEN, RUNNING) or number >= most:
        return None
    now = now_ms(tx)
    row = {"season_id": season_id, "number": number + 1, "window_start": window_start}
    if not insert_new(tx, LeagueRound, **row, state=RUNNING, opened_at=now):
        return None
    season.state = CLOSING if number + 1 == most else RUNNING
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


def _last_round(season_id: int) -> Any:
    return select(func.max(LeagueRound.number)).where(LeagueRound.season_id == season_id)


def lock_season(tx: Session, season_id: int) -> Season:
    """The season's row, held until the transaction ends. NotFound if there is none of that id."""
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
        row.division_size,
        row.movers,
        row.registration_ms,
        row.join_rounds,
        row.repeats,
    )


def _season(row: Season) -> SeasonRow:
    return SeasonRow(
        row.id,
        row.league_id,
        row.number,
        row.state,
        row.opened_at,
        row.closed_at,
        row.registration_until,
    )


def _round(row: LeagueRound) -> RoundRow:
    return RoundRow(
        row.id, row.season_id, row.number, row.window_start, row.state, row.opened_at, row.closed_at
    )
