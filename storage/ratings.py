"""Reading the ratings: pages of a leaderboard, one player's neighbours; ``histories`` has the rest.

The order of a leaderboard is by ``shown``, best first; equal figures share a rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func, select, tuple_
from sqlalchemy.orm import Session

from .errors import found
from .histories import HeadToHeadRow, HistoryRow, SeatChange, head_to_head, history
from .schema import LadderEntrant, Owner, Player, PlayerVersion, Rating, RatingChange

__all__ = [
    "Cursor",
    "HeadToHeadRow",
    "HistoryRow",
    "SeatChange",
    "StandingRow",
    "around",
    "count",
    "cursor_before",
    "head_to_head",
    "history",
    "page",
    "search",
    "standing",
]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of a leaderboard. ``player``: ``owner/bot``; ``version``: the one that plays next, 0 if none.

    ``shown_before``: what it showed ten rated games ago, or before its first.
    """

    rank: int
    player_id: int
    player: str
    kind: str
    version: int
    mean: float
    deviation: float
    shown: float
    games: int
    shown_before: float


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a leaderboard's order: just after this figure and player."""

    shown: float
    player_id: int


def page(tx: Session, ladder_id: int, after: Cursor | None, limit: int) -> list[StandingRow]:
    """The leaderboard from its top, or from just after a cursor.

    A cursor stays good while ratings move: a page never repeats a figure above it.
    """
    statement = _select(ladder_id).order_by(Rating.shown.desc(), Rating.player_id.desc()).limit(limit)
    if after is not None:
        statement = statement.where(tuple_(Rating.shown, Rating.player_id) < (after.shown, after.player_id))
    return _ranked(tx, ladder_id, tx.execute(statement).all())


def around(tx: Session, ladder_id: int, player_id: int, neighbours: int) -> list[StandingRow]:
    """The player's line with up to so many on either side, in order. NotFound if it has no rating."""
    mine = found(
        tx.execute(_select(ladder_id).where(Rating.player_id == player_id)).first(),
        "the player has no rated game on this ladder yet",
    )
    key, place = tuple_(Rating.shown, Rating.player_id), (mine.shown, player_id)
    above = _select(ladder_id).where(key > place).order_by(Rating.shown, Rating.player_id).limit(neighbours)
    below = _select(ladder_id).where(key < place).order_by(Rating.shown.desc(), Rating.player_id.desc())
    rows = [*reversed(tx.execute(above).all()), mine, *tx.execute(below.limit(neighbours))]
    return _ranked(tx, ladder_id, rows)


def standing(tx: Session, ladder_id: int, player_id: int) -> StandingRow:
    """One player's line. NotFound if it has no rating."""
    return around(tx, ladder_id, player_id, 0)[0]


def count(tx: Session, ladder_id: int) -> int:
    """How many players stand on the leaderboard."""
    return _count(tx, Rating.ladder_id == ladder_id)


def cursor_before(tx: Session, ladder_id: int, offset: int) -> Cursor | None:
    """The cursor after which the leaderboard's line number ``offset`` (from 0) stands; None: the top.

    Walks the index: some milliseconds for each hundred thousand lines. NotFound beyond the end.
    """
    if offset == 0:
        return None
    best_first = (Rating.shown.desc(), Rating.player_id.desc())
    lines = select(Rating.shown, Rating.player_id).where(Rating.ladder_id == ladder_id).order_by(*best_first)
    row = found(
        tx.execute(lines.offset(offset - 1).limit(1)).first(), f"the leaderboard has no line {offset + 1}"
    )
    return Cursor(row.shown, row.player_id)


def search(tx: Session, ladder_id: int, text: str, limit: int) -> list[StandingRow]:
    """The best players whose full name holds that text, whatever the case of its letters."""
    named = (Owner.name + "/" + Player.name).icontains(text, autoescape=True)
    statement = _select(ladder_id).where(named).order_by(Rating.shown.desc(), Rating.player_id.desc())
    rows = tx.execute(statement.limit(limit)).all()
    ranks = _ranks(tx, ladder_id, [row.shown for row in rows])
    return [_standing(row, rank) for row, rank in zip(rows, ranks, strict=True)]


def _ranks(tx: Session, ladder_id: int, figures: Sequence[float]) -> list[int]:
    """The ranks of figures in falling order; one pass over the index, whatever their number."""
    ranks: list[int] = []
    for number, figure in enumerate(figures):
        if number == 0:
            ranks.append(_rank(tx, ladder_id, figure))
        else:
            between = (Rating.shown > figure, Rating.shown <= figures[number - 1])
            ranks.append(ranks[-1] + _count(tx, Rating.ladder_id == ladder_id, *between))
    return ranks


def _rank(tx: Session, ladder_id: int, shown: float) -> int:
    return 1 + _count(tx, Rating.ladder_id == ladder_id, Rating.shown > shown)


def _ranked(tx: Session, ladder_id: int, rows: Sequence[Any]) -> list[StandingRow]:
    """Rows that are neighbours on the leaderboard, with their ranks."""
    if not rows:
        return []
    top = rows[0].shown
    rank = _rank(tx, ladder_id, top)
    following = rank + _count(tx, Rating.ladder_id == ladder_id, Rating.shown == top)
    ranked: list[StandingRow] = []
    for row in rows:
        if row.shown == top and (not ranked or ranked[-1].shown == top):
            ranked.append(_standing(row, rank))
            continue
        level = ranked[-1].shown == row.shown
        ranked.append(_standing(row, ranked[-1].rank if level else following))
        following += 1
    return ranked


def _standing(row: Any, rank: int) -> StandingRow:
    return StandingRow(
        rank,
        row.player_id,
        f"{row.owner}/{row.name}",
        row.kind,
        row.version or 0,
        row.mean,
        row.deviation,
        row.shown,
        row.games,
        row.shown_before,
    )


def _count(tx: Session, *where: Any) -> int:
    return tx.execute(select(func.count()).select_from(Rating).where(*where)).scalar_one()


def _select(ladder_id: int) -> Any:
    entered = and_(LadderEntrant.ladder_id == Rating.ladder_id, LadderEntrant.player_id == Rating.player_id)
    columns = (
        Rating.player_id,
        Owner.name.label("owner"),
        Player.name,
        Player.kind,
        PlayerVersion.number.label("version"),
        Rating.mean,
        Rating.deviation,
        Rating.shown,
        Rating.games,
        func.coalesce(_ten_games_ago(), _before_first(), Rating.shown).label("shown_before"),
    )
    return (
        select(*columns)
        .join(Player, Player.id == Rating.player_id)
        .join(Owner, Owner.id == Player.owner_id)
        .outerjoin(LadderEntrant, entered)
        .outerjoin(PlayerVersion, PlayerVersion.id == LadderEntrant.version_id)
        .where(Rating.ladder_id == ladder_id)
    )


TREND_GAMES = 10


def _ten_games_ago() -> Any:
    change = RatingChange
    shown = change.mean_after - 3 * change.deviation_after
    earlier = select(shown).where(_its(), change.games <= Rating.games - TREND_GAMES)
    return earlier.order_by(change.place.desc()).limit(1).correlate(Rating).scalar_subquery()


def _before_first() -> Any:
    change = RatingChange
    shown = change.mean_before - 3 * change.deviation_before
    return select(shown).where(_its()).order_by(change.place).limit(1).correlate(Rating).scalar_subquery()


def _its() -> Any:
    return and_(RatingChange.ladder_id == Rating.ladder_id, RatingChange.player_id == Rating.player_id)
