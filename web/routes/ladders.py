"""The ladders and who stands on them."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from web.errors import PageError
from web.links import ladder_path
from web.reading.fairness import fairness_page
from web.reading.ladders import NoSuchPage, board_page, ladders_page
from web.reading.players import player_page
from web.site import Here
from web.words import clean_query

router = APIRouter()

PageNumber = Annotated[int, Query(ge=1)]
NAME_LIMIT = 60


@router.get("/ladders")
def ladders(site: Here, request: Request) -> Response:
    return site.renderer.page(request, "ladders.html", ladders=ladders_page(site.database))


@router.get("/ladders/{game}/{variant}")
def ladder(
    site: Here, request: Request, game: str, variant: str, page: PageNumber = 1, q: str = ""
) -> Response:
    name = f"{check_name(game)}/{check_name(variant)}"
    try:
        board = board_page(site.database, name, page, clean_query(q), site.forecaster)
    except NoSuchPage as error:
        last = "1 page" if error.last == 1 else f"{error.last} pages"
        raise PageError(404, f"This leaderboard has only {last}: {ladder_path(name)}.") from error
    return site.renderer.page(request, "ladder.html", board=board)


@router.get("/ladders/{game}/{variant}/fairness")
def fairness(site: Here, request: Request, game: str, variant: str) -> Response:
    sheet = fairness_page(site.database, f"{check_name(game)}/{check_name(variant)}")
    return site.renderer.page(request, "fairness.html", sheet=sheet)


@router.get("/ladders/{game}/{variant}/players/{owner}/{name}")
def player(site: Here, request: Request, game: str, variant: str, owner: str, name: str) -> Response:
    ladder = f"{check_name(game)}/{check_name(variant)}"
    sheet = player_page(site.database, ladder, f"{check_name(owner)}/{check_name(name)}", site.forecaster)
    return site.renderer.page(request, "player.html", sheet=sheet)


def check_name(name: str) -> str:
    """The name, if it could be one at all; PageError for what no database should be asked."""
    if len(name) > NAME_LIMIT or not name.isprintable():
        raise PageError(404, "Nothing here has a name like that.")
    return name
