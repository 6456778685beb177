"""Events: in short, and one with its stages, brackets and standings."""

from collections.abc import Iterable, Mapping, Sequence

from scheduler import events as use_cases
from scheduler.domain.events.facts import Withdrew
from scheduler.domain.events.settings import DOUBLE, SINGLE, SWISS, Stage
from scheduler.events import Standing
from storage import events, ladders
from storage.database import Database, Transaction
from storage.events import EventEntrantRow, EventRow
from web.event_models import CorrectionLine, EntrantLine, EventCard, EventHall, EventPage, StageSheet
from web.reading.brackets import Company, brackets
from web.reading.event_tables import columns, group_tables

PAGE = 24

FORMATS = {
    "round-robin": "round robin",
    "swiss": "Swiss",
    "single-elimination": "single elimination",
    "double-elimination": "double elimination",
    "gauntlet": "gauntlet",
}


def events_page(database: Database, before: int | None) -> EventHall:
    """The newest events, or those older than one, some at a time."""
    with database.reading() as tx:
        rows = events.events(tx, before=before, limit=PAGE + 1)
        cards = [_card(tx, event) for event in rows[:PAGE]]
    return EventHall(cards, cards[-1].id if len(rows) > PAGE else None, before is not None)


def event_page(database: Database, event_id: int) -> EventPage:
    """An event with all of its stages. NotFound without such an event."""
    with database.reading() as tx:
        event = events.get_event(tx, event_id)
        entered = events.entrants(tx, event_id)
        stood = use_cases.standings(tx, event) if entered and event.state != events.OPEN else []
        rows = events.tables(tx, event_id)
        corrections = events.audit(tx, event_id)
        card = _card(tx, event)
    gone = {fact.entrant for one in stood for fact in one.facts if isinstance(fact, Withdrew)}
    lines = {one.player_id: _entrant(one, gone) for one in entered}
    company = Company(lines, rows)
    sheets = [
        _sheet(number, Stage(**settings), stood[number] if number < len(stood) else None, company, event)
        for number, settings in enumerate(event.stages)
    ]
    return EventPage(
        event=card,
        lots=event.lots,
        winner=_winner(event, stood, lines),
        entrants=list(lines.values()),
        stages=sheets,
        corrections=[CorrectionLine(after["slot"], who, why) for who, why, _, after in corrections],
    )


def _card(tx: Transaction, event: EventRow) -> EventCard:
    ladder = ladders.get_ladder(tx, event.ladder_id).name
    formats = [FORMATS[one["format"]] for one in event.stages]
    return EventCard(event.id, event.name, ladder, event.state, events.count_entrants(tx, event.id), formats)


def _entrant(row: EventEntrantRow, gone: Iterable[int]) -> EntrantLine:
    owner, name = row.full_name.rsplit("@", 1)[0].split("/", 1)
    return EntrantLine(row.seed, owner, name, row.full_name.rsplit("@", 1)[1], row.player_id in gone)


def _winner(
    event: EventRow, stood: Sequence[Standing], lines: Mapping[int, EntrantLine]
) -> EntrantLine | None:
    if event.state != events.FINISHED or not stood:
        return None
    return lines[stood[-1].situation.lines[0].entrant]


def _sheet(
    number: int, stage: Stage, stood: Standing | None, company: Company, event: EventRow
) -> StageSheet:
    state = "to come" if stood is None else "over" if stood.situation.is_over else "being played"
    return StageSheet(
        number=number + 1,
        title=FORMATS[stage.format],
        rules=rules_of(stage, is_last=number + 1 == len(event.stages)),
        state=state,
        brackets=[] if stood is None else brackets(number, stage, stood.situation, company),
        columns=columns(stage),
        groups=[] if stood is None else group_tables(stage, stood.situation, company),
        has_report=stood is not None and stage.format == SWISS and stage.seats == 2,
    )


def rules_of(stage: Stage, *, is_last: bool) -> list[str]:
    """How a stage is played, in sentences."""
    told = [f"Tables of {stage.seats}."]
    if stage.format in (SINGLE, DOUBLE):
        told.append(
            "The winner of a table goes on."
            if stage.advance == 1
            else f"The best {stage.advance} of a table go on."
        )
    if stage.format == DOUBLE:
        told.append("Who is left behind once plays on in the lower bracket; twice, and one is out.")
    if stage.groups > 1:
        told.append(f"{stage.groups} groups.")
    if stage.rounds:
        told.append(f"{stage.rounds} rounds." if stage.rounds > 1 else "One round.")
    if stage.best_of > 1:
        told.append(f"Each match is the best of {stage.best_of} games.")
    if not is_last:
        told.append(_through(stage))
    return told


def _through(stage: Stage) -> str:
    if not stage.through:
        return "Everybody goes on to the next stage, seeded by these standings."
    whose = " of each group" if stage.groups > 1 else ""
    return f"The best {stage.through}{whose} go on to the next stage."
