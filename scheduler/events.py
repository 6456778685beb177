"""Use cases of events: stages of rounds of tables, from the entrants to a winner.

Everything hangs on the event's facts: :func:`advance` tells the endings of its tables as facts,
looks at the current stage, and plans the tables that it wants. It works under the event's lock and
may be repeated blindly.
"""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from engine_service.games import find
from scheduler import event_facts
from scheduler.domain.events.facts import Ended, Fact, Withdrew
from scheduler.domain.events.series import Wanted
from scheduler.domain.events.settings import Stage, StageError
from scheduler.domain.events.situation import Situation
from scheduler.domain.events.stage import look, through
from scheduler.domain.seating import seat
from scheduler.tables import CLOCK, plan_tables
from storage import events, folding, identity, jobs, ladders, tables
from storage.database import Transaction
from storage.errors import Conflict, NotFound
from storage.events import CANCELLED, FINISHED, OPEN, PAUSED, RUNNING, EventRow, EventTableRow

OVERTAKEN = "the event went on without it"
CALLED_OFF = "the event was called off"


@dataclass(frozen=True, slots=True)
class Standing:
    """A stage of an event as it stands. ``entrants``: player ids, best seed first."""

    stage: Stage
    entrants: tuple[int, ...]
    facts: tuple[Fact, ...]
    situation: Situation


def create_event(
    tx: Transaction,
    name: str,
    ladder_name: str,
    stages: Sequence[Mapping[str, Any]],
    clock: Mapping[str, Any] = CLOCK,
) -> EventRow:
    """The event of that name on a ladder, made if missing. StageError or Conflict say what is wrong."""
    ladder = ladders.find_ladder(tx, ladder_name)
    variant = find(f"{ladder.game}/{ladder.variant}")[1]
    if variant.cooperative:
        raise StageError(
            f"{ladder.name} is played together: at a table nobody is left behind, so that nobody goes on"
        )
    if not stages:
        raise StageError("an event has one stage or more")
    checked = [asdict(_stage(one, variant.min_seats, variant.max_seats)) for one in stages]
    return events.ensure_event(tx, name, ladder.id, checked, dict(clock), secrets.token_hex(16))


def by_rating(tx: Transaction, event: EventRow) -> list[int]:
    """The entrants that are rated on the event's ladder, the best first."""
    entered = [one.player_id for one in events.entrants(tx, event.id)]
    rated = folding.standings(tx, event.ladder_id, entered)
    return [one.player_id for one in sorted(rated, key=lambda one: (-one.shown, one.player_id))]


def seed_event(tx: Transaction, event: EventRow, order: Sequence[int] = ()) -> None:
    """Seeds the entrants: those of ``order`` first, as given; the others at random from the event's seed.

    Conflict once the event has begun, and for players who are not in it.
    """
    event = events.lock_event(tx, event.id)
    if event.state != OPEN:
        raise Conflict(f"event {event.name!r} has begun; its seeds stand")
    entered = sorted(one.player_id for one in events.entrants(tx, event.id))
    strangers = sorted(set(order) - set(entered))
    if strangers:
        who = ", ".join(identity.player_names(tx, strangers))
        raise Conflict(f"{who} are not in event {event.name!r}; enter them first")
    rest = [one for one in entered if one not in order]
    Random(event.lots).shuffle(rest)  # anybody can draw it again from the published seed
    events.seed(tx, event.id, [*order, *rest])


def start(tx: Transaction, event: EventRow) -> None:
    """Begins the event; who has no seed yet gets one by lot. StageError if too few have entered."""
    _need_state(tx, event, OPEN)
    entered = events.entrants(tx, event.id)
    Stage(**event.stages[0]).check_entrants(len(entered))
    seed_event(tx, event, [one.player_id for one in entered if one.seed is not None])
    events.set_state(tx, event.id, RUNNING)
    jobs.add(tx, jobs.EVENT, event.id)


def pause(tx: Transaction, event: EventRow) -> None:
    """Plans no more tables until it is resumed; those that were planned are played."""
    _need_state(tx, event, RUNNING)
    events.set_state(tx, event.id, PAUSED)


def resume(tx: Transaction, event: EventRow) -> None:
    """Goes on with a paused event."""
    _need_state(tx, event, PAUSED)
    events.set_state(tx, event.id, RUNNING)
    jobs.add(tx, jobs.EVENT, event.id)


def enter(tx: Transaction, event: EventRow, player_id: int) -> bool:
    """Enters a player of the event's ladder, with the version that it plays there now, for the whole event.

    False if it was in already. Conflict once the event has begun, and for who is not on the ladder.
    """
    ladder = ladders.get_ladder(tx, event.ladder_id)
    entrant = ladders.find_entrant(tx, ladder.id, player_id)
    if entrant is None:
        who = ", ".join(identity.player_names(tx, [player_id]))
        raise Conflict(
            f"{who} is not on the ladder {ladder.name}; a bot is entered there when it connects or qualifies"
        )
    return events.enter(tx, event.id, player_id, entrant.version_id)


def cancel(tx: Transaction, event: EventRow) -> None:
    """Ends an event without a winner. Tables that nobody plays yet are void; what was played stays rated."""
    locked = events.lock_event(tx, event.id)
    if locked.state in (FINISHED, CANCELLED):
        raise Conflict(f"event {event.name!r} is {locked.state} already")
    tell(tx, locked)
    for row in events.tables(tx, event.id):
        if row.state == tables.PLANNED:
            tables.void_unplayed(tx, row.table_id, CALLED_OFF)
    events.set_state(tx, event.id, CANCELLED)


