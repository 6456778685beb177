"""The events: tournaments of stages."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from web.reading.events import event_page, events_page
from web.site import Here

router = APIRouter()

Number = Annotated[int, Path(ge=1, le=2**31)]


@router.get("/events")
def events(site: Here, request: Request) -> Response:
    return site.renderer.page(request, "events.html", events=events_page(site.database))


@router.get("/events/{event}")
def event(site: Here, request: Request, event: Number) -> Response:
    return site.renderer.page(request, "event.html", page=event_page(site.database, event))
