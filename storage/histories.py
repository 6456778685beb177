"""What moved a player's rating, entry by entry, and how it has fared against its opponents."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from . import ledger
from .folding import ChangeRow, changes_at
from .schema import Ladder, Owner, Player, RatingChange


@dataclass(frozen=True, slots=True)
class SeatChange:
    """What an entry did to one of the players at its table. ``placement`` None: it was no result.

    ``score``: that of its own table, where the entry is of a set; else None.
    """

    player: str
    placement: int | None
    change: ChangeRow
    score: int | None = None


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One ledger entry that moved a player. ``kind`` is ``correction`` where a correction has replaced it.

    ``mine``: that player's; ``others``: the rest of the table, or of the set, of which ``table_id`` is
    the player's own table. ``at``: ms since 1970.
    """

    place: int
    kind: str
    table_id: str | None
    at: int
    mine: SeatChange
    others: tuple[SeatChange, ...]


@dataclass(frozen=True, slots=True)
class HeadToHeadRow:
    """How often a player was placed ahead of, level with and behind an opponent."""

    opponent: str
    ahead: int
    level: int
    behind: int


def history(
    tx: Session, ladder_id: int, player_id: int, before_place: int | None, limit: int
) -> list[HistoryRow]:
    """What moved a player, newest first, below a place of the ledger; with all that happened at its table."""
    where = [RatingChange.ladder_id == ladder_id, RatingChange.player_id == player_id]
    if before_place is not None:
        where.append(RatingChange.place < before_place)
    newest = select(RatingChange.place).where(*where).order_by(RatingChange.place.desc()).limit(limit)
    places = list(tx.execute(newest).scalars())
    entries = _effective(tx, ladder_id, places)
    at_table = _by_place(changes_at(tx, ladder_id, places, player_id))
    names = _names(tx, {change.player_id for changes in at_table.values() for change in changes})
    return [_history(entries[place], at_table[place], player_id, names) for place in places]


def head_to_head(tx: Session, ladder_id: int, player_id: int) -> list[HeadToHeadRow]:
    """The player's placements against each of its opponents over all rated tables, by opponent's name."""
    played = select(RatingChange.place).where(
        RatingChange.ladder_id == ladder_id, RatingChange.player_id == player_id
    )
    tallies: dict[int, Counter[int]] = {}
    for entry in _effective(tx, ladder_id, played).values():
        for opponent, side in _sides(entry.content, player_id):
            tallies.setdefault(opponent, Counter())[side] += 1
    names = _names(tx, set(tallies))
    rows = [HeadToHeadRow(names[id], tally[-1], tally[0], tally[1]) for id, tally in tallies.items()]
    return sorted(rows, key=lambda row: row.opponent)


def _sides(content: dict[str, Any], player_id: int) -> list[tuple[int, int]]:
    """Each opponent at a result's table, with -1 where the player was ahead, 0 level, 1 behind."""
    placements = {seat["player_id"]: seat["placement"] for seat in content.get("seats", ())}
    mine = placements.pop(player_id, None)
    if mine is None:
        return []
    return [(opponent, (mine > theirs) - (mine < theirs)) for opponent, theirs in placements.items()]


def _effective(tx: Session, ladder_id: int, places: Any) -> dict[int, ledger.EntryRow]:
    """The entries at those places, each as its latest correction, if it has one, tells it."""
    found = ledger.entries_at(tx, ladder_id, places)
    entries = {entry.place: entry for entry in found}
    below = tx.execute(select(Ladder.folded_place).where(Ladder.id == ladder_id)).scalar_one()
    for correction in ledger.corrections(tx, ladder_id, below):
        old = entries.get(correction.supersedes if correction.supersedes is not None else -1)
        if old is not None:
            entries[old.place] = ledger.EntryRow(
                old.place, ledger.CORRECTION, old.table_id, None, correction.content, old.at
            )
    return entries


def _history(
    entry: ledger.EntryRow, changes: Sequence[ChangeRow], player_id: int, names: dict[int, str]
) -> HistoryRow:
    told = {seat["player_id"]: seat for seat in entry.content.get("seats", ())}
    seats = {
        c.player_id: SeatChange(names[c.player_id], one.get("placement"), c, one.get("score"))
        for c in changes
        for one in [told.get(c.player_id, {})]
    }
    mine = seats.pop(player_id)
    table_id = told.get(player_id, {}).get("table", entry.table_id)
    return HistoryRow(entry.place, entry.kind, table_id, entry.at, mine, tuple(seats.values()))


def _by_place(changes: Sequence[ChangeRow]) -> dict[int, list[ChangeRow]]:
    grouped: dict[int, list[ChangeRow]] = {}
    for change in changes:
        grouped.setdefault(change.place, []).append(change)
    return grouped


def _names(tx: Session, player_ids: set[int]) -> dict[int, str]:
    columns = (Player.id, Owner.name, Player.name)
    statement = select(*columns).join(Owner, Owner.id == Player.owner_id).where(Player.id.in_(player_ids))
    return {id: f"{owner}/{name}" for id, owner, name in tx.execute(statement)}
