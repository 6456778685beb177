"""Page tokens: opaque to clients, and good for one list of one ladder only."""

import base64
import binascii
import json

from service.errors import BadRequest


def write(listing: str, *values: str | int) -> str:
    """A token that :func:`read` gives back, for the list of that name."""
    return base64.urlsafe_b64encode(json.dumps([listing, *values], separators=(",", ":")).encode()).decode()


def read(token: str, listing: str, ladder_id: int, kinds: tuple[type, ...]) -> list[str | int]:
    """What stands in a token after the ladder's id, checked to be of those types. Else BadRequest."""
    try:
        found = json.loads(base64.b64decode(token.encode(), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError):
        found = None
    if not isinstance(found, list) or found[:2] != [listing, ladder_id] or len(found) != 2 + len(kinds):
        raise _foreign()
    values: list[str | int] = found[2:]
    if not all(type(value) is kind for value, kind in zip(values, kinds, strict=True)):
        raise _foreign()
    return values


def read_figure(text: str) -> float:
    """A float that was written by its bits. BadRequest if it was not."""
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError) as error:
        raise _foreign() from error


def _foreign() -> BadRequest:
    return BadRequest(
        "page_token is not of this list; send next_page_token as it came, or none for the first page"
    )
