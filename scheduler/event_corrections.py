"""Corrections of events: what they would change, and doing it, with only what depends on them played again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ratings import follow
from ratings.follow import Moved
from scheduler import event_facts
from scheduler.domain.events.facts import Ended, FactError, corrected
from scheduler.domain.events.stage import Difference, difference
from scheduler.events import fold, standings, tell
from storage import events, identity, jobs, ledger
from storage.database import Transaction
from storage.errors import Conflict, NotFound
from storage.events import CANCELLED, FINISHED, OPEN, RUNNING, EventRow
from storage.ledger import CORRECTION, EntryRow, NewEntry


@dataclass(frozen=True, slots=True)
class Right:
    """How a table ended, in truth. ``placements``: player id to place, 0 best, equal is a tie; None: void.
    ``for_good``: a void one is not played again."""

    table_id: str
    placements: Mapping[int, int] | None
    for_good: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a correction changes. ``stages``: those that have begun, in order; ``rated``: the table moved
    ratings, which follow; ``ratings``: how, None where that was not looked at."""

    stages: Sequence[Difference]
    rated: bool
    ratings: Sequence[Moved] | None = None


def preview(tx: Transaction, event: EventRow, right: Right) -> Outcome:
    """What a correction would change, the ratings of its ladder too. Changes nothing.

    NotFound or Conflict if the table has no ending to correct, or for players who did not sit there.
    """
    stages = _stages(tx, event, right)
    entry = ledger.of_table(tx, event.ladder_id, right.table_id)
    if entry is None:
        return Outcome(stages, rated=False, ratings=())
    content = _content(entry, right)
    return Outcome(stages, rated=True, ratings=follow.preview(tx, event.ladder_id, entry.place, content))


def _stages(tx: Transaction, event: EventRow, right: Right) -> list[Difference]:
    """What changes in the stages that have begun: their facts are folded twice."""
    before = standings(tx, event)
    number, ended = _ending(tx, event, right)
    facts = [list(one.facts) for one in before]
    try:
        facts[number] = corrected(facts[number], ended)
    except FactError as error:
        raise Conflict(f"table {right.table_id} cannot be corrected: {error}") from error
    rows = events.facts(tx, event.id)
    for later in range(len(before), len(event.stages)):  # a stage that begins again may have had facts before
        facts.append([event_facts.fact(row.content) for row in rows if row.stage == later])
    after = fold(event, before[0].entrants, facts)
    return [difference(old.situation, new.situation) for old, new in zip(before, after, strict=False)]


def correct(tx: Transaction, event: EventRow, right: Right, actor: str, reason: str) -> Outcome:
    """Puts a table's ending right, with an audit entry, and its ladder's ledger with it; only what depends
    on it is played again. Errors as :func:`preview`; Conflict for an event that has not begun."""
    locked = events.lock_event(tx, event.id)
    if locked.state in (OPEN, CANCELLED):
        raise Conflict(f"event {event.name!r} is {locked.state}; there is nothing to correct")
    tell(tx, locked)
    stages = _stages(tx, locked, right)
    number, ended = _ending(tx, locked, right)
    place = next(
        row.place for row in events.facts(tx, event.id) if row.stage == number and _is_of(row.content, ended)
    )
    events.put_right(tx, event.id, place, event_facts.told(ended), actor, reason)
    rated = _correct_rating(tx, locked, right)
    if locked.state == FINISHED:
        events.set_state(tx, event.id, RUNNING)
    jobs.add(tx, jobs.EVENT, event.id)
    return Outcome(stages, rated)


def _correct_rating(tx: Transaction, event: EventRow, right: Right) -> bool:
    """The ladder's ratings follow: the ledger gets what takes the place of the table's entry. False if it
    has none."""
    entry = ledger.of_table(tx, event.ladder_id, right.table_id)
    if entry is None:
        return False
    correction = NewEntry(CORRECTION, _content(entry, right), supersedes=entry.place)
    ledger.append(tx, event.ladder_id, [correction])
    return True


def _content(entry: EntryRow, right: Right) -> dict[str, Any]:
    """What takes the place of the entry's content."""
    if right.placements is None:
        return {"void": True}
    seats = [{**seat, "placement": right.placements[seat["player_id"]]} for seat in entry.content["seats"]]
    return {**entry.content, "seats": seats}


def _ending(tx: Transaction, event: EventRow, right: Right) -> tuple[int, Ended]:
    """The stage of the table, and its ending as it should be."""
    table, placements = right.table_id, right.placements
    row = next((one for one in events.tables(tx, event.id) if one.table_id == table), None)
    if row is None:
        raise NotFound(f"table {table!r} is not of event {event.name!r}")
    if placements is not None and set(placements) != set(row.seated):
        seated = ", ".join(identity.player_names(tx, row.seated))
        raise Conflict(f"at table {table} sat {seated}; give each of them a place, and nobody else")
    if not events.has_ended(row):
        raise Conflict(f"table {table} has not ended; there is nothing to correct yet")
    match = event_facts.match(row.content)
    return row.stage, Ended(match, row.content["game"], placements, right.for_good and placements is None)


def _is_of(content: Mapping[str, Any], right: Ended) -> bool:
    fact = event_facts.fact(content)
    return isinstance(fact, Ended) and (fact.match, fact.game) == (right.match, right.game)
