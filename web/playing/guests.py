"""Who a guest is: a random secret in a cookie, and the proof that a form came from our own page.

Nothing of it is stored: what this process remembers is the secret's digest, as long as the guest has a table.
"""

import hashlib
import hmac
import secrets
from urllib.parse import parse_qsl

from fastapi import Request, Response

from web.errors import PageError

COOKIE = "mamenoki_guest"
FORM_BYTES = 8192
FIELDS = 64
LIFE_S = 86_400
_KEY = secrets.token_bytes(32)
"""Of this process; a form of another is shown again."""


def guest_of(request: Request) -> str:
    """The digest of the guest's secret; empty for whoever has none."""
    secret = request.cookies.get(_cookie(request), "")
    return hashlib.sha256(secret.encode()).hexdigest() if 32 <= len(secret) <= 64 else ""


def make_guest() -> tuple[str, str]:
    """A new secret, and its digest."""
    secret = secrets.token_urlsafe(32)
    return secret, hashlib.sha256(secret.encode()).hexdigest()


def remember(request: Request, response: Response, secret: str) -> None:
    """Gives the guest's browser its secret, which no script may read and no other site may send."""
    is_https = request.url.scheme == "https"
    response.set_cookie(
        _cookie(request), secret, max_age=LIFE_S, path="/", httponly=True, samesite="lax", secure=is_https
    )


def proof_of(guest: str) -> str:
    """What a form of ours carries for that guest; for whoever is none yet, the same for all."""
    return hmac.new(_KEY, guest.encode(), hashlib.sha256).hexdigest()


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form that came from our own page. PageError 403 if it did not, 413 if it is too long."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise PageError(403, "Another site tried to do this in your name. Nothing was done.")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > FORM_BYTES:
            raise PageError(413, f"A form of ours has at most {FORM_BYTES} bytes.")
    fields = _fields(body)
    if not hmac.compare_digest(fields.get("proof", "").encode(), proof_of(guest_of(request)).encode()):
        raise PageError(
            403, "The form has grown too old, or is not ours. Nothing was done: load the page again."
        )
    return fields


def _fields(body: bytes) -> dict[str, str]:
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FIELDS))
    except ValueError as error:
        raise PageError(400, "This is no form that we know how to read.") from error


def _cookie(request: Request) -> str:
    """Over https the name binds the cookie to this host: no neighbour can plant one."""
    return f"__Host-{COOKIE}" if request.url.scheme == "https" else COOKIE
