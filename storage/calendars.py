"""What stands in an owner's calendar: the tables of leagues and events that its players have, and had lately."""

from dataclasses import dataclass

from sqlalchemy import case, exists, func, or_, select
from sqlalchemy.orm import Session

from .errors import found
from .rows import VOID
from .schema import (
    Event,
    EventTable,
    GameTable,
    League,
    LeagueRound,
    Owner,
    Player,
    Season,
    SeasonEntrant,
    TableSeat,
)


@dataclass(frozen=True, slots=True)
class CalendarTable:
    """``of``: the league or event whose table it is; ``round``: of a league. ``begins_at``: when it began, or may; ``ended_at``:
    None while it has not; ``changed_at``: when its state last changed; ms since 1970."""

    table_id: str
    game: str
    variant: str
    state: str
    of: str
    round: int | None
    begins_at: int
    ended_at: int | None
    changed_at: int


def find_owner(tx: Session, name: str) -> int:
    """An owner's id. NotFound if there is none of that name."""
    owner = tx.execute(select(Owner.id).where(Owner.name == name)).scalar()
    return found(owner, f"there is no owner {name!r}")


def tables_of_owner(tx: Session, owner_id: int, limit: int) -> list[CalendarTable]:
    """The ``limit`` of them that were planned last, the latest first. Tables of continuous ladders are left
    out, which come by the hundred, and so are void ones."""
    begins_at = func.coalesce(
        GameTable.claimed_at,
        case((GameTable.not_before > GameTable.planned_at, GameTable.not_before), else_=GameTable.planned_at),
    )
    seat = (TableSeat.table_id == GameTable.id, TableSeat.player_id == Player.id, Player.owner_id == owner_id)
    statement = (
        select(
            GameTable.id,
            GameTable.game,
            GameTable.variant,
            GameTable.state,
            func.coalesce(League.name, Event.name),
            LeagueRound.number,
            begins_at.label("begins_at"),
            GameTable.ended_at,
            func.coalesce(GameTable.ended_at, GameTable.claimed_at, GameTable.planned_at),
        )
        .outerjoin(LeagueRound, LeagueRound.id == GameTable.round_id)
        .outerjoin(Season, Season.id == LeagueRound.season_id)
        .outerjoin(League, League.id == Season.league_id)
        .outerjoin(EventTable, EventTable.table_id == GameTable.id)
        .outerjoin(Event, Event.id == EventTable.event_id)
        .where(
            GameTable.state != VOID, exists().where(*seat), or_(League.id.is_not(None), Event.id.is_not(None))
        )
        .order_by(GameTable.id.desc())  # ids sort by when tables were planned
        .limit(limit)
    )
    return [CalendarTable(*row) for row in tx.execute(statement)]


def leagues_of_owner(tx: Session, owner_id: int) -> list[int]:
    """The ids of the leagues in whose latest seasons its players are, by name."""
    later = Season.__table__.alias()
    is_latest = ~exists().where(later.c.league_id == Season.league_id, later.c.number > Season.number)
    statement = (
        select(League.id)
        .join(Season, Season.league_id == League.id)
        .join(SeasonEntrant, SeasonEntrant.season_id == Season.id)
        .join(Player, Player.id == SeasonEntrant.player_id)
        .where(Player.owner_id == owner_id, SeasonEntrant.left_at.is_(None), is_latest)
        .group_by(League.id, League.name)
        .order_by(League.name)
    )
    return list(tx.execute(statement).scalars())
