"""What the scheduler's services share: whose players one may name, and what is not allowed now."""

from collections.abc import Callable
from typing import TypeVar

from service.auth import Principal
from service.errors import Missing, Precondition
from storage import identity
from storage.database import Transaction
from storage.errors import Conflict, NotFound

Answer = TypeVar("Answer")

ORGANISE = "organise"
"""The scope of those who may act for everybody."""


def find_allowed(tx: Transaction, name: str, who: Principal) -> int:
    """The id of a player that the caller may enter. Missing, in the same words, for others' and for none."""
    nothing = f"there is no bot {name!r} of {who.name}; a bot is named owner/bot"
    try:
        player = identity.find_player(tx, name)
    except NotFound:
        raise Missing(nothing) from None
    if ORGANISE not in who.scopes and player.owner_id != who.owner_id:
        raise Missing(nothing)
    return player.id


def allowed(act: Callable[[], Answer]) -> Answer:
    """What a use case gives; Precondition where the state of things is against it."""
    try:
        return act()
    except Conflict as error:
        raise Precondition(str(error)) from error
