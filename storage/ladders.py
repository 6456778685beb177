"""Ladders and who stands on them."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from . import ledger
from .database import now_ms
from .errors import Conflict, NotFound, found
from .inserting import insert_new
from .schema import Ladder, LadderEntrant, Owner, Player, PlayerVersion


@dataclass(frozen=True, slots=True)
class LadderRow:
    """``next_place``: how many ledger entries there are; ``folded_place``: how many the ratings hold."""

    id: int
    name: str
    game: str
    variant: str
    config: dict[str, Any]
    may_tie: bool
    open: bool
    next_place: int
    folded_place: int


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A player on a ladder or in a season, with the version that plays next."""

    player_id: int
    owner: str
    name: str
    kind: str
    version_id: int
    version: int
    program: str
    settings: dict[str, Any]
    joined_at: int


def ensure_ladder(
    tx: Session, name: str, game: str, variant: str, config: dict[str, Any], may_tie: bool = True
) -> LadderRow:
    """The ladder of that name, made if missing. Conflict if it is for something else."""
    insert_new(
        tx,
        Ladder,
        name=name,
        game=game,
        variant=variant,
        config=config,
        may_tie=may_tie,
        created_at=now_ms(tx),
    )
    ladder = find_ladder(tx, name)
    if (ladder.game, ladder.variant, ladder.config, ladder.may_tie) != (game, variant, config, may_tie):
        raise Conflict(
            f"ladder {name} exists for {ladder.game}/{ladder.variant} with {ladder.config}; choose another name"
        )
    return ladder


def find_ladder(tx: Session, name: str) -> LadderRow:
    """NotFound if there is none of that name; the message lists those that there are."""
    ladder = tx.execute(select(Ladder).where(Ladder.name == name)).scalar_one_or_none()
    if ladder is None:
        known = ", ".join(tx.execute(select(Ladder.name).order_by(Ladder.name).limit(20)).scalars())
        raise NotFound(f"there is no ladder {name!r}; there are: {known or 'none yet'}")
    return _row(ladder)


def get_ladder(tx: Session, ladder_id: int) -> LadderRow:
    """NotFound if there is none of that id."""
    ladder = found(tx.get(Ladder, ladder_id), f"there is no ladder {ladder_id}")
    return _row(ladder)


def ladders(tx: Session) -> list[LadderRow]:
    """All ladders by name."""
    return [_row(ladder) for ladder in tx.execute(select(Ladder).order_by(Ladder.name)).scalars()]


def set_open(tx: Session, ladder_id: int, is_open: bool) -> None:
    """Whether the continuous ladder plans tables here."""
    tx.execute(update(Ladder).where(Ladder.id == ladder_id).values(open=is_open))


def enter(tx: Session, ladder_id: int, player_id: int, version_id: int) -> None:
    """Puts a player on a ladder, or back on it, or changes the version that plays next.

    Another version than before appends a ``new_version`` entry and a fold job.
    Conflict if the version is not the player's.
    """
    number = _version_number(tx, player_id, version_id)
    values = {"ladder_id": ladder_id, "player_id": player_id, "version_id": version_id}
    if insert_new(tx, LadderEntrant, **values, joined_at=now_ms(tx)):
        return
    before = _lock_entrant(tx, ladder_id, player_id)
    where = (LadderEntrant.ladder_id == ladder_id, LadderEntrant.player_id == player_id)
    tx.execute(update(LadderEntrant).where(*where).values(version_id=version_id, active=True))
    if before != version_id:
        content = {"player_id": player_id, "version": number}
        ledger.append(tx, ladder_id, [ledger.NewEntry(ledger.NEW_VERSION, content)])


def leave(tx: Session, ladder_id: int, player_id: int) -> bool:
    """Takes a player off a ladder; its rating stays. False if it was not on it."""
    where = (LadderEntrant.ladder_id == ladder_id, LadderEntrant.player_id == player_id, LadderEntrant.active)
    left = tx.execute(
        update(LadderEntrant).where(*where).values(active=False).returning(LadderEntrant.player_id)
    )
    return left.first() is not None


def entrants(tx: Session, ladder_id: int) -> list[EntrantRow]:
    """Who is on the ladder now, by player id."""
    where = (LadderEntrant.ladder_id == ladder_id, LadderEntrant.active)
    rows = tx.execute(
        select_entrants(LadderEntrant.joined_at).where(*where).order_by(LadderEntrant.player_id)
    )
    return [EntrantRow(*row) for row in rows]


def find_entrant(tx: Session, ladder_id: int, player_id: int) -> EntrantRow | None:
    """A player that is on the ladder now; None if it is not."""
    where = (LadderEntrant.ladder_id == ladder_id, LadderEntrant.player_id == player_id, LadderEntrant.active)
    row = tx.execute(select_entrants(LadderEntrant.joined_at).where(*where)).first()
    return None if row is None else EntrantRow(*row)


def select_entrants(joined_at: Any) -> Any:
    """A select of EntrantRow's columns over ``ladder_entrant``; its joining time is the caller's."""
    columns = (
        LadderEntrant.player_id,
        Owner.name,
        Player.name,
        Player.kind,
        LadderEntrant.version_id,
        PlayerVersion.number,
        PlayerVersion.program,
        PlayerVersion.settings,
        joined_at,
    )
    return (
        select(*columns)
        .select_from(LadderEntrant)
        .join(Player, Player.id == LadderEntrant.player_id)
        .join(Owner, Owner.id == Player.owner_id)
        .join(PlayerVersion, PlayerVersion.id == LadderEntrant.version_id)
    )


def _lock_entrant(tx: Session, ladder_id: int, player_id: int) -> int:
    where = (LadderEntrant.ladder_id == ladder_id, LadderEntrant.player_id == player_id)
    return tx.execute(select(LadderEntrant.version_id).where(*where).with_for_update()).scalar_one()


def _version_number(tx: Session, player_id: int, version_id: int) -> int:
    where = (PlayerVersion.id == version_id, PlayerVersion.player_id == player_id)
    number = tx.execute(select(PlayerVersion.number).where(*where)).scalar()
    if number is None:
        raise Conflict(f"version {version_id} is not one of player {player_id}")
    return number


def _row(ladder: Ladder) -> LadderRow:
    return LadderRow(
        ladder.id,
        ladder.name,
        ladder.game,
        ladder.variant,
        dict(ladder.config),
        ladder.may_tie,
        ladder.open,
        ladder.next_place,
        ladder.folded_place,
    )
