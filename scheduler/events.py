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
from scheduler.domain.events.facts import Drawn, Ended, Fact, Match, Withdrew, corrected
from scheduler.domain.events.series import Wanted
from scheduler.domain.events.settings import Stage, StageError
from scheduler.domain.events.situation import Situation
from scheduler.domain.events.stage import Difference, difference, look, through
from scheduler.domain.seating import seat
from scheduler.tables import CLOCK, plan_tables
from storage import events, jobs, ladders, tables
from storage.database import Transaction
from storage.errors import Conflict, NotFound
from storage.events import FINISHED, OPEN, PAUSED, RUNNING, EventRow, EventTableRow

OVERTAKEN = "the event went on without it"


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
    if not stages:
        raise StageError("an event has one stage or more")
    checked = [asdict(_stage(one, variant.min_seats, variant.max_seats)) for one in stages]
    return events.ensure_event(tx, name, ladder.id, checked, dict(clock), secrets.token_hex(16))


def seed_event(tx: Transaction, event: EventRow, order: Sequence[int] = ()) -> None:
    """Seeds the entrants: those of ``order`` first, as given; the others at random from the event's seed."""
    if event.state != OPEN:
        raise Conflict(f"event {event.name!r} has begun; its seeds stand")
    entered = sorted(one.player_id for one in events.entrants(tx, event.id))
    strangers = sorted(set(order) - set(entered))
    if strangers:
        raise Conflict(f"players {strangers} are not in event {event.name!r}; enter them first")
    rest = [one for one in entered if one not in order]
    Random(event.lots).shuffle(rest)  # anybody can draw it again from the published seed
    events.seed(tx, event.id, [*order, *rest])


def start(tx: Transaction, event: EventRow) -> None:
    """Begins the event, or goes on with a paused one. StageError if too few have entered."""
    locked = events.lock_event(tx, event.id)
    if locked.state not in (OPEN, PAUSED):
        raise Conflict(f"event {event.name!r} is {locked.state}")
    if locked.state == OPEN:
        entered = events.entrants(tx, event.id)
        Stage(**event.stages[0]).check_entrants(len(entered))
        seed_event(tx, locked, [one.player_id for one in entered if one.seed is not None])
    events.set_state(tx, event.id, RUNNING)
    jobs.add(tx, jobs.EVENT, event.id)


def pause(tx: Transaction, event: EventRow) -> None:
    """Plans no more tables until it is started again; those that were planned are played."""
    if events.lock_event(tx, event.id).state != RUNNING:
        raise Conflict(f"event {event.name!r} is not running")
    events.set_state(tx, event.id, PAUSED)


def withdraw(tx: Transaction, event: EventRow, player_id: int) -> None:
    """Takes a player out of the rest of the event; what it has played stands."""
    locked = events.lock_event(tx, event.id)
    if locked.state not in (RUNNING, PAUSED):
        raise Conflict(f"event {event.name!r} is {locked.state}; nobody can withdraw")
    _tell(tx, locked)
    now = standings(tx, locked)
    if player_id not in now[-1].entrants:
        raise NotFound(f"player {player_id} is not in this stage of event {event.name!r}")
    if Withdrew(player_id) not in now[-1].facts:
        events.append(tx, event.id, len(now) - 1, [_told(Withdrew(player_id))])
    jobs.add(tx, jobs.EVENT, event.id)


def advance(tx: Transaction, event_id: int) -> list[str]:
    """Moves the event on as far as it goes without playing; the tables that were planned."""
    event = events.lock_event(tx, event_id)
    if event.state == OPEN:
        return []
    _tell(tx, event)
    if event.state != RUNNING:
        return []
    while True:
        now = standings(tx, event)
        last = now[-1].situation
        if last.draw is not None:
            events.append(tx, event.id, len(now) - 1, [_told(last.draw)])
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
        [_fact(row.content) for row in rows if row.stage == number] for number in range(len(event.stages))
    ]
    return _standings(event, seeded, by_stage)


def preview(
    tx: Transaction, event: EventRow, table_id: str, placements: Mapping[int, int] | None
) -> list[Difference]:
    """What a correction would change, stage by stage: the facts are folded twice. Changes nothing.

    ``placements``: player id to place, 0 best; None: void. NotFound if the table has no ending to correct.
    """
    before = standings(tx, event)
    number, right = _correction(tx, event, table_id, placements)
    facts = [list(one.facts) for one in before]
    facts[number] = corrected(facts[number], right)
    facts += [[] for _ in range(len(event.stages) - len(facts))]
    after = _standings(event, before[0].entrants, facts)
    return [difference(old.situation, new.situation) for old, new in zip(before, after, strict=False)]


def correct(
    tx: Transaction,
    event: EventRow,
    table_id: str,
    placements: Mapping[int, int] | None,
    actor: str,
    reason: str,
) -> list[Difference]:
    """Puts a table's ending right, with an audit entry; only what depends on it is played again."""
    locked = events.lock_event(tx, event.id)
    if locked.state == OPEN:
        raise Conflict(f"event {event.name!r} has not begun")
    _tell(tx, locked)
    changes = preview(tx, locked, table_id, placements)
    number, right = _correction(tx, locked, table_id, placements)
    place = next(
        row.place
        for row in events.facts(tx, event.id)
        if row.stage == number and _is_of(_fact(row.content), right)
    )
    events.put_right(tx, event.id, place, _told(right), actor, reason)
    if locked.state == FINISHED:
        events.set_state(tx, event.id, RUNNING)
    jobs.add(tx, jobs.EVENT, event.id)
    return changes


