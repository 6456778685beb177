"""What has been played in sets: what the scheduler must know of entrants before it plans the next ones,
and what a league season's sets came to."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from .planning import OPEN as PLAYED
from .planning import Record
from .rows import DONE, VOID
from .schema import GameSet, GameTable, LeagueRound, SetTable
from .set_endings import OPEN, scored, select_scored
from .set_ranks import rank


@dataclass(frozen=True, slots=True)
class PlacedSet:
    """A set that counted. ``players``: its entrants, the best first; ``placements`` theirs."""

    set_id: str
    players: tuple[int, ...]
    placements: tuple[int, ...]


def records(tx: Session, ladder_id: int, last: int) -> dict[int, Record]:
    """As ``planning.records``, for a ladder of sets: of every entrant of its latest ``last`` sets."""
    latest = _latest(ladder_id, last)
    columns = (SetTable.entrant_id, GameTable.state)
    statement = (
        select(*columns, func.count().label("tables"), func.max(latest.c.planned_at).label("last_at"))
        .join(latest, latest.c.id == SetTable.set_id)
        .join(GameTable, GameTable.id == SetTable.table_id)
        .where(SetTable.entrant_id.is_not(None), GameTable.state != VOID)
        .group_by(*columns)
    )
    found: dict[int, Record] = {}
    for entrant, state, tables, last_at in tx.execute(statement):
        record = found.setdefault(entrant, Record())
        record.games += tables if state == DONE else 0
        record.open += tables if state in PLAYED else 0
        record.last_at = max(last_at, record.last_at or 0)
    return found


def meetings(tx: Session, ladder_id: int, last: int, since: int = 0) -> list[tuple[int, ...]]:
    """As ``planning.meetings``, for a ladder of sets: the entrants of each, newest set first."""
    latest = _latest(ladder_id, last, since)
    entrants = select(latest.c.id, SetTable.entrant_id).join(SetTable, SetTable.set_id == latest.c.id)
    found: dict[str, list[int]] = {}
    order = (latest.c.planned_at.desc(), latest.c.id.desc(), SetTable.number)
    for set_id, entrant in tx.execute(entrants.where(SetTable.entrant_id.is_not(None)).order_by(*order)):
        found.setdefault(set_id, []).append(entrant)
    return [tuple(players) for players in found.values()]


def open_sets(tx: Session) -> dict[int, int]:
    """How many sets of each ladder are not over, by ladder id."""
    counted = select(GameSet.ladder_id, func.count()).where(GameSet.state == OPEN)
    return {row[0]: row[1] for row in tx.execute(counted.group_by(GameSet.ladder_id))}


def mean_scores(tx: Session, ladder_id: int, last: int) -> dict[int, float]:
    """Each entrant's mean score over its tables in the ladder's latest ``last`` sets; by player id."""
    latest = _latest(ladder_id, last)
    statement = select_scored().join(latest, latest.c.id == SetTable.set_id)
    found: dict[int, list[int]] = {}
    for row in tx.execute(statement):
        found.setdefault(row.entrant_id, []).append(scored(row).score)
    return {entrant: sum(scores) / len(scores) for entrant, scores in found.items()}


def season_sets(tx: Session, season_id: int) -> list[PlacedSet]:
    """Every set of a season that counted, by round and id."""
    statement = (
        select_scored()
        .add_columns(GameSet.id.label("set_id"))
        .join(GameSet, GameSet.id == SetTable.set_id)
        .join(LeagueRound, LeagueRound.id == GameSet.round_id)
        .where(LeagueRound.season_id == season_id, GameSet.state == DONE)
        .order_by(LeagueRound.number, GameSet.id)
    )
    rows = groupby(tx.execute(statement), key=lambda row: row.set_id)
    return [_placed(set_id, list(of_set)) for set_id, of_set in rows]


def _placed(set_id: str, rows: list[Any]) -> PlacedSet:
    ranked = rank([scored(row) for row in rows])
    return PlacedSet(set_id, tuple(one.entrant_id for one in ranked), tuple(one.placement for one in ranked))


def _latest(ladder_id: int, last: int, since: int = 0) -> Any:
    where = (GameSet.ladder_id == ladder_id, GameSet.state != VOID, GameSet.planned_at > since)
    newest = (GameSet.planned_at.desc(), GameSet.id.desc())
    return select(GameSet.id, GameSet.planned_at).where(*where).order_by(*newest).limit(last).subquery()
