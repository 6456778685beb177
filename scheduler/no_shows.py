"""Tables of events that somebody does not come to.

A table waits for its remote players until the stage's ``no_show_ms`` have gone by since it was planned, and
an engine has then found a seat empty once more: no time that we were away ourselves is held against anybody.
Then it counts without those who are not there: they are last, and the others level before them. If
nobody is there, the match is decided as it stands.
"""

from collections.abc import Iterable, Mapping

from scheduler import event_facts
from scheduler.domain.events.facts import Ended
from scheduler.ladders import OURS
from service.presence import Present
from storage import events, jobs, tables
from storage.database import Transaction
from storage.events import AwaitedRow

NO_SHOW = "somebody did not come in time"


def end_no_shows(tx: Transaction, present: Mapping[int, Present]) -> list[str]:
    """Ends what has waited long enough; the tables. ``present``: the remote players that are here now."""
    late = [row for row in events.awaited(tx) if row.missed_at >= row.planned_at + row.no_show_ms]
    return [row.table_id for row in late if _end(tx, row, present)]


def placements(seats: Iterable[int], absent: set[int]) -> dict[int, int] | None:
    """Who is there first, all level; then who is not. None if nobody is there.

    >>> placements([4, 5, 6], {5})
    {4: 0, 5: 2, 6: 0}
    """
    players = list(seats)
    here = sum(one not in absent for one in players)
    return {one: here if one in absent else 0 for one in players} if here else None


def _end(tx: Transaction, row: AwaitedRow, present: Mapping[int, Present]) -> bool:
    absent = {
        seat.player_id
        for seat in row.seats
        if seat.kind not in OURS and not _is_here(present.get(seat.player_id), seat.version_id)
    }
    if not absent:  # they have come since; the dispatcher sends it again
        return False
    events.lock_event(tx, row.event_id)
    if not tables.void_unplayed(tx, row.table_id, NO_SHOW):
        return False
    placed = placements([seat.player_id for seat in row.seats], absent)
    ending = Ended(event_facts.match(row.content), row.content["game"], placed, for_good=placed is None)
    events.append(tx, row.event_id, row.stage, [event_facts.told(ending)])
    events.mark_told(tx, [row.table_id])
    jobs.add(tx, jobs.EVENT, row.event_id)
    return True


def _is_here(found: Present | None, version_id: int) -> bool:
    return found is not None and found.version_id == version_id
