"""The tables: all of them, one of them, its replay."""

import re

from fastapi import APIRouter, Request, Response

from web.assets import has_already
from web.errors import PageError
from web.reading.tables import hall_page, replay_of, table_page
from web.site import Here

router = APIRouter()

_ID = re.compile(r"[0-9A-Za-z_-]{1,26}")
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
        request, "table.html", scene=table_page(site.database, table, site.spectator.view)
    )


@router.get("/tables/{table}/replay.jsonl")
def replay(site: Here, request: Request, table: str) -> Response:
    """The replay as a file. A result never changes, so it may be kept for ever."""
    check_id(table)
    lines = replay_of(site.database, table)
    if lines is None:
        raise PageError(404, "This replay is published when the last table on the same deal has ended.")
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
