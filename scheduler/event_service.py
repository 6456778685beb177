"""EventService: tournaments over gRPC, for organisers and for the owners of bots.

Errors are those of ``service.errors`` and ``storage.errors``; the server's guard puts them
on the wire. Queries run in threads, so that SQL never blocks the loop.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ratings.follow import Moved
from scheduler import event_corrections as corrections
from scheduler import event_messages as told
from scheduler import events as use_cases
from scheduler.domain.events.settings import StageError
from scheduler.event_corrections import Right
from scheduler.serving import ORGANISE, allowed, find_allowed
from scheduler.v1 import events_pb2 as pb
from scheduler.v1.events_pb2_grpc import EventServiceServicer
from service.auth import PUBLIC, Policy, Principal, caller
from service.errors import BadRequest, Precondition
from service.transactions import Transactions, last_number, page_size
from storage import actions, events, identity, ladders
from storage.database import Database, Transaction
from storage.errors import Conflict
from storage.events import EventRow

NAME = "scheduler.v1.EventService"
POLICY: Policy = {
    f"/{NAME}/List": PUBLIC,
    f"/{NAME}/Get": PUBLIC,
    f"/{NAME}/Enter": frozenset({"play", ORGANISE}),
    f"/{NAME}/Withdraw": frozenset({"play", ORGANISE}),
    f"/{NAME}/Create": frozenset({ORGANISE}),
    f"/{NAME}/Seed": frozenset({ORGANISE}),
    f"/{NAME}/Step": frozenset({ORGANISE}),
    f"/{NAME}/Correct": frozenset({ORGANISE}),
}
STEPS: dict[int, tuple[str, Callable[[Transaction, EventRow], None]]] = {
    pb.EventStepRequest.VERB_START: ("start", use_cases.start),
    pb.EventStepRequest.VERB_PAUSE: ("pause", use_cases.pause),
    pb.EventStepRequest.VERB_RESUME: ("resume", use_cases.resume),
    pb.EventStepRequest.VERB_CANCEL: ("cancel", use_cases.cancel),
}
PAGE, MOST = 50, 200
MOST_STAGES = 8
REASON = 400  # characters


class EventService(EventServiceServicer):
    """Serves ``proto/scheduler/v1/events.proto`` from a database. Close it when its server has stopped."""

    # N802 below: the names are the proto's.

    def __init__(self, database: Database) -> None:
        self._transactions = Transactions(database, "events")

    def close(self) -> None:
        self._transactions.close()

    async def List(self, request: pb.ListEventsRequest, context: Any) -> pb.ListEventsResponse:  # noqa: N802
        return await self._transactions.read(lambda tx: list_events(tx, request))

    async def Get(self, request: pb.GetEventRequest, context: Any) -> pb.EventSheet:  # noqa: N802
        return await self._transactions.read(lambda tx: told.sheet(tx, events.find_event(tx, request.event)))

    async def Create(self, request: pb.CreateEventRequest, context: Any) -> pb.Event:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: create(tx, request, who))

    async def Enter(self, request: pb.EventEntryRequest, context: Any) -> pb.EventEntryResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: enter(tx, request, who, use_cases.enter))

    async def Withdraw(self, request: pb.EventEntryRequest, context: Any) -> pb.EventEntryResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: enter(tx, request, who, use_cases.withdraw))

    async def Seed(self, request: pb.SeedEventRequest, context: Any) -> pb.EventSheet:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: seed(tx, request, who))

    async def Step(self, request: pb.EventStepRequest, context: Any) -> pb.Event:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: step(tx, request, who))

    async def Correct(self, request: pb.CorrectEventRequest, context: Any) -> pb.CorrectEventResponse:  # noqa: N802
        who = caller()
        run = self._transactions.read if request.preview else self._transactions.write
        return await run(lambda tx: correct(tx, request, who))


def list_events(tx: Transaction, request: pb.ListEventsRequest) -> pb.ListEventsResponse:
    """A page of the events, newest first; a token is the last id of the page before."""
    size = page_size(request.page_size, PAGE, MOST)
    rows = events.events(tx, before=last_number(request.page_token), limit=size + 1)
    more = str(rows[size - 1].id) if len(rows) > size else ""
    return pb.ListEventsResponse(events=[told.event(tx, row) for row in rows[:size]], next_page_token=more)


def create(tx: Transaction, request: pb.CreateEventRequest, who: Principal) -> pb.Event:
    """Makes an event, or finds it. BadRequest says what is wrong with its name or with which stage."""
    if len(request.stages) > MOST_STAGES:
        raise BadRequest(f"an event has 1 to {MOST_STAGES} stages, not {len(request.stages)}")
    stages = [told.settings_of(one) for one in request.stages]
    try:
        row = use_cases.create_event(tx, request.name, request.ladder, stages)
    except (StageError, Conflict) as error:
        raise BadRequest(str(error)) from error
    actions.record(tx, who.name, "event create", row.name, ladder=request.ladder, stages=len(stages))
    return told.event(tx, row)


def enter(
    tx: Transaction,
    request: pb.EventEntryRequest,
    who: Principal,
    act: Callable[[Transaction, EventRow, int], bool],
) -> pb.EventEntryResponse:
    """A bot enters or withdraws. What is not the caller's is not there for it, unless it is an organiser."""
    event = events.find_event(tx, request.event)
    player = find_allowed(tx, request.player, who)
    changed = allowed(lambda: act(tx, event, player))
    if changed and ORGANISE in who.scopes:
        actions.record(tx, who.name, f"event {act.__name__}", event.name, player=request.player)
    return pb.EventEntryResponse(changed=changed)