def withdraw(tx: Transaction, event: EventRow, player_id: int) -> bool:
    """Takes a player out of the event, or of the rest of it: what it has played stands. False if it was out
    already. Conflict once the event is over; NotFound for who is not in it, or not in this stage any more."""
    locked = events.lock_event(tx, event.id)
    if locked.state == OPEN:
        return events.leave(tx, event.id, player_id)
    if locked.state not in (RUNNING, PAUSED):
        raise Conflict(f"event {event.name!r} is {locked.state}; nobody can withdraw")
    tell(tx, locked)
    now = standings(tx, locked)
    if player_id not in now[-1].entrants:
        (who,) = identity.player_names(tx, [player_id]) or ("this player",)
        raise NotFound(f"{who} is not in this stage of event {event.name!r}")
    if Withdrew(player_id) in now[-1].facts:
        return False
    events.append(tx, event.id, len(now) - 1, [event_facts.told(Withdrew(player_id))])
    jobs.add(tx, jobs.EVENT, event.id)
    return True


def advance(tx: Transaction, event_id: int) -> list[str]:
    """Moves the event on as far as it goes without playing; the tables that were planned."""
    event = events.lock_event(tx, event_id)
    if event.state == OPEN:
        return []
    tell(tx, event)
    if event.state != RUNNING:
        return []
    while True:
        now = standings(tx, event)
        last = now[-1].situation
        if last.draw is not None:
            events.append(tx, event.id, len(now) - 1, [event_facts.told(last.draw)])
            continue
        _drop(tx, event, len(now) - 1, last)
        if last.is_over and len(now) == len(event.stages):
            events.set_state(tx, event.id, FINISHED)
        return _plan(tx, event, len(now) - 1, last.wanted)


def standings(tx: Transaction, event: EventRow) -> list[Standing]:
    """Every stage that has begun, in order, as it stands."""
    seeded = tuple(one.player_id for one in events.entrants(tx, event.id))
    rows = events.facts(tx, event.id)
    by_stage = [
        [event_facts.fact(row.content) for row in rows if row.stage == number]
        for number in range(len(event.stages))
    ]
    return fold(event, seeded, by_stage)


def fold(event: EventRow, seeded: Sequence[int], facts: Sequence[Sequence[Fact]]) -> list[Standing]:
    """Every stage that has begun after those facts, stage by stage. ``seeded``: the entrants, best first."""
    found: list[Standing] = []
    entrants = tuple(seeded)
    for number, settings in enumerate(event.stages):
        stage = Stage(**settings)
        now = look(entrants, stage, facts[number], f"{event.lots}/{number}")
        found.append(Standing(stage, entrants, tuple(facts[number]), now))
        if not now.is_over:
            break
        gone = {fact.entrant for fact in facts[number] if isinstance(fact, Withdrew)}
        entrants = tuple(one for one in through(now, stage) if one not in gone)
    return found


def _need_state(tx: Transaction, event: EventRow, state: str) -> None:
    """Locks the event. Conflict unless it is in that state."""
    found = events.lock_event(tx, event.id).state
    if found != state:
        raise Conflict(f"event {event.name!r} is {found}, not {state}")


def tell(tx: Transaction, event: EventRow) -> None:
    """Makes facts of the endings that nobody has told yet; the caller holds the event's lock."""
    ended = [row for row in events.tables(tx, event.id) if not row.told and events.has_ended(row)]
    for row in ended:
        ended_so = Ended(event_facts.match(row.content), row.content["game"], row.placements)
        events.append(tx, event.id, row.stage, [event_facts.told(ended_so)])
    events.mark_told(tx, [row.table_id for row in ended])


def _drop(tx: Transaction, event: EventRow, stage: int, now: Situation) -> None:
    """Voids tables for which the event has no use any more: somebody withdrew, or a correction came."""
    wanted = {event_facts.key(stage, one) for one in now.wanted}
    idle = [row for row in events.tables(tx, event.id) if not row.told and row.key not in wanted]
    events.mark_told(tx, [row.table_id for row in idle])
    for row in idle:
        tables.void(tx, row.table_id, OVERTAKEN)


def _plan(tx: Transaction, event: EventRow, stage: int, wanted: Sequence[Wanted]) -> list[str]:
    rows = events.tables(tx, event.id)
    there = {row.key for row in rows}
    fresh = [one for one in wanted if event_facts.key(stage, one) not in there]
    versions = {one.player_id: one.version_id for one in events.entrants(tx, event.id)}
    seatings = _seated(fresh, rows, event.lots)
    seats = [[(player, versions[player]) for player in table] for table in seatings]
    planned = plan_tables(tx, ladders.get_ladder(tx, event.ladder_id), seats, clock=event.clock)
    for id, one in zip(planned, fresh, strict=True):
        content = {"slot": one.match.slot, "company": list(one.match.company), "game": one.game}
        events.add_table(tx, event.id, id, stage, event_facts.key(stage, one), content)
    return planned


def _seated(wanted: Sequence[Wanted], rows: Sequence[EventTableRow], lots: str) -> list[tuple[int, ...]]:
    """Seats evened out over the event."""
    sat: dict[int, Counter[tuple[int, int]]] = {}
    for row in rows:
        for place, player in enumerate(row.seated):
            sat.setdefault(player, Counter())[len(row.seated), place] += 1
    random = Random(f"{lots}/{len(rows)}")  # a plan must come out the same twice; it is no secret
    return [seat(one.players, sat, random) for one in wanted]


def _stage(settings: Mapping[str, Any], least: int, most: int) -> Stage:
    known = set(Stage.__dataclass_fields__) - {"least", "most"}
    strange = sorted(set(settings) - known)
    if strange or "format" not in settings or "seats" not in settings:
        raise StageError(
            f"a stage has format, seats and maybe others of {sorted(known)}, not {strange or sorted(settings)}"
        )
    return Stage(**settings, least=least, most=most)
