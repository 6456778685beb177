"""The games and their rules."""

from fastapi import APIRouter, Request, Response

from engine_service.core.game import GameCard
from engine_service.games import GAMES
from storage import ladders
from web.errors import PageError
from web.rules import match_page, rules_page
from web.site import Here
from web.words import listing

router = APIRouter()


@router.get("/games")
def games(site: Here, request: Request) -> Response:
    cards = [game.card for game in GAMES.values()]
    return site.renderer.page(request, "games.html", games=cards)


@router.get("/games/{game}")
def game(site: Here, request: Request, game: str) -> Response:
    card = _card(game)
    with site.database.reading() as tx:
        names = [ladder.name for ladder in ladders.ladders(tx) if ladder.game == game]
    return site.renderer.page(request, "game.html", card=card, rules=rules_page(game), ladders=names)


@router.get("/games/{game}/match")
def match(site: Here, request: Request, game: str) -> Response:
    card = _card(game)
    told = match_page(game)
    if not told:
        raise PageError(404, f"No match of {card.title} has been told yet.")
    return site.renderer.page(request, "told.html", card=card, told=told)


def _card(game: str) -> GameCard:
    if game not in GAMES:
        raise PageError(404, f"There is no game of that name. There are: {listing(sorted(GAMES))}.")
    return GAMES[game].card
