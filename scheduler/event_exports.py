"""Use cases of exports: standings and results of events, and a two-seat Swiss as a tournament report."""

from collections.abc import Iterator, Mapping, Sequence

from scheduler import event_facts, events
from scheduler.domain.events.facts import Ended, Match
from scheduler.domain.events.series import Settled
from scheduler.domain.events.settings import SWISS
from scheduler.domain.events.situation import Line
from scheduler.domain.exports.sheets import Sheet, Value
from scheduler.domain.exports.trf import Ending, Entrant, Meeting, Report, ReportError, Round
from scheduler.event_messages import decided_by, names_of
from scheduler.events import Standing
from storage import events as rows
from storage.database import Transaction
from storage.events import EventRow, EventTableRow

STANDINGS = ("stage", "format", "group", "rank", "player", "decided_by")
RESULTS = ("stage", "slot", "game", "table", "state", "seat", "player", "place")


def event_standings(tx: Transaction, event: EventRow) -> Sheet:
    """Each stage that has begun, best first, with every value that decides; those of other formats are None.

    ``group``: from 1, 0 where there are none. ``decided_by``: what tells a line from the one before it.
    """
    stood, names = _stood(tx, event), names_of(rows.entrants(tx, event.id))
    values = list(
        dict.fromkeys(name for one in stood for line in one.situation.lines for name in line.values)
    )
    lines: list[Sequence[Value]] = []
    for number, one in enumerate(stood, 1):
        before: Line | None = None
        for line in one.situation.lines:
            by = "" if before is None else decided_by(before, line)
            told = [float(line.values[name]) if name in line.values else None for name in values]
            place = (number, one.stage.format, line.group, line.rank, names[line.entrant], by)
            lines.append((*place, *told))
            before = line
    return Sheet((*STANDINGS, *(name.replace(" ", "_").replace("-", "_") for name in values)), lines)


def event_results(tx: Transaction, event: EventRow) -> Sheet:
    """Each table of an event in the order of planning, a row a seat. ``place``: from 1, as it counts now,
    corrections included; None for a table that is open or void."""
    names = names_of(rows.entrants(tx, event.id))
    counted = {(number, fact.match, fact.game): fact for number, fact in _endings(_stood(tx, event))}
    lines = [line for row in rows.tables(tx, event.id) for line in _seats(row, counted, names)]
    return Sheet(RESULTS, lines)


def swiss_report(tx: Transaction, event: EventRow, number: int) -> Report:
    """A two-seat Swiss stage, the one of that number from 1. ReportError for any other, or one that has not begun."""
    stood = _stood(tx, event)
    if (
        not 1 <= number <= len(stood)
        or (one := stood[number - 1]).stage.format != SWISS
        or one.stage.seats != 2
    ):
        raise ReportError(f"stage {number} of {event.name} is no two-seat Swiss that has begun")
    names = names_of(rows.entrants(tx, event.id))
    seated = {event_facts.match(row.content): row.seated for row in rows.tables(tx, event.id)}
    ranks = {line.entrant: line.rank for line in one.situation.lines}
    return Report(
        event.name,
        [Entrant(entrant, names[entrant], ranks[entrant]) for entrant in one.entrants],
        [_round(matches, one, seated) for matches in one.situation.matches],
        one.stage.rounds,
    )


def _stood(tx: Transaction, event: EventRow) -> list[Standing]:
    return [] if event.state == rows.OPEN else events.standings(tx, event)


def _endings(stood: Sequence[Standing]) -> Iterator[tuple[int, Ended]]:
    for number, one in enumerate(stood):
        yield from ((number, fact) for fact in one.facts if isinstance(fact, Ended))


def _seats(
    row: EventTableRow, counted: Mapping[tuple[int, Match, int], Ended], names: Mapping[int, str]
) -> Iterator[Sequence[Value]]:
    match, game = event_facts.match(row.content), int(row.content["game"])
    ended = counted.get((row.stage, match, game))
    places = (ended.placements or {}) if ended is not None else {}
    for seat, player in enumerate(row.seated):
        place = places[player] + 1 if player in places else None
        yield row.stage + 1, match.slot, game, row.table_id, row.state, seat, names[player], place


def _round(matches: Sequence[Match], stood: Standing, seated: Mapping[Match, Sequence[int]]) -> Round:
    settled = stood.situation.settled
    pairs = [match for match in matches if len(match.company) == 2 and match in settled]
    return Round(
        [_meeting(seated.get(match, match.company), settled[match]) for match in pairs],
        [match.company[0] for match in matches if len(match.company) == 1],
    )


def _meeting(seats: Sequence[int], outcome: Settled) -> Meeting:
    first, second = seats
    ahead = outcome.places[second] - outcome.places[first]
    if ahead == 0:
        ending = Ending.LEVEL if outcome.is_played else Ending.VOID
    elif outcome.is_played:
        ending = Ending.FIRST if ahead > 0 else Ending.SECOND
    else:
        ending = Ending.FIRST_BY_DEFAULT if ahead > 0 else Ending.SECOND_BY_DEFAULT
    return Meeting(first, second, ending)
