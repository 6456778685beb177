"""Answers that are files: with a name, and with an ETag by which a client that has it learns so."""

import hashlib
import re

from fastapi import Request, Response

from web.assets import has_already

_ODD = re.compile(r"[^A-Za-z0-9._-]+")


def file_response(
    request: Request, text: str, media_type: str, name: str, *, inline: bool = False, link: str = ""
) -> Response:
    """The text as a file of that name, or 304. ``inline``: for a program that reads it where it is; ``link``: a
    Link header."""
    content = text.encode()
    disposition = "inline" if inline else "attachment"
    headers = {
        "Content-Disposition": f'{disposition}; filename="{_ODD.sub("-", name)}"',
        "Cache-Control": "no-cache",
        "ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"',
        **({"Link": link} if link else {}),
    }
    if has_already(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)