def seed(tx: Transaction, request: pb.SeedEventRequest, who: Principal) -> pb.EventSheet:
    """Seeds the entrants by rating, by hand, or all by lot."""
    if request.by_rating and request.players:
        raise BadRequest("seed by_rating or by players, not by both")
    if len(set(request.players)) < len(request.players):
        raise BadRequest("players names somebody twice; name each once, the best first")
    event = events.find_event(tx, request.event)
    order = [identity.find_player(tx, name).id for name in request.players]
    if request.by_rating:
        order = use_cases.by_rating(tx, event)
    allowed(lambda: use_cases.seed_event(tx, event, order))
    how = "rating" if request.by_rating else "hand" if request.players else "lot"
    actions.record(tx, who.name, "event seed", event.name, by=how)
    return told.sheet(tx, event)


def step(tx: Transaction, request: pb.EventStepRequest, who: Principal) -> pb.Event:
    """Starts, pauses, resumes or cancels an event."""
    if request.verb not in STEPS:
        raise BadRequest(f"verb is none of {', '.join(name for name, _ in STEPS.values())}")
    verb, act = STEPS[request.verb]
    event = events.find_event(tx, request.event)
    try:
        allowed(lambda: act(tx, event))
    except StageError as error:
        raise Precondition(str(error)) from error
    actions.record(tx, who.name, f"event {verb}", event.name)
    return told.event(tx, events.get_event(tx, event.id))


def correct(tx: Transaction, request: pb.CorrectEventRequest, who: Principal) -> pb.CorrectEventResponse:
    """Puts an ending right, or previews that."""
    reason = request.reason.strip()
    if not request.preview and not 1 <= len(reason) <= REASON:
        raise BadRequest(f"reason is for everybody to read: give 1 to {REASON} characters, not {len(reason)}")
    event = events.find_event(tx, request.event)
    right = _right(tx, request)
    found = allowed(
        lambda: (
            corrections.preview(tx, event, right)
            if request.preview
            else corrections.correct(tx, event, right, who.name, reason)
        )
    )
    if not request.preview:
        kind = pb.CorrectEventRequest.Kind.Name(request.kind).removeprefix("KIND_").lower()
        actions.record(tx, who.name, f"event {kind}", event.name, table=request.table, reason=reason)
    names = told.names_of(events.entrants(tx, event.id))
    return pb.CorrectEventResponse(
        stages=[told.change(number, one, names) for number, one in enumerate(found.stages)],
        moves_ratings=found.rated,
        is_done=not request.preview,
        ratings=_moved(tx, event, found.ratings or ()),
        ratings_unknown=request.preview and found.ratings is None,
    )


def _moved(tx: Transaction, event: EventRow, moved: Sequence[Moved]) -> list[pb.RatingMoved]:
    names = {one.player_id: f"{one.owner}/{one.name}" for one in ladders.entrants(tx, event.ladder_id)}
    return [
        pb.RatingMoved(
            player=names.get(one.player_id, f"player {one.player_id}"), before=one.before, after=one.after
        )
        for one in moved
    ]


def _right(tx: Transaction, request: pb.CorrectEventRequest) -> Right:
    """How the table ended, as the request has it."""
    if request.kind == pb.CorrectEventRequest.KIND_UNSPECIFIED:
        raise BadRequest("kind is none of replace, replay, void")
    is_replaced = request.kind == pb.CorrectEventRequest.KIND_REPLACE
    if is_replaced != bool(request.places):
        raise BadRequest("places belong to a replace, and to nothing else: one for everybody at the table")
    if not is_replaced:
        return Right(request.table, None, for_good=request.kind == pb.CorrectEventRequest.KIND_VOID)
    placed = {identity.find_player(tx, one.player).id: one.place for one in request.places}
    if len(placed) < len(request.places):
        raise BadRequest("places names somebody twice; give each one place")
    ranked = sorted(placed.values())
    if any(place != ranked.index(place) for place in ranked):
        raise BadRequest(
            f"places are {', '.join(map(str, ranked))}; the best has 0, equals share one, "
            "and the next has as many as stand before it"
        )
    return Right(request.table, placed)
