"""Standings and results as files."""

import orjson
from fastapi import APIRouter, Request, Response

from scheduler import event_exports, exports
from scheduler.domain.exports.sheets import Sheet, csv_of, records_of
from scheduler.domain.exports.trf import ReportError, trf_of
from storage import events, ladders
from web.errors import PageError
from web.files import file_response
from web.links import ladder_path, query
from web.reading.leagues import season_of
from web.routes.events import Number as EventNumber
from web.routes.ladders import check_name
from web.routes.leagues import Number, SeasonNumber
from web.routes.tables import check_id
from web.site import Here

router = APIRouter()

TABLES = 1_000
"""Of one file of a ladder's results; its Link header says where the next is."""
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@router.get("/ladders/{game}/{variant}/standings.{kind}")
def ladder_standings(site: Here, request: Request, game: str, variant: str, kind: str) -> Response:
    name = f"{check_name(game)}/{check_name(variant)}"
    with site.database.reading() as tx:
        sheet = exports.ladder_standings(tx, ladders.find_ladder(tx, name))
    return _file(request, sheet, f"{name}-standings", kind)


@router.get("/ladders/{game}/{variant}/results.{kind}")
def ladder_results(
    site: Here, request: Request, game: str, variant: str, kind: str, before: str | None = None
) -> Response:
    """The latest tables, or those before one."""
    name = f"{check_name(game)}/{check_name(variant)}"
    if before is not None:
        check_id(before)
    with site.database.reading() as tx:
        sheet, further = exports.ladder_results(tx, ladders.find_ladder(tx, name), before, TABLES)
    address = f"{ladder_path(name)}/results.{kind}{query(before=further)}"
    return _file(request, sheet, f"{name}-results", kind, f'<{address}>; rel="next"' if further else "")


@router.get("/leagues/{league}/standings.{kind}")
def season_standings(
    site: Here, request: Request, league: Number, kind: str, season: SeasonNumber = None
) -> Response:
    with site.database.reading() as tx:
        row, found = season_of(tx, league, season)
        sheet = exports.season_standings(tx, found)
    return _file(request, sheet, f"{row.name}-{found.number}-standings", kind)


@router.get("/leagues/{league}/results.{kind}")
def season_results(
    site: Here, request: Request, league: Number, kind: str, season: SeasonNumber = None
) -> Response:
    with site.database.reading() as tx:
        row, found = season_of(tx, league, season)
        sheet = exports.season_results(tx, found)
    return _file(request, sheet, f"{row.name}-{found.number}-results", kind)


@router.get("/events/{event}/standings.{kind}")
def event_standings(site: Here, request: Request, event: EventNumber, kind: str) -> Response:
    with site.database.reading() as tx:
        row = events.get_event(tx, event)
        sheet = event_exports.event_standings(tx, row)
    return _file(request, sheet, f"{row.name}-standings", kind)


@router.get("/events/{event}/results.{kind}")
def event_results(site: Here, request: Request, event: EventNumber, kind: str) -> Response:
    with site.database.reading() as tx:
        row = events.get_event(tx, event)
        sheet = event_exports.event_results(tx, row)
    return _file(request, sheet, f"{row.name}-results", kind)


@router.get("/events/{event}/stages/{stage}.trf")
def swiss_report(site: Here, request: Request, event: EventNumber, stage: EventNumber) -> Response:
    """A two-seat Swiss as a Tournament Report File."""
    with site.database.reading() as tx:
        row = events.get_event(tx, event)
        try:
            text = trf_of(event_exports.swiss_report(tx, row, stage))
        except ReportError as error:
            raise PageError(404, f"{error}: only those have a tournament report.") from error
    return file_response(request, text, "text/plain; charset=utf-8", f"{row.name}-{stage}.trf")


def _file(request: Request, sheet: Sheet, name: str, kind: str, link: str = "") -> Response:
    if kind not in TYPES:
        raise PageError(404, "This is given as .csv and as .json.")
    text = csv_of(sheet) if kind == "csv" else orjson.dumps(records_of(sheet)).decode()
    return file_response(request, text, TYPES[kind], f"{name}.{kind}", link=link)
