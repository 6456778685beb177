"""A set as the page of one of its tables shows it: the tables on one deal, side by side."""

from collections.abc import Mapping

from storage import hall, sets
from storage.database import Transaction
from storage.sets import SetRow, SetTableRow
from web.models import Player, RatingMove
from web.reading.lines import split_name
from web.scenes import SetLine, SetScene


def set_scene(tx: Transaction, table_id: str) -> SetScene | None:
    """The set of a table whose seats are all one entrant's; None for any other table."""
    row = sets.set_of(tx, table_id)
    if row is None or any(table.entrant is None for table in row.tables):
        return None
    moves = hall.rating_changes_at(tx, row.ladder_id, row.place) if row.place is not None else {}
    lines = [_line(table, moves, table_id) for table in row.tables]
    ordered = sorted(lines, key=lambda line: (line.placement is None, line.placement or 0))
    return SetScene(row.state, row.deal, row.void_reason, _first_of(tx, row), ordered)


def _first_of(tx: Transaction, row: SetRow) -> str | None:
    """A table of the set that this one was dealt anew as."""
    later = sets.find(tx, row.replaced_by) if row.replaced_by is not None else None
    return None if later is None else later.tables[0].table_id


def _line(row: SetTableRow, moves: Mapping[int, tuple[float, float]], table_id: str) -> SetLine:
    owner, name, _ = split_name(row.entrant or "")
    moved = moves.get(row.entrant_id or 0)
    return SetLine(
        row.table_id,
        row.state,
        Player(owner, name, row.kind or "", 0),
        row.score,
        row.placement,
        None if moved is None else RatingMove(*moved),
        row.table_id == table_id,
    )
