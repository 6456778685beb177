"""What a visitor sees of the whole house: how much is going on, and which tables are in play."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from .ledger import NEW_VERSION
from .rows import DONE, RUNNING, EntrantSeat, SeatRow, entrants_of, seats_of
from .schema import GameTable, Ladder, LadderEntrant, LeagueRound, LedgerEntry, RatingChange, Result


@dataclass(frozen=True, slots=True)
class Traffic:
    """``players``: entered on any ladder; ``tables``: played to a result; ``running``: in play."""

    players: int
    tables: int
    running: int


@dataclass(frozen=True, slots=True)
class InPlayRow:
    """A table in play; ``since``: when it was last claimed, ms since 1970."""

    table_id: str
    ladder: str | None
    game: str
    variant: str
    rated: bool
    since: int
    seats: tuple[SeatRow, ...]
    entrant: EntrantSeat | None


@dataclass(frozen=True, slots=True)
class ClimbRow:
    """One change of a player's rating; ``version``: the new one that it began with, else None."""

    mean_before: float
    deviation_before: float
    mean_after: float
    deviation_after: float
    version: int | None


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A table of round number ``round``. ``placements`` by seat; None: it has no result (yet)."""

    table_id: str
    round: int
    state: str
    seats: tuple[SeatRow, ...]
    placements: tuple[int, ...] | None


def traffic(tx: Session) -> Traffic:
    """Counted anew at every call: some milliseconds for each hundred thousand tables."""
    players = select(func.count(LadderEntrant.player_id.distinct()))
    return Traffic(tx.execute(players).scalar_one(), _tables(tx, DONE), _tables(tx, RUNNING))


def in_play(tx: Session, limit: int) -> list[InPlayRow]:
    """Up to ``limit`` tables in play, the latest first."""
    columns = (
        GameTable.id,
        Ladder.name.label("ladder"),
        GameTable.game,
        GameTable.variant,
        GameTable.rated,
        func.coalesce(GameTable.claimed_at, GameTable.planned_at).label("since"),
    )
    statement = select(*columns).outerjoin(Ladder, Ladder.id == GameTable.ladder_id)
    latest = statement.where(GameTable.state == RUNNING).order_by(GameTable.claimed_at.desc(), GameTable.id)
    rows = tx.execute(latest.limit(limit)).all()
    ids = [row.id for row in rows]
    seats, entrants = seats_of(tx, ids), entrants_of(tx, ids)
    return [_in_play(row, seats[row.id], entrants.get(row.id)) for row in rows]


def entered(tx: Session, ladder_id: int) -> int:
    """How many players have entered a ladder, those who left it too: like a rating, their entry stays."""
    statement = select(func.count()).select_from(LadderEntrant)
    return tx.execute(statement.where(LadderEntrant.ladder_id == ladder_id)).scalar_one()


def rated_tables(tx: Session, ladder_id: int) -> int:
    """How many results stand in a ladder's ledger."""
    where = (LedgerEntry.ladder_id == ladder_id, LedgerEntry.table_id.is_not(None))
    return tx.execute(select(func.count()).select_from(LedgerEntry).where(*where)).scalar_one()


def rating_changes(tx: Session, ladder_id: int, table_id: str) -> dict[int, tuple[float, float]]:
    """What a table did to its players' shown ratings: player id -> before, after. Empty until folded.

    Of a set whose tables are each an entrant's own, see :func:`rating_changes_at`.
    """
    where = (LedgerEntry.ladder_id == ladder_id, LedgerEntry.table_id == table_id)
    place = tx.execute(select(LedgerEntry.place).where(*where)).scalar()
    return {} if place is None else rating_changes_at(tx, ladder_id, place)


def rating_changes_at(tx: Session, ladder_id: int, place: int) -> dict[int, tuple[float, float]]:
    """What the entry at that place did to shown ratings: player id -> before, after. Empty until folded."""
    statement = select(
        RatingChange.player_id,
        RatingChange.mean_before - 3 * RatingChange.deviation_before,
        RatingChange.mean_after - 3 * RatingChange.deviation_after,
    ).where(RatingChange.ladder_id == ladder_id, RatingChange.place == place)
    return {player: (before, after) for player, before, after in tx.execute(statement)}


def climb(tx: Session, ladder_id: int, player_id: int, limit: int) -> list[ClimbRow]:
    """A player's latest changes on a ladder, newest first."""
    change = RatingChange
    on = and_(LedgerEntry.ladder_id == change.ladder_id, LedgerEntry.place == change.place)
    columns = (change.mean_before, change.deviation_before, change.mean_after, change.deviation_after)
    statement = (
        select(*columns, LedgerEntry.kind, LedgerEntry.content)
        .join(LedgerEntry, on)
        .where(change.ladder_id == ladder_id, change.player_id == player_id)
        .order_by(change.place.desc())
        .limit(limit)
    )
    return [_climb(row) for row in tx.execute(statement)]


def season_tables(tx: Session, season_id: int) -> list[SeasonTable]:
    """Every table of a season, by round and id."""
    columns = (GameTable.id, LeagueRound.number, GameTable.state, Result.placements)
    statement = (
        select(*columns)
        .join(LeagueRound, LeagueRound.id == GameTable.round_id)
        .outerjoin(Result, Result.table_id == GameTable.id)
        .where(LeagueRound.season_id == season_id)
        .order_by(LeagueRound.number, GameTable.id)
    )
    rows = tx.execute(statement).all()
    seats = seats_of(tx, [row.id for row in rows])
    return [_season_table(row, seats[row.id]) for row in rows]


def _tables(tx: Session, state: str) -> int:
    return tx.execute(
        select(func.count()).select_from(GameTable).where(GameTable.state == state)
    ).scalar_one()


def _climb(row: Any) -> ClimbRow:
    version = row.content["version"] if row.kind == NEW_VERSION else None
    return ClimbRow(row.mean_before, row.deviation_before, row.mean_after, row.deviation_after, version)


def _season_table(row: Any, seats: tuple[SeatRow, ...]) -> SeasonTable:
    placements = None if row.placements is None else tuple(row.placements)
    return SeasonTable(row.id, row.number, row.state, seats, placements)


def _in_play(row: Any, seats: tuple[SeatRow, ...], entrant: EntrantSeat | None) -> InPlayRow:
    return InPlayRow(row.id, row.ladder, row.game, row.variant, row.rated, row.since, seats, entrant)
