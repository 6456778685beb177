"""Keeping the ratings: what the one who folds a ladder's ledger reads and writes.

There is one writer a ladder at any moment because every write moves
``ladder.folded_place`` (or ``fold_epoch``) from the values its figures were computed
at: of two writers one moves it, and the other has written nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.orm import Session

from . import jobs
from .errors import Stale, found
from .inserting import insert as upsert
from .inserting import table_of
from .ledger import SEASON_RESET
from .schema import Job, Ladder, LedgerEntry, Rating, RatingChange

CHUNK = 500  # parameters of one IN
_ROWS = 5000  # rows of one INSERT


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a ladder's fold stands: the ratings hold the entries below ``folded`` of ``entries``."""

    folded: int
    epoch: int
    entries: int
    may_tie: bool


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A player's figures; ``shown`` = mean - 3 deviations."""

    player_id: int
    mean: float
    deviation: float
    shown: float
    games: int
    last_place: int


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What the entry at ``place`` did to a player; ``games`` counts it, if it is a result."""

    place: int
    player_id: int
    mean_before: float
    deviation_before: float
    mean_after: float
    deviation_after: float
    games: int


def progress(tx: Session, ladder_id: int) -> Progress:
    """NotFound without such a ladder."""
    columns = (Ladder.folded_place, Ladder.fold_epoch, Ladder.next_place, Ladder.may_tie)
    row = found(
        tx.execute(select(*columns).where(Ladder.id == ladder_id)).first(), f"there is no ladder {ladder_id}"
    )
    return Progress(*row)


def standings(tx: Session, ladder_id: int, players: Collection[int] | None = None) -> list[RatingRow]:
    """The figures of those players that have any, or of all; by player id."""
    statement = select(*_RATING).where(Rating.ladder_id == ladder_id).order_by(Rating.player_id)
    if players is None:
        return [RatingRow(*row) for row in tx.execute(statement)]
    ids = sorted(players)
    chunks = [ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK)]
    return [
        RatingRow(*row)
        for chunk in chunks
        for row in tx.execute(statement.where(Rating.player_id.in_(chunk)))
    ]


def changes(tx: Session, ladder_id: int, from_place: int, to_place: int) -> list[ChangeRow]:
    """The changes by entries from that place to below the other; by place, then player id."""
    where = (
        RatingChange.ladder_id == ladder_id,
        RatingChange.place >= from_place,
        RatingChange.place < to_place,
    )
    rows = tx.execute(select(*_CHANGE).where(*where).order_by(RatingChange.place, RatingChange.player_id))
    return [ChangeRow(*row) for row in rows]


def changes_at(tx: Session, ladder_id: int, places: Collection[int], player_id: int) -> list[ChangeRow]:
    """What the entries at those places did to everybody; of a season reset, to that player alone."""
    of_table = select(LedgerEntry.place).where(
        LedgerEntry.ladder_id == ladder_id,
        LedgerEntry.place == RatingChange.place,
        LedgerEntry.kind != SEASON_RESET,
    )
    where = (RatingChange.ladder_id == ladder_id, RatingChange.place.in_(places))
    whose = or_(RatingChange.player_id == player_id, of_table.exists())
    rows = tx.execute(
        select(*_CHANGE).where(*where, whose).order_by(RatingChange.place, RatingChange.player_id)
    )
    return [ChangeRow(*row) for row in rows]


def advance(
    tx: Session,
    ladder_id: int,
    at: Progress,
    to_place: int,
    ratings: Sequence[RatingRow],
    moved: Sequence[ChangeRow],
) -> None:
    """Writes the fold of the entries from ``at.folded`` to below ``to_place``.

    Stale, with nothing written, if somebody has moved the fold since ``at``. If the
    ratings now hold the whole ledger, the fold job is gone.
    """
    _move(tx, ladder_id, at, to_place, at.epoch)
    _upsert(tx, ladder_id, ratings)
    _insert(tx, RatingChange, ladder_id, moved)


def replace(
    tx: Session,
    ladder_id: int,
    at: Progress,
    to_place: int,
    ratings: Sequence[RatingRow],
    moved: Sequence[ChangeRow],
) -> None:
    """Writes all of a ladder's figures and changes anew, as the fold below ``to_place``. Stale as above."""
    _move(tx, ladder_id, at, to_place, at.epoch + 1)
    tx.execute(delete(RatingChange).where(RatingChange.ladder_id == ladder_id))
    tx.execute(delete(Rating).where(Rating.ladder_id == ladder_id))
    _insert(tx, Rating, ladder_id, ratings)
    for start in range(0, len(moved), _ROWS):
        _insert(tx, RatingChange, ladder_id, moved[start : start + _ROWS])


def settle(tx: Session, ladder_id: int) -> bool:
    """Ends the fold job if the ratings hold the whole ledger, as they may without it; True if they do."""
    columns = (Ladder.folded_place, Ladder.next_place)
    row = found(
        tx.execute(select(*columns).where(Ladder.id == ladder_id).with_for_update()).first(),
        f"there is no ladder {ladder_id}",
    )
    if row[0] < row[1]:
        return False
    _end_job(tx, ladder_id)
    return True


def _move(tx: Session, ladder_id: int, at: Progress, to_place: int, epoch: int) -> None:
    where = (Ladder.id == ladder_id, Ladder.folded_place == at.folded, Ladder.fold_epoch == at.epoch)
    moved = update(Ladder).where(*where).values(folded_place=to_place, fold_epoch=epoch)
    entries = tx.execute(moved.returning(Ladder.next_place)).scalar()
    if entries is None:
        raise Stale(f"another writer has moved ladder {ladder_id} on from place {at.folded}")
    # Whoever appends takes this row's lock first: no entry can come between this look and the deletion.
    if entries == to_place:
        _end_job(tx, ladder_id)


def _end_job(tx: Session, ladder_id: int) -> None:
    tx.execute(delete(Job).where(Job.kind == jobs.FOLD, Job.key == str(ladder_id)))


def _upsert(tx: Session, ladder_id: int, ratings: Sequence[RatingRow]) -> None:
    if ratings:
        statement = upsert(tx, Rating)
        figures = {name: statement.excluded[name] for name in _FIGURES}
        key = ["ladder_id", "player_id"]
        statement = statement.on_conflict_do_update(index_elements=key, set_=figures)
        tx.execute(statement, _values(Rating, ladder_id, ratings))


def _insert(tx: Session, model: type[Any], ladder_id: int, rows: Sequence[RatingRow | ChangeRow]) -> None:
    if rows:
        tx.execute(insert(table_of(model)), _values(model, ladder_id, rows))


def _values(model: type[Any], ladder_id: int, rows: Sequence[RatingRow | ChangeRow]) -> list[dict[str, Any]]:
    names = _RATING_NAMES if model is Rating else _CHANGE_NAMES
    read = attrgetter(*names)
    return [{"ladder_id": ladder_id, **dict(zip(names, read(row), strict=True))} for row in rows]


_RATING_NAMES = ("player_id", "mean", "deviation", "shown", "games", "last_place")
_FIGURES = _RATING_NAMES[1:]
_CHANGE_NAMES = (
    "place",
    "player_id",
    "mean_before",
    "deviation_before",
    "mean_after",
    "deviation_after",
    "games",
)
_RATING = tuple(getattr(Rating, name) for name in _RATING_NAMES)
_CHANGE = tuple(getattr(RatingChange, name) for name in _CHANGE_NAMES)
