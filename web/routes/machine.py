"""What machines ask for: health, robots, static files."""

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import PlainTextResponse

from storage.database import now_ms
from storage.errors import StorageError
from web.site import Here

router = APIRouter()

ROBOTS = "User-agent: *\nDisallow: /*?\n"


@router.get("/healthz")
def healthz(site: Here) -> Response:
    """200 while the database answers, else 503."""
    try:
        with site.database.reading() as tx:
            now_ms(tx)
    except StorageError:
        return PlainTextResponse("the database does not answer\n", 503, {"Cache-Control": "no-store"})
    return PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})


@router.get("/robots.txt")
def robots() -> Response:
    return PlainTextResponse(ROBOTS, headers={"Cache-Control": "public, max-age=86400"})


@router.get("/favicon.ico")
def favicon(site: Here, request: Request) -> Response:
    """The drawn icon: browsers go by its media type, not by the address's ending."""
    return static(site, request, "favicon.svg")


@router.get("/static/{name}")
def static(site: Here, request: Request, name: str) -> Response:
    response = site.assets.serve(request, name)
    if response is None:
        raise HTTPException(404)
    return response
