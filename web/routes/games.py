"""The games and their rules."""

from fastapi import APIRouter, Request, Response

from engine_service.games import GAMES
from storage import ladders
from web.errors import PageError
from web.rules import rules_page
from web.site import Here
from web.words import listing

router = APIRouter()


@router.get("/games")
def games(site: Here, request: Request) -> Response:
    cards = [game.card for game in GAMES.values()]
    return site.renderer.page(request, "games.html", games=cards)


@router.get("/games/{game}")
def game(site: Here, request: Request, game: str) -> Response:
    if game not in GAMES:
        raise PageError(404, f"There is no game of that name. There are: {listing(sorted(GAMES))}.")
    with site.database.reading() as tx:
        names = [ladder.name for ladder in ladders.ladders(tx) if ladder.game == game]
    card = GAMES[game].card
    return site.renderer.page(request, "game.html", card=card, rules=rules_page(game), ladders=names)
