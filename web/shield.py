"""The outer middleware: security headers on every answer, redirects that stay here, and HEAD answered
like GET without a body."""

from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

TRANSPORT = "max-age=31536000"
"""HSTS, sent only over https: on plain http it means nothing."""


class Shield:
    """Wraps an ASGI app; lets everything but http pass untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bodiless = scope["method"] == "HEAD"

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, scope["scheme"])
            elif bodiless and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        inner = {**scope, "method": "GET"} if bodiless else scope  # a copy: the server looks at its own
        try:
            await self._app(inner, receive, guarded)
        finally:
            scope.setdefault("route", inner.get("route"))  # for whoever measures outside


def _add_headers(message: Message, scheme: str) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if "location" in headers:
        headers["location"] = _here(headers["location"])
    if scheme == "https":
        headers.setdefault("Strict-Transport-Security", TRANSPORT)


def _here(location: str) -> str:
    """A redirect's target by its path alone: what the router puts before it is the client's Host header."""
    target = urlsplit(location)
    path = "/" + target.path.lstrip("/")
    return f"{path}?{target.query}" if target.query else path
