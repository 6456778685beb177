"""Errors as pages: what happened, and what to do about it."""

import logging
import secrets
from dataclasses import dataclass

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storage.errors import NotFound, Unavailable
from web.rendering import Renderer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What an error page says."""

    status: int
    title: str
    message: str
    error_id: str = ""


class PageError(Exception):
    """A refusal with words for the reader; ``status`` is one of TITLES."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


TITLES = {
    400: "That request makes no sense to us",
    403: "That did not come from our page",
    404: "Nothing grows here",
    405: "This page is for reading",
    409: "Not now",
    413: "That is too much",
    429: "One moment",
    500: "Something broke on our side",
    503: "Back in a moment",
}
MESSAGES = {
    404: "There is no page at this address. The link may be mistyped, or what it named is not there any more.",
    405: "This address only answers to GET and HEAD.",
}


def install(app: FastAPI, renderer: Renderer) -> None:
    """Answer the errors that pages raise on purpose; crashes are Crashes' work."""

    def page(request: Request, trouble: Trouble) -> Response:
        return renderer.page(request, "error.html", status=trouble.status, trouble=trouble)

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        message = MESSAGES.get(error.status_code, str(error.detail))
        title = TITLES.get(error.status_code, "This did not work")
        response = page(request, Trouble(error.status_code, title, message))
        response.headers.update(error.headers or {})
        if error.status_code == 405:  # the router does not know that HEAD is answered like GET
            response.headers["Allow"] = "GET, HEAD"
        return response

    @app.exception_handler(PageError)
    def explained(request: Request, error: PageError) -> Response:
        return page(request, Trouble(error.status, TITLES[error.status], error.message))

    @app.exception_handler(NotFound)
    def missing(request: Request, error: NotFound) -> Response:
        return page(request, Trouble(404, TITLES[404], str(error)))

    @app.exception_handler(RequestValidationError)
    def unreadable(request: Request, error: RequestValidationError) -> Response:
        if error.errors()[0]["loc"][0] == "path":  # an address that can name nothing
            return page(request, Trouble(404, TITLES[404], MESSAGES[404]))
        return page(request, Trouble(400, TITLES[400], _complaint(error)))

    @app.exception_handler(Unavailable)
    def waiting(request: Request, error: Unavailable) -> Response:
        log.warning("database unavailable: %s", error)
        message = (
            "The database does not answer right now. Nothing is lost; please try again in a few seconds."
        )
        response = page(request, Trouble(503, TITLES[503], message))
        response.headers["Retry-After"] = "5"
        return response


def _complaint(error: RequestValidationError) -> str:
    first = error.errors()[0]
    return f"The value of “{first['loc'][-1]}” in the address does not fit: {first['msg'].lower()}."


class Crashes:
    """Middleware: an exception nobody expected is logged under an id, and the page names that id."""

    def __init__(self, app: ASGIApp, renderer: Renderer) -> None:
        self._app = app
        self._renderer = renderer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watching(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watching)
        except Exception:
            if scope["type"] != "http" or started:
                raise
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        error_id = secrets.token_hex(4)
        log.exception("error %s at %s", error_id, scope["path"])
        message = "It has been written down. If it stays, tell whoever runs this site the number below."
        trouble = Trouble(500, TITLES[500], message, error_id)
        response = self._renderer.page(Request(scope), "error.html", status=500, trouble=trouble)
        await response(scope, receive, send)
