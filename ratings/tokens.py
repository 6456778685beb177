"""Page tokens: opaque to clients, and good for one list of one ladder only."""

import base64
import json
import math
from typing import TypeVar

from service.errors import BadRequest

MOST = 200
"""Characters: longer than any token of ours, and too short to nest anything deep."""

Value = TypeVar("Value", int, float)
_LARGEST = (1 << 63) - 1


def write(listing: str, ladder_id: int, *values: float) -> str:
    """A token for the list of that name, with what :func:`read` gives back; floats are kept to the bit."""
    told = [value if isinstance(value, int) else value.hex() for value in values]
    text = json.dumps([listing, ladder_id, *told], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode()


def read(token: str, listing: str, ladder_id: int, *kinds: type[Value]) -> list[Value]:
    """The values in a token: ints from 0 to 2^63 - 1 and finite floats, as ``kinds`` say.

    BadRequest for whatever :func:`write` has not written for that list.
    """
    try:
        found = _decode(token)
        values = [_value(told, kind) for told, kind in zip(found[2:], kinds, strict=True)]
        is_ours = write(listing, ladder_id, *values) == token
    except (ValueError, TypeError, OverflowError):
        is_ours = False
    if not is_ours:
        raise BadRequest(
            "page_token is not of this list; send next_page_token as it came, or none for the first page"
        )
    return values


def _decode(token: str) -> list[object]:
    if len(token) > MOST:
        raise ValueError("longer than any that was written")
    found = json.loads(base64.b64decode(token.encode(), altchars=b"-_", validate=True))
    if not isinstance(found, list):
        raise TypeError("not what write() makes")
    return found


def _value(told: object, kind: type[Value]) -> Value:
    if kind is int and isinstance(told, int) and 0 <= told <= _LARGEST:
        return kind(told)
    if kind is float and isinstance(told, str) and math.isfinite(figure := float.fromhex(told)):
        return kind(figure)
    raise TypeError("not of the kind that write() was given")
