"""A season from within: who is in it, its state, its divisions, its final standings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import and_, func, select, update
from sqlalchemy.orm import Session

from .database import now_ms
from .errors import Conflict
from .inserting import insert_new
from .ladders import EntrantRow, select_entrants
from .leagues import CLOSED, OPEN, get_league, lock_season
from .rows import DONE
from .schema import (
    GameTable,
    LadderEntrant,
    League,
    LeagueRound,
    Owner,
    Player,
    Season,
    SeasonEntrant,
    SeasonFinish,
    TableSeat,
)


@dataclass(frozen=True, slots=True)
class MemberRow:
    """Somebody who is or was in a season. ``division`` None: there has been no round yet."""

    player_id: int
    owner: str
    name: str
    division: int | None
    left: bool


@dataclass(frozen=True, slots=True)
class FinishRow:
    """Somebody's line in a season's final standings. ``move``: 1 goes up, -1 goes down."""

    player_id: int
    division: int
    rank: int
    move: int
    points: int
    possible: int
    wins: int
    tables: int
    opponents: Fraction
    mutual: Fraction


def change_state(tx: Session, season_id: int, sources: Iterable[str], state: str) -> bool:
    """Puts a season into a state if it is in one of those. False, and nothing is changed, if it is not.

    Registration runs from the moment in which a season opens.
    """
    season = lock_season(tx, season_id)
    if season.state not in set(sources):
        return False
    now = now_ms(tx)
    season.state = state
    if state == CLOSED:
        season.closed_at = now
    if state == OPEN and season.registration_until is None:
        season.registration_until = now + get_league(tx, season.league_id).registration_ms
    tx.flush()
    return True


def members(tx: Session, season_id: int) -> list[MemberRow]:
    """Everybody who has ever been in the season, by player id."""
    columns = (
        SeasonEntrant.player_id,
        Owner.name,
        Player.name,
        SeasonEntrant.division,
        SeasonEntrant.left_at.is_not(None),
    )
    statement = (
        select(*columns)
        .join(Player, Player.id == SeasonEntrant.player_id)
        .join(Owner, Owner.id == Player.owner_id)
        .where(SeasonEntrant.season_id == season_id)
        .order_by(SeasonEntrant.player_id)
    )
    return [MemberRow(*row) for row in tx.execute(statement)]


def join(tx: Session, season_id: int, player_id: int) -> bool:
    """Enters a player, who must be on the league's ladder. False if it was in the season already.

    Conflict if the season is closed.
    """
    if lock_season(tx, season_id).state == CLOSED:
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


def put_into_divisions(tx: Session, season_id: int, divisions: Mapping[int, int]) -> None:
    """Players, by id, into divisions, by number from 1. The rest stay where they are."""
    for player, division in divisions.items():
        where = (SeasonEntrant.season_id == season_id, SeasonEntrant.player_id == player)
        tx.execute(update(SeasonEntrant).where(*where).values(division=division))


def freeze(tx: Session, season_id: int, finishes: Iterable[FinishRow]) -> None:
    """Writes down the final standings; to be done once, in the transaction that closes the season."""
    for one in finishes:
        tx.add(
            SeasonFinish(
                season_id=season_id,
                player_id=one.player_id,
                division=one.division,
                rank=one.rank,
                move=one.move,
                points=one.points,
                possible=one.possible,
                wins=one.wins,
                tables=one.tables,
                opponents=str(one.opponents),
                mutual=str(one.mutual),
            )
        )
    tx.flush()


def finishes(tx: Session, season_id: int) -> list[FinishRow]:
    """The final standings, by division and rank; empty while the season has not closed."""
    where = SeasonFinish.season_id == season_id
    order = (SeasonFinish.division, SeasonFinish.rank, SeasonFinish.player_id)
    return [_finish(row) for row in tx.execute(select(SeasonFinish).where(where).order_by(*order)).scalars()]


def _finish(row: SeasonFinish) -> FinishRow:
    return FinishRow(
        row.player_id,
        row.division,
        row.rank,
        row.move,
        row.points,
        row.possible,
        row.wins,
        row.tables,
        Fraction(row.opponents),
        Fraction(row.mutual),
    )