def _standings(event: EventRow, seeded: Sequence[int], facts: Sequence[Sequence[Fact]]) -> list[Standing]:
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


def _tell(tx: Transaction, event: EventRow) -> None:
    """Makes facts of the endings that nobody has told yet."""
    ended = [row for row in events.tables(tx, event.id) if not row.told and events.has_ended(row)]
    for row in ended:
        match = _match(row.content)
        events.append(tx, event.id, row.stage, [_told(Ended(match, row.content["game"], row.placements))])
    events.mark_told(tx, [row.table_id for row in ended])


def _drop(tx: Transaction, event: EventRow, stage: int, now: Situation) -> None:
    """Voids tables for which the event has no use any more: somebody withdrew, or a correction came."""
    wanted = {_key(stage, one) for one in now.wanted}
    idle = [row for row in events.tables(tx, event.id) if not row.told and row.key not in wanted]
    events.mark_told(tx, [row.table_id for row in idle])
    for row in idle:
        tables.void(tx, row.table_id, OVERTAKEN)


def _plan(tx: Transaction, event: EventRow, stage: int, wanted: Sequence[Wanted]) -> list[str]:
    rows = events.tables(tx, event.id)
    there = {row.key for row in rows}
    fresh = [one for one in wanted if _key(stage, one) not in there]
    versions = {one.player_id: one.version_id for one in events.entrants(tx, event.id)}
    seatings = _seated(fresh, rows, event.lots)
    seats = [[(player, versions[player]) for player in table] for table in seatings]
    planned = plan_tables(tx, ladders.get_ladder(tx, event.ladder_id), seats, clock=event.clock)
    for id, one in zip(planned, fresh, strict=True):
        content = {"slot": one.match.slot, "company": list(one.match.company), "game": one.game}
        events.add_table(tx, event.id, id, stage, _key(stage, one), content)
    return planned


def _seated(wanted: Sequence[Wanted], rows: Sequence[EventTableRow], lots: str) -> list[tuple[int, ...]]:
    """Seats evened out over the event."""
    sat: dict[int, Counter[tuple[int, int]]] = {}
    for row in rows:
        for place, player in enumerate(row.seated):
            sat.setdefault(player, Counter())[len(row.seated), place] += 1
    random = Random(f"{lots}/{len(rows)}")  # a plan must come out the same twice; it is no secret
    return [seat(one.players, sat, random) for one in wanted]


def _correction(
    tx: Transaction, event: EventRow, table_id: str, placements: Mapping[int, int] | None
) -> tuple[int, Ended]:
    row = next((one for one in events.tables(tx, event.id) if one.table_id == table_id), None)
    if row is None:
        raise NotFound(f"table {table_id!r} is not of event {event.name!r}")
    if placements is not None and set(placements) != set(row.seated):
        raise Conflict(f"table {table_id} has players {sorted(row.seated)}; give each of them its place")
    if not events.has_ended(row):
        raise Conflict(f"table {table_id} has not ended; there is nothing to correct yet")
    return row.stage, Ended(_match(row.content), row.content["game"], placements)


def _is_of(fact: Fact, right: Ended) -> bool:
    return isinstance(fact, Ended) and (fact.match, fact.game) == (right.match, right.game)


def _stage(settings: Mapping[str, Any], least: int, most: int) -> Stage:
    known = set(Stage.__dataclass_fields__) - {"least", "most"}
    strange = sorted(set(settings) - known)
    if strange or "format" not in settings or "seats" not in settings:
        raise StageError(
            f"a stage has format, seats and maybe others of {sorted(known)}, not {strange or sorted(settings)}"
        )
    return Stage(**settings, least=least, most=most)


def _key(stage: int, one: Wanted) -> str:
    """Names a game of a match: the slot, its company, the number of the game."""
    company = ".".join(map(str, one.match.company))
    return f"{stage}/{one.match.slot}/{company}/{one.game}"


def _match(content: Mapping[str, Any]) -> Match:
    return Match(content["slot"], tuple(content["company"]))


def _told(fact: Fact) -> dict[str, Any]:
    """A fact as it is stored."""
    if isinstance(fact, Withdrew):
        return {"withdrew": fact.entrant}
    if isinstance(fact, Drawn):
        return {"round": fact.round, "matches": [[match.slot, list(match.company)] for match in fact.matches]}
    placed = (
        None if fact.placements is None else [[one, place] for one, place in sorted(fact.placements.items())]
    )
    return {"slot": fact.match.slot, "company": list(fact.match.company), "game": fact.game, "placed": placed}


def _fact(content: Mapping[str, Any]) -> Fact:
    """The inverse of :func:`_told`."""
    if "withdrew" in content:
        return Withdrew(content["withdrew"])
    if "round" in content:
        return Drawn(content["round"], tuple(Match(slot, tuple(one)) for slot, one in content["matches"]))
    placed = content["placed"]
    return Ended(_match(content), content["game"], None if placed is None else dict(placed))
