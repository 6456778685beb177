"""How much an owner may make by connecting: every name and label makes rows that are kept for ever."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from .errors import Full
from .schema import Owner, Player, PlayerVersion


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most players of one owner, and the most versions of all of them together."""

    players: int
    versions: int


def lock_owner(tx: Session, owner_id: int) -> str:
    """The owner's name. Holds its row, so that what the owner makes is counted one at a time; others may
    go on referring to it."""
    statement = select(Owner.name).where(Owner.id == owner_id).with_for_update(key_share=True)
    return tx.execute(statement).scalar_one()


def check_players(tx: Session, owner_id: int, name: str, bounds: Bounds) -> None:
    """Full, saying what is left, if the owner has as many players as it may have beside that one.

    Holds the owner's row until the transaction's end, so that racers are counted one at a time.
    """
    owner = lock_owner(tx, owner_id)
    counted = select(func.count()).select_from(Player)
    others = tx.execute(counted.where(Player.owner_id == owner_id, Player.name != name)).scalar_one()
    if others >= bounds.players:
        left = max(0, bounds.versions - _versions(tx, owner_id))
        raise Full(
            f"{owner} has {others} bots, and may have {bounds.players}; {left} of {bounds.versions} versions "
            f"are left to them: connect under the name of one of them, or ask the operator for more"
        )


def check_versions(tx: Session, owner_id: int, bounds: Bounds) -> None:
    """Full if the owner's players have as many versions as they may have. Locks as above."""
    owner = lock_owner(tx, owner_id)
    versions = _versions(tx, owner_id)
    if versions >= bounds.versions:
        raise Full(
            f"the bots of {owner} have {versions} versions, and may have {bounds.versions}; none is left: "
            "connect with the label of one that is there, or ask the operator for more"
        )


def _versions(tx: Session, owner_id: int) -> int:
    statement = select(func.count()).select_from(PlayerVersion).join(Player)
    return tx.execute(statement.where(Player.owner_id == owner_id)).scalar_one()
