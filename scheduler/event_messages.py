"""Events as gRPC tells them: from rows and situations to messages, and stages the other way."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from scheduler import events as use_cases
from scheduler.domain.events.facts import Match, Withdrew
from scheduler.domain.events.situation import Line
from scheduler.domain.events.stage import Difference
from scheduler.events import Standing
from scheduler.v1 import events_pb2 as pb
from storage import events, ladders
from storage.database import Transaction
from storage.events import FINISHED, OPEN, EventEntrantRow, EventRow, EventTableRow

Names = Mapping[int, str]
"""Player id to ``owner/bot``."""


def event(tx: Transaction, row: EventRow) -> pb.Event:
    """An event in short."""
    return pb.Event(
        name=row.name,
        ladder=ladders.get_ladder(tx, row.ladder_id).name,
        state=row.state,
        lots=row.lots,
        stages=[stage(one) for one in row.stages],
        entrants=events.count_entrants(tx, row.id),
    )


def stage(settings: Mapping[str, Any]) -> pb.Stage:
    """A stage's settings, those of the game left out."""
    return pb.Stage(**{name: settings[name] for name in pb.Stage.DESCRIPTOR.fields_by_name})


def settings_of(wanted: pb.Stage) -> dict[str, Any]:
    """What was asked for; what is absent or 0 is left out, so that it has its default."""
    return {field.name: value for field, value in wanted.ListFields()}


def sheet(tx: Transaction, row: EventRow) -> pb.EventSheet:
    """An event with everything that is public of it."""
    entered = events.entrants(tx, row.id)
    names = names_of(entered)
    stood = use_cases.standings(tx, row) if entered and row.state != OPEN else []
    tables = events.tables(tx, row.id)
    gone = {fact.entrant for one in stood for fact in one.facts if isinstance(fact, Withdrew)}
    is_won = row.state == FINISHED and bool(stood)
    return pb.EventSheet(
        event=event(tx, row),
        entrants=[_entrant(one, names, gone) for one in entered],
        stages=[_stage_sheet(number, one, names, tables) for number, one in enumerate(stood)],
        corrections=[
            pb.Correction(slot=after["slot"], actor=actor, reason=reason)
            for actor, reason, _, after in events.audit(tx, row.id)
        ],
        winner=names[stood[-1].situation.lines[0].entrant] if is_won else "",
    )


def names_of(entered: Iterable[EventEntrantRow]) -> Names:
    return {one.player_id: one.full_name.rsplit("@", 1)[0] for one in entered}


def change(number: int, found: Difference, names: Names) -> pb.StageChange:
    """What a correction does to a stage, the one of that number from 0."""
    return pb.StageChange(
        stage=number + 1,
        reopens=found.reopens,
        lost=[_company(one, names) for one in found.lost],
        new=[_company(one, names) for one in found.new],
        moved=[
            pb.Moved(player=names[one.entrant], before=one.before, after=one.after) for one in found.moved
        ],
    )


def _entrant(row: EventEntrantRow, names: Names, gone: Iterable[int]) -> pb.Entrant:
    return pb.Entrant(
        seed=row.seed or 0,
        player=names[row.player_id],
        version=int(row.full_name.rsplit("@", 1)[1]),
        withdrew=row.player_id in gone,
    )


def _stage_sheet(
    number: int, stood: Standing, names: Names, tables: Sequence[EventTableRow]
) -> pb.StageSheet:
    now = stood.situation
    rounds = [[_match(number, one, stood, names, tables) for one in matches] for matches in now.matches]
    return pb.StageSheet(
        number=number + 1,
        is_over=now.is_over,
        rounds=[pb.Round(matches=matches) for matches in rounds],
        lines=_lines(now.lines, names),
        tie_breaks=list(now.lines[0].values) if now.lines else [],
    )


def _match(
    number: int, match: Match, stood: Standing, names: Names, tables: Sequence[EventTableRow]
) -> pb.Match:
    settled = stood.situation.settled.get(match)
    order = match.company if settled is None else settled.order
    places = {} if settled is None else settled.places
    mine = [
        one
        for one in tables
        if (one.stage, one.content["slot"], tuple(one.content["company"]))
        == (number, match.slot, match.company)
    ]
    return pb.Match(
        slot=match.slot,
        is_settled=settled is not None,
        seats=[pb.MatchSeat(player=names[one], place=places.get(one)) for one in order],
        tables=[pb.EventTable(id=one.table_id, game=one.content["game"], state=one.state) for one in mine],
    )


def _company(match: Match, names: Names) -> pb.Match:
    return pb.Match(slot=match.slot, seats=[pb.MatchSeat(player=names[one]) for one in match.company])


def _lines(lines: Sequence[Line], names: Names) -> list[pb.EventLine]:
    decided = ["", *(decided_by(before, after) for before, after in pairwise(lines))]
    return [
        pb.EventLine(
            rank=line.rank,
            group=line.group,
            player=names[line.entrant],
            values=[pb.TieBreak(name=name, value=str(value)) for name, value in line.values.items()],
            decided_by=by,
        )
        for line, by in zip(lines, decided, strict=True)
    ]


def decided_by(before: Line, after: Line) -> str:
    """The tie-break that tells a line from the one before it; empty for the first of a group."""
    if before.group != after.group:
        return ""
    return next(name for name, value in after.values.items() if value != before.values[name])
