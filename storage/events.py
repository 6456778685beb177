"""Events: their entrants, the facts that make them up, and the tables that play them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from .database import now_ms
from .errors import Conflict, found
from .identity import full_name
from .inserting import insert_new, table_of
from .names import check_label
from .rows import DONE, PLANNED, VOID
from .schema import (
    Attempt,
    Event,
    EventAudit,
    EventEntrant,
    EventFact,
    EventTable,
    GameTable,
    Owner,
    Player,
    PlayerVersion,
    Result,
    TableSeat,
)

OPEN, RUNNING, PAUSED, FINISHED, CANCELLED = "open", "running", "paused", "finished", "cancelled"
NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class EventRow:
    """``stages``: the settings of each; ``lots``: the published seed; ``state``: open (entrants come),
    running, paused, finished or cancelled."""

    id: int
    name: str
    ladder_id: int
    stages: tuple[dict[str, Any], ...]
    clock: dict[str, Any]
    lots: str
    state: str


@dataclass(frozen=True, slots=True)
class EventEntrantRow:
    """``seed``: from 1, the best; None: not seeded yet. ``full_name`` is ``owner/bot@3``."""

    player_id: int
    version_id: int
    seed: int | None
    full_name: str


@dataclass(frozen=True, slots=True)
class FactRow:
    place: int
    stage: int
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EventTableRow:
    """``seated``: player ids, seat 0 first; ``placements``: player id -> place, once there is a result;
    ``told``: nothing is to be done about it."""

    table_id: str
    stage: int
    key: str
    content: dict[str, Any]
    told: bool
    state: str
    seated: tuple[int, ...]
    placements: dict[int, int] | None


@dataclass(frozen=True, slots=True)
class AwaitedSeat:
    player_id: int
    version_id: int
    kind: str


@dataclass(frozen=True, slots=True)
class AwaitedRow:
    """A table of an event that was to begin and found a seat empty, last at ``missed_at``. ``no_show_ms``:
    its stage's."""

    event_id: int
    table_id: str
    stage: int
    content: dict[str, Any]
    planned_at: int
    missed_at: int
    no_show_ms: int
    seats: tuple[AwaitedSeat, ...]


def ensure_event(
    tx: Session, name: str, ladder_id: int, stages: Sequence[dict[str, Any]], clock: dict[str, Any], lots: str
) -> EventRow:
    """The event of that name, made if missing. Conflict if it exists with other settings; Invalid for
    what is no name (see storage.names)."""
    check_label("an event's name", name, NAME)
    values = {"ladder_id": ladder_id, "stages": list(stages), "clock": clock}
    insert_new(tx, Event, name=name, **values, lots=lots, state=OPEN, created_at=now_ms(tx))
    event = find_event(tx, name)
    if (event.ladder_id, list(event.stages), event.clock) != (ladder_id, list(stages), clock):
        raise Conflict(f"event {name!r} exists with other settings; choose another name")
    return event


def find_event(tx: Session, name: str) -> EventRow:
    """NotFound if there is none of that name."""
    row = tx.execute(select(Event).where(Event.name == name)).scalar_one_or_none()
    return _event(found(row, f"there is no event {name!r}"))


def get_event(tx: Session, event_id: int) -> EventRow:
    """NotFound if there is none of that id."""
    return _event(found(tx.get(Event, event_id, populate_existing=True), f"there is no event {event_id}"))


def events(tx: Session, *, before: int | None = None, limit: int | None = None) -> list[EventRow]:
    """The events, the newest first: those older than the one of an id, all or the first ``limit`` of them."""
    older = () if before is None else (Event.id < before,)
    query = select(Event).where(*older).order_by(Event.id.desc()).limit(limit)
    return [_event(row) for row in tx.execute(query).scalars()]


def lock_event(tx: Session, event_id: int) -> EventRow:
    """The event under its row's lock: whoever moves it on is alone. Take it before any table's lock."""
    statement = select(Event).where(Event.id == event_id).with_for_update()
    row = tx.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()
    return _event(found(row, f"there is no event {event_id}"))


def set_state(tx: Session, event_id: int, state: str) -> None:
    """Moves the event to that state; the caller holds its lock."""
    ended = now_ms(tx) if state in (FINISHED, CANCELLED) else None
    tx.execute(update(Event).where(Event.id == event_id).values(state=state, ended_at=ended))
    tx.expire_all()


