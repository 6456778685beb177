"""Owners, their tokens, their players and the players' versions."""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from .bounds import Bounds, check_players, check_versions
from .database import now_ms
from .errors import Conflict, Invalid, found
from .inserting import insert_new
from .names import check_label, check_name
from .schema import Owner, Player, PlayerVersion, Token

KINDS = ("house", "uploaded", "remote", "person", "team")
SCOPES = ("play", "submit", "organise", "operate")
OURS = "house"
"""The owner of the bots that ship with us: nobody connects as it, under no spelling."""
GUESTS = "guests"
"""The owner of the one player that all people without an account play as; it has no tokens either."""
_PREFIX = "mk_"


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token without its secret. Times in ms since 1970; ``expires_at`` None: never."""

    id: int
    owner_id: int
    owner: str
    label: str
    scopes: tuple[str, ...]
    created_at: int
    expires_at: int | None
    revoked_at: int | None


@dataclass(frozen=True, slots=True)
class PlayerRow:
    id: int
    owner_id: int
    owner: str
    name: str
    kind: str

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"


@dataclass(frozen=True, slots=True)
class VersionRow:
    """``full_name`` is ``owner/bot@3``. ``is_new``: this call made it."""

    id: int
    player_id: int
    number: int
    label: str
    program: str
    settings: dict[str, Any]
    full_name: str
    is_new: bool


def full_name(owner: str, name: str, kind: str, number: int) -> str:
    """How a replay and a table name a version; people have none."""
    return f"{owner}/{name}" if kind == "person" else f"{owner}/{name}@{number}"


def ensure_owner(tx: Session, name: str) -> int:
    """The id of the owner of that name, who is made if missing. Invalid for a bad name."""
    check_name("owner", name)
    insert_new(tx, Owner, name=name, created_at=now_ms(tx))
    return tx.execute(select(Owner.id).where(Owner.name == name)).scalar_one()


def create_token(tx: Session, owner: str, label: str, scopes: Sequence[str], ttl_ms: int | None) -> str:
    """A new token in clear, which only this call can tell; ``ttl_ms`` None: until revoked.

    The owner is made if missing. Invalid for an unknown scope, and for the owner that is ours.
    """
    if owner.casefold() in (OURS, GUESTS):
        raise Invalid(f"the owner {owner} is this service itself, and has no tokens; choose another name")
    if label:
        check_label("a token's label", label)
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        raise Invalid(f"a token's scopes are some of {', '.join(SCOPES)}; not {', '.join(unknown) or 'none'}")
    clear = _PREFIX + secrets.token_urlsafe(32)
    now = now_ms(tx)
    tx.add(
        Token(
            owner_id=ensure_owner(tx, owner),
            label=label,
            digest=_digest(clear),
            scopes=sorted(set(scopes)),
            created_at=now,
            expires_at=None if ttl_ms is None else now + ttl_ms,
        )
    )
    tx.flush()
    return clear


def check_token(tx: Session, clear: str) -> TokenRow | None:
    """Whose token that is; None if there is none, or it is expired or revoked.

    Works in a reading transaction. What is looked up is a SHA-256, so that the
    time it takes tells nothing about a token.
    """
    if not clear.startswith(_PREFIX) or len(clear) > 100:
        return None
    row = tx.execute(_tokens().where(Token.digest == _digest(clear))).first()
    if row is None or row.revoked_at is not None:
        return None
    if row.expires_at is not None and row.expires_at <= now_ms(tx):
        return None
    return _token(row)


def revoke_token(tx: Session, token_id: int) -> bool:
    """Ends a token; False if it was revoked before. NotFound without such a token."""
    alive = update(Token).where(Token.id == token_id, Token.revoked_at.is_(None))
    if tx.execute(alive.values(revoked_at=now_ms(tx)).returning(Token.id)).first():
        return True
    found(tx.get(Token, token_id), f"there is no token {token_id}")
    return False


def tokens(tx: Session, owner: str) -> list[TokenRow]:
    """All tokens of an owner, oldest first, dead ones too."""
    return [_token(row) for row in tx.execute(_tokens().where(Owner.name == owner).order_by(Token.id))]


def ensure_player(
    tx: Session, owner_id: int, name: str, kind: str, bounds: Bounds | None = None
) -> PlayerRow:
    """The owner's player of that name, made if missing. Conflict if it is of another kind.

    Full if it is missing and ``bounds`` leave no room for it.
    """
    check_name("player", name)
    if kind not in KINDS:
        raise Invalid(f"a player's kind is one of {', '.join(KINDS)}; not {kind!r}")
    statement = _players().where(Player.owner_id == owner_id, Player.name == name)
    row = tx.execute(statement).first()
    if row is None:
        if bounds is not None:
            check_players(tx, owner_id, name, bounds)
        insert_new(tx, Player, owner_id=owner_id, name=name, kind=kind, created_at=now_ms(tx))
        row = tx.execute(statement).one()
    player = _player(row)
    if player.kind != kind:
        raise Conflict(f"{player.full_name} is {player.kind}, not {kind}; choose another name")
    return player


def find_player(tx: Session, full: str) -> PlayerRow:
    """The player named ``owner/bot``. NotFound if there is none."""
    owner, _, name = full.partition("/")
    row = tx.execute(_players().where(Owner.name == owner, Player.name == name)).first()
    return _player(found(row, f"there is no player {full!r}; a player is named owner/bot"))


def player_names(tx: Session, player_ids: Collection[int]) -> list[str]:
    """``owner/bot`` of those players, in the order of their names."""
    rows = tx.execute(_players().where(Player.id.in_(player_ids)).order_by(Owner.name, Player.name))
    return [_player(row).full_name for row in rows]


def ensure_version(
    tx: Session,
    player_id: int,
    label: str,
    program: str = "",
    settings: dict[str, Any] | None = None,
    bounds: Bounds | None = None,
) -> VersionRow:
    """The player's version of that label, made with the next number if missing.

    A version never changes: Conflict if the label stands for another program or other settings.
    Full if it is missing and ``bounds`` leave no room for it.
    """
    check_label("a version's label", label)
    player = _lock_player(tx, player_id)
    version = _version(tx, player, label, is_new=False)
    if version is None:
        if bounds is not None:
            check_versions(tx, player.owner_id, bounds)
        _insert_version(tx, player_id, label, program, settings or {})
        version = _version(tx, player, label, is_new=True)
    assert version is not None  # noqa: S101 - tells mypy; it has just been inserted
    if (version.program, version.settings) != (program, settings or {}):
        raise Conflict(
            f"{version.full_name} has the label {label!r} with another program or settings; use a new label"
        )
    return version


def version_names(tx: Session, version_ids: Sequence[int]) -> dict[int, str]:
    """Those versions as a table names them, ``owner/bot@3``; by id."""
    columns = (PlayerVersion.id, Owner.name, Player.name, Player.kind, PlayerVersion.number)
    statement = (
        select(*columns)
        .join(Player, Player.id == PlayerVersion.player_id)
        .join(Owner, Owner.id == Player.owner_id)
    )
    rows = tx.execute(statement.where(PlayerVersion.id.in_(version_ids)))
    return {row[0]: full_name(*row[1:]) for row in rows}


def _insert_version(tx: Session, player_id: int, label: str, program: str, settings: dict[str, Any]) -> None:
    last = select(func.max(PlayerVersion.number)).where(PlayerVersion.player_id == player_id)
    number = (tx.execute(last).scalar() or 0) + 1
    tx.add(
        PlayerVersion(
            player_id=player_id,
            number=number,
            label=label,
            program=program,
            settings=settings,
            created_at=now_ms(tx),
        )
    )
    tx.flush()


def _lock_player(tx: Session, player_id: int) -> PlayerRow:
    """Its row's lock gives its versions their numbers one at a time."""
    statement = _players().where(Player.id == player_id).with_for_update(of=Player)
    return _player(found(tx.execute(statement).first(), f"there is no player {player_id}"))


