"""The events: tournaments of stages."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from web.reading.events import event_page, events_page
from web.site import Here

router = APIRouter()

Number = Annotated[int, Path(ge=1, le=2**31)]
Before = Annotated[int | None, Query(ge=1, le=2**31)]


@router.get("/events")
def events(site: Here, request: Request, before: Before = None) -> Response:
    return site.renderer.page(request, "events.html", hall=events_page(site.database, before))


@router.get("/events/{event}")
def event(site: Here, request: Request, event: Number) -> Response:
    return site.renderer.page(request, "event.html", page=event_page(site.database, event))