def enter(tx: Session, event_id: int, player_id: int, version_id: int, seed: int | None = None) -> bool:
    """Enters a player with a version. False if it was entered already. Conflict once the event has begun."""
    if lock_event(tx, event_id).state != OPEN:
        raise Conflict(f"event {event_id} has begun; nobody can enter any more")
    row = {"event_id": event_id, "player_id": player_id, "version_id": version_id, "seed": seed}
    return insert_new(tx, EventEntrant, **row)


def leave(tx: Session, event_id: int, player_id: int) -> bool:
    """Takes an entrant out of an event that has not begun; the caller holds its lock. False if it was not in."""
    where = (EventEntrant.event_id == event_id, EventEntrant.player_id == player_id)
    return (
        tx.execute(delete(EventEntrant).where(*where).returning(EventEntrant.player_id)).first() is not None
    )


def seed(tx: Session, event_id: int, order: Sequence[int]) -> None:
    """Numbers the entrants in that order of player ids, from 1."""
    for number, player_id in enumerate(order, 1):
        where = (EventEntrant.event_id == event_id, EventEntrant.player_id == player_id)
        tx.execute(update(EventEntrant).where(*where).values(seed=number))


def entrants(tx: Session, event_id: int) -> list[EventEntrantRow]:
    """The entrants, by seed, then by player id."""
    columns = (
        EventEntrant.player_id,
        EventEntrant.version_id,
        EventEntrant.seed,
        Owner.name.label("owner"),
        Player.name,
        Player.kind,
        PlayerVersion.number,
    )
    statement = (
        select(*columns)
        .join(Player, Player.id == EventEntrant.player_id)
        .join(Owner, Owner.id == Player.owner_id)
        .join(PlayerVersion, PlayerVersion.id == EventEntrant.version_id)
        .where(EventEntrant.event_id == event_id)
    )
    rows = [
        EventEntrantRow(
            row.player_id, row.version_id, row.seed, full_name(row.owner, row.name, row.kind, row.number)
        )
        for row in tx.execute(statement)
    ]
    return sorted(rows, key=lambda row: (row.seed is None, row.seed, row.player_id))


def count_entrants(tx: Session, event_id: int) -> int:
    where = EventEntrant.event_id == event_id
    return tx.execute(select(func.count()).select_from(EventEntrant).where(where)).scalar_one()


def facts(tx: Session, event_id: int) -> list[FactRow]:
    """What has happened, in order."""
    statement = select(EventFact).where(EventFact.event_id == event_id).order_by(EventFact.place)
    return [FactRow(row.place, row.stage, dict(row.content)) for row in tx.execute(statement).scalars()]


def append(tx: Session, event_id: int, stage: int, contents: Iterable[dict[str, Any]]) -> None:
    """Appends facts; the caller holds the event's lock."""
    last = select(func.max(EventFact.place)).where(EventFact.event_id == event_id)
    place = tx.execute(last).scalar()
    first, now = 0 if place is None else place + 1, now_ms(tx)
    rows = [
        {"event_id": event_id, "place": first + more, "stage": stage, "content": content, "at": now}
        for more, content in enumerate(contents)
    ]
    if rows:
        tx.execute(table_of(EventFact).insert(), rows)


def put_right(
    tx: Session, event_id: int, place: int, content: dict[str, Any], actor: str, reason: str
) -> None:
    """Replaces a fact, with an audit row that keeps the old one; the caller holds the event's lock."""
    where = (EventFact.event_id == event_id, EventFact.place == place)
    before = found(
        tx.execute(select(EventFact.content).where(*where)).scalar_one_or_none(), f"there is no fact {place}"
    )
    count = select(func.count()).select_from(EventAudit).where(EventAudit.event_id == event_id)
    row = {"number": tx.execute(count).scalar_one(), "actor": actor, "reason": reason}
    audit = {"event_id": event_id, **row, "before": before, "after": content, "at": now_ms(tx)}
    tx.execute(table_of(EventAudit).insert(), [audit])
    tx.execute(update(EventFact).where(*where).values(content=content))
    tx.expire_all()