def _version(tx: Session, player: PlayerRow, label: str, is_new: bool) -> VersionRow | None:
    where = (PlayerVersion.player_id == player.id, PlayerVersion.label == label)
    row = tx.execute(select(PlayerVersion).where(*where)).scalar_one_or_none()
    if row is None:
        return None
    name = full_name(player.owner, player.name, player.kind, row.number)
    return VersionRow(row.id, player.id, row.number, row.label, row.program, dict(row.settings), name, is_new)


def _players() -> Any:
    columns = (Player.id, Player.owner_id, Owner.name.label("owner"), Player.name, Player.kind)
    return select(*columns).join(Owner, Owner.id == Player.owner_id)


def _player(row: Any) -> PlayerRow:
    return PlayerRow(row.id, row.owner_id, row.owner, row.name, row.kind)


def _tokens() -> Any:
    return select(
        Token.id,
        Token.owner_id,
        Owner.name.label("owner"),
        Token.label,
        Token.scopes,
        Token.created_at,
        Token.expires_at,
        Token.revoked_at,
    ).join(Owner, Owner.id == Token.owner_id)


def _token(row: Any) -> TokenRow:
    return TokenRow(
        row.id,
        row.owner_id,
        row.owner,
        row.label,
        tuple(row.scopes),
        row.created_at,
        row.expires_at,
        row.revoked_at,
    )


def _digest(clear: str) -> bytes:
    return hashlib.sha256(clear.encode()).digest()
