"""Where a guest sits down and plays. Every form carries the proof that it is ours."""

import secrets
import time
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from engine_service.core.game import Variant
from engine_service.games import find
from scheduler.casual import Offer, offers
from service.errors import Exhausted
from storage.errors import Invalid
from web.errors import PageError
from web.links import play_path
from web.playing.guests import form_of, guest_of, make_guest, proof_of, remember
from web.playing.parlour import Crowded, Sitting
from web.playing.person import Refusal
from web.playing.scene import scene_of
from web.site import Here, Site

router = APIRouter(prefix="/play")

ANSWER_S = 1.5
"""So long an answer to a move waits for what the others do."""
A_MIX = ""
"""The opponent of whoever names none: any of the house bots."""

Form = Annotated[dict[str, str], Depends(form_of)]


@dataclass(frozen=True, slots=True)
class Choice:
    """A game in the lobby: how many may play, and against whom."""

    title: str
    offer: Offer
    variant: Variant


@router.get("")
def lobby(site: Here, request: Request) -> Response:
    guest = guest_of(request)
    tables = [scene_of(one, one.person.standing) for one in site.parlour.of(guest)] if guest else []
    return site.renderer.page(
        request, "play.html", choices=_choices(site), tables=tables, proof=proof_of(guest), refusal=""
    )


@router.post("")
def sit_down(site: Here, request: Request, form: Form) -> Response:
    choice = _choice(site, form.get("ladder", ""))
    _count_call(site, request)
    secret, guest = "", guest_of(request)
    if not guest or not site.parlour.of(guest):  # a cookie that we do not know may be somebody else's gift
        secret, guest = make_guest()
    try:
        bots = _bots(choice, form)
        sitting = site.parlour.sit_down(guest, choice.offer, bots, secrets.randbelow(len(bots) + 1))
    except Crowded as error:
        raise PageError(429, str(error)) from error
    except Invalid as error:
        raise PageError(400, str(error)) from error
    sitting.person.wait(0, ANSWER_S)
    response = _to(sitting)
    if secret:
        remember(request, response, secret)
    return response


@router.get("/tables/{table}")
def seat(site: Here, request: Request, table: str) -> Response:
    """The guest's seat; 304 while nothing has changed for whoever says what it has."""
    return _page(site, request, _sitting(site, request, table), "")


@router.get("/tables/{table}/move")
@router.get("/tables/{table}/resign")
def back(site: Here, request: Request, table: str) -> Response:
    """A form's address, asked for by hand or by going back."""
    return _to(_sitting(site, request, table))


@router.post("/tables/{table}/move")
def move(site: Here, request: Request, table: str, form: Form) -> Response:
    sitting = _sitting(site, request, table)
    number = form.get("decision", "")
    if not number.isdecimal() or len(number) > 9:
        raise PageError(
            400, "This is no form of ours: it names no decision. Load the page of your table again."
        )
    try:
        sitting.person.answer(int(number), form.get("move", ""))
    except Refusal as error:
        return _page(site, request, sitting, str(error), 409)
    sitting.person.wait(sitting.person.standing.version, ANSWER_S)
    return _to(sitting)


@router.post("/tables/{table}/resign")
def resign(site: Here, request: Request, table: str, form: Form) -> Response:
    sitting = _sitting(site, request, table)
    sitting.person.resign()
    sitting.person.wait(sitting.person.standing.version, ANSWER_S)
    return _to(sitting)


def _page(site: Site, request: Request, sitting: Sitting, refusal: str, status: int = 200) -> Response:
    standing = sitting.person.standing
    headers = {"Cache-Control": "private, no-store", "ETag": f'"{standing.version}"'}
    if status == 200 and request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    page = site.renderer.page(
        request,
        "seat.html",
        status=status,
        scene=scene_of(sitting, standing),
        proof=proof_of(sitting.guest),
        refusal=refusal,
    )
    page.headers.update(headers)
    return page


def _sitting(site: Site, request: Request, table: str) -> Sitting:
    """The guest's own; whoever sits elsewhere learns nothing, not even whether there is such a table."""
    guest = guest_of(request)
    sitting = site.parlour.find(table, guest) if guest else None
    if sitting is None:
        raise PageError(
            404, "You have no seat at this table, or it ended more than an hour ago. Sit down at a new one."
        )
    return sitting


def _to(sitting: Sitting) -> Response:
    return RedirectResponse(play_path(sitting.table), 303, headers={"Cache-Control": "no-store"})


def _choices(site: Site) -> list[Choice]:
    with site.database.reading() as tx:
        found = offers(tx)
    return [_chosen(offer) for offer in found]


def _choice(site: Site, ladder: str) -> Choice:
    for choice in _choices(site):
        if choice.offer.ladder.name == ladder:
            return choice
    raise PageError(404, "No house bots play that game here. Choose one from the page “Play”.")


def _chosen(offer: Offer) -> Choice:
    game, variant = find(f"{offer.ladder.game}/{offer.ladder.variant}")
    return Choice(game.card.title, offer, variant)


def _bots(choice: Choice, form: dict[str, str]) -> list[str]:
    """Who plays against the guest. PageError for a number of players that the game does not take."""
    variant, seats = choice.variant, form.get("seats", "")
    if seats not in map(str, range(variant.min_seats, variant.max_seats + 1)):
        raise PageError(400, f"This game takes {variant.min_seats} to {variant.max_seats} players.")
    named = form.get("bot", A_MIX)
    names = [bot.name for bot in choice.offer.bots]
    return [named if named != A_MIX else secrets.choice(names) for _ in range(int(seats) - 1)]


def _count_call(site: Site, request: Request) -> None:
    try:
        site.sittings.take(request.client.host if request.client else "", time.monotonic())
    except Exhausted as error:
        raise PageError(
            429, "You have sat down at many tables in a short time. Please wait a minute."
        ) from error
