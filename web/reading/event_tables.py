"""The standings of an event's stage, with what decides them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby

from scheduler.domain.events.settings import DOUBLE, SINGLE, Stage
from scheduler.domain.events.situation import Line, Situation
from scheduler.domain.events.tables import TIE_BREAKS
from web.event_models import GroupTable
from web.models import Column, StandingLine
from web.reading.brackets import Company

KNOCKOUT: Mapping[str, str] = {
    "stayed in": "who went out later is before",
    "last place": "the place at its last table",
    "share": "the share of all games so far: two points for each left behind and one for each level, over the most",
    "seed": "the better seed",
}


def columns(stage: Stage) -> list[Column]:
    """What decides in a stage, the weightiest first."""
    meanings = KNOCKOUT if stage.format in (SINGLE, DOUBLE) else TIE_BREAKS
    return [Column(_label(name), meaning) for name, meaning in meanings.items()]


def group_tables(stage: Stage, situation: Situation, company: Company) -> list[GroupTable]:
    """The standings, a table for each group, best first."""
    return [
        GroupTable(number, [_line(stage, line, company) for line in lines])
        for number, lines in groupby(situation.lines, key=lambda line: line.group)
    ]


def _line(stage: Stage, line: Line, company: Company) -> StandingLine:
    one = company.lines[line.entrant]
    values = [shown(name, line.values[name]) for name in _names(stage)]
    return StandingLine(line.rank, one.owner, one.name, values, left=one.gone)


def _label(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))


def _names(stage: Stage) -> list[str]:
    return list(KNOCKOUT if stage.format in (SINGLE, DOUBLE) else TIE_BREAKS)


def shown(name: str, value: Fraction) -> str:
    """A tie-break as one reads it. Places and seeds are kept negative, so that more is better; a lot is told
    by its first digits."""
    if name == "share":
        return f"{float(100 * value):.1f} %"
    if name == "last place":
        return str(1 - int(value))
    if name == "seed":
        return str(-int(value))
    if name == "lot":
        return f"{float(value):.4f}"
    return str(int(value)) if value.denominator == 1 else f"{float(value):.2f}"
