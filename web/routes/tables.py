"""The tables: all of them, one of them, its replay."""

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from web.assets import has_already
from web.errors import PageError
from web.links import table_path
from web.reading.tables import hall_page, replay_of, table_page
from web.site import Here
from web.viewing.film import PUBLIC
from web.viewing.scene import WITHHELD, film_page

router = APIRouter()

_ID = re.compile(r"[0-9A-Za-z_-]{1,26}")
MOST_STEP = 10**9
REPLAY_TYPE = "application/x-ndjson"


@router.get("/tables")
def tables(site: Here, request: Request, before: str | None = None) -> Response:
    if before is not None:
        check_id(before)
    return site.renderer.page(request, "tables.html", hall=hall_page(site.database, before))


@router.get("/tables/{table}")
def table(site: Here, request: Request, table: str) -> Response:
    check_id(table)
    return site.renderer.page(
        request, "table.html", scene=table_page(site.database, table, site.spectator.look)
    )


@router.get("/tables/{table}/replay")
def viewer(
    site: Here,
    request: Request,
    table: str,
    move: Annotated[int | None, Query(ge=-MOST_STEP, le=MOST_STEP)] = None,
    view: str = PUBLIC,
) -> Response:
    """A finished match on the board at one of its steps; of one that is not finished, the table's page."""
    check_id(table)
    film = film_page(site.database, table, move, view)
    if film is None:
        return RedirectResponse(table_path(table), 303, headers={"Cache-Control": "no-store"})
    return site.renderer.page(request, "replay.html", film=film)


@router.get("/tables/{table}/replay.jsonl")
def replay(site: Here, request: Request, table: str) -> Response:
    """The replay as a file. A result never changes, so it may be kept for ever."""
    check_id(table)
    lines = replay_of(site.database, table)
    if lines is None:
        raise PageError(404, WITHHELD)
    headers = {
        "Content-Disposition": f'attachment; filename="{table}.jsonl"',
        "Cache-Control": "public, max-age=31536000, immutable",
        "ETag": f'"{table}"',
    }
    if has_already(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(lines, media_type=REPLAY_TYPE, headers=headers)


def check_id(table: str) -> None:
    """PageError for what can be no table's id: it never reaches the database, nor a header."""
    if not _ID.fullmatch(table):
        raise PageError(404, "There is no table of that name: a table's id is at most 26 letters and digits.")
