"""The leagues."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from web.reading.leagues import league_page, leagues_page
from web.site import Here

router = APIRouter()

Number = Annotated[int, Path(ge=1, le=2**31)]
SeasonNumber = Annotated[int | None, Query(ge=1, le=2**31)]


@router.get("/leagues")
def leagues(site: Here, request: Request) -> Response:
    now, cards = leagues_page(site.database)
    return site.renderer.page(request, "leagues.html", now=now, leagues=cards)


@router.get("/leagues/{league}")
def league(site: Here, request: Request, league: Number, season: SeasonNumber = None) -> Response:
    page = league_page(site.database, league, season)
    return site.renderer.page(request, "league.html", page=page)