def audit(tx: Session, event_id: int) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """(who, why, before, after) of each correction, in order."""
    statement = select(EventAudit).where(EventAudit.event_id == event_id).order_by(EventAudit.number)
    return [(row.actor, row.reason, row.before, row.after) for row in tx.execute(statement).scalars()]


def add_table(
    tx: Session, event_id: int, table_id: str, stage: int, key: str, content: dict[str, Any]
) -> None:
    """Says which game of the event a planned table plays. Conflict if another one plays it."""
    values = {"table_id": table_id, "event_id": event_id, "stage": stage, "key": key, "content": content}
    if not insert_new(tx, EventTable, **values, told=False):
        raise Conflict(f"game {key} of event {event_id} has its table")


def mark_told(tx: Session, table_ids: Sequence[str]) -> None:
    """Nothing is to be done about those tables any more."""
    tx.execute(update(EventTable).where(EventTable.table_id.in_(table_ids)).values(told=True))
    tx.expire_all()


def tables(tx: Session, event_id: int) -> list[EventTableRow]:
    """The event's tables, in the order in which they were planned."""
    statement = (
        select(EventTable, GameTable.state, Result.placements)
        .join(GameTable, GameTable.id == EventTable.table_id)
        .outerjoin(Result, Result.table_id == EventTable.table_id)
        .where(EventTable.event_id == event_id)
        .order_by(EventTable.table_id)
    )
    rows = tx.execute(statement).all()
    seats = _seats(tx, [row.EventTable.table_id for row in rows])
    return [_table(row.EventTable, row.state, row.placements, seats) for row in rows]


def _seats(tx: Session, ids: Sequence[str]) -> dict[str, list[int]]:
    seats: dict[str, list[int]] = {id: [] for id in ids}
    statement = select(TableSeat.table_id, TableSeat.player_id).where(TableSeat.table_id.in_(ids))
    for table_id, player_id in tx.execute(statement.order_by(TableSeat.table_id, TableSeat.seat)):
        seats[table_id].append(player_id)
    return seats


def _table(row: EventTable, state: str, placements: Any, seats: dict[str, list[int]]) -> EventTableRow:
    placed = None
    if state == DONE and placements is not None:
        placed = dict(zip(seats[row.table_id], placements, strict=True))
    return EventTableRow(
        row.table_id,
        row.stage,
        row.key,
        dict(row.content),
        row.told,
        state,
        tuple(seats[row.table_id]),
        placed,
    )


def has_ended(row: EventTableRow) -> bool:
    """Is there a result, or will there never be one?"""
    return row.state in (DONE, VOID)


def _event(row: Event) -> EventRow:
    return EventRow(row.id, row.name, row.ladder_id, tuple(row.stages), dict(row.clock), row.lots, row.state)


def is_of_event(tx: Session, table_id: str) -> bool:
    """Does a table play a game of an event?"""
    return tx.get(EventTable, table_id) is not None


def awaited(tx: Session) -> list[AwaitedRow]:
    """The tables of running events that wait because a seat of theirs was found empty, oldest first."""
    missed = func.max(Attempt.ended_at)
    statement = (
        select(EventTable, Event.stages, GameTable.planned_at, missed)
        .join(Event, Event.id == EventTable.event_id)
        .join(GameTable, GameTable.id == EventTable.table_id)
        .join(Attempt, Attempt.table_id == EventTable.table_id)
        .where(Event.state == RUNNING, EventTable.told.is_(False))
        .where(GameTable.state == PLANNED, Attempt.cause == "seats")
        .group_by(EventTable.table_id, Event.id, GameTable.id)
        .order_by(EventTable.table_id)
    )
    return [
        AwaitedRow(
            row.event_id,
            row.table_id,
            row.stage,
            dict(row.content),
            planned_at,
            missed_at,
            stages[row.stage]["no_show_ms"],
            _awaited_seats(tx, row.table_id),
        )
        for row, stages, planned_at, missed_at in tx.execute(statement).all()
    ]


def _awaited_seats(tx: Session, table_id: str) -> tuple[AwaitedSeat, ...]:
    statement = (
        select(TableSeat.player_id, TableSeat.version_id, Player.kind)
        .join(Player, Player.id == TableSeat.player_id)
        .where(TableSeat.table_id == table_id)
        .order_by(TableSeat.seat)
    )
    return tuple(AwaitedSeat(*seat) for seat in tx.execute(statement))
