"""Calendars to subscribe to: for everybody, as the pages are, and without a secret in their addresses."""

from fastapi import APIRouter, Request, Response

from scheduler import calendars
from storage import leagues
from web.files import file_response
from web.routes.ladders import check_name
from web.routes.leagues import Number
from web.site import Here

router = APIRouter()

TYPE = "text/calendar; charset=utf-8"


@router.get("/leagues/{league}/calendar.ics")
def league_calendar(site: Here, request: Request, league: Number) -> Response:
    """A league's rounds."""
    with site.database.reading() as tx:
        row = leagues.get_league(tx, league)
        text = calendars.league_calendar(tx, row)
    return file_response(request, text, TYPE, f"{row.name}.ics", inline=True)


@router.get("/owners/{owner}/calendar.ics")
def owner_calendar(site: Here, request: Request, owner: str) -> Response:
    """The rounds and tables of an owner's players."""
    with site.database.reading() as tx:
        text = calendars.owner_calendar(tx, check_name(owner))
    return file_response(request, text, TYPE, f"{owner}.ics", inline=True)
