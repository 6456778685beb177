"""Static files: read once, served with a strong ETag, cached for ever under their versioned address."""

import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request, Response

FOLDER = Path(__file__).parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
AN_HOUR = "public, max-age=3600"


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    media_type: str
    version: str


class Assets:
    """The files of one folder by name; nothing outside it can be asked for."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {path.name: _read(path) for path in sorted(folder.iterdir()) if path.is_file()}

    def address(self, name: str) -> str:
        """The address a page uses. KeyError for a file that is not there."""
        return f"/static/{name}?v={self._files[name].version}"

    def serve(self, request: Request, name: str) -> Response | None:
        """The file, or 304 where the client has it; None where there is no such file."""
        asset = self._files.get(name)
        if asset is None:
            return None
        current = request.query_params.get("v") == asset.version
        headers = {"Cache-Control": FOR_EVER if current else AN_HOUR, "ETag": f'"{asset.version}"'}
        if has_already(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return Response(asset.content, media_type=asset.media_type, headers=headers)


def has_already(request: Request, etag: str) -> bool:
    """Whether If-None-Match names this ETag, weakly compared as RFC 9110 wants it."""
    named = [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]
    return etag in named or "*" in named


def _read(path: Path) -> Asset:
    content = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Asset(content, kind, hashlib.sha256(content).hexdigest()[:16])
