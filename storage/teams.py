"""Teams: players that are made of several bots, whose owners have all agreed.

A team is rated as itself, and its bots are not. It is a player of the owner who made it; what
sits at a table are its bots. Each composition in versions is a version of the team, so that a
table records exactly who played, and a bot's new version is the team's new version too.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from . import identity
from .database import now_ms
from .errors import Conflict, Invalid, NotFound
from .identity import OURS, PlayerRow, VersionRow
from .inserting import table_of
from .names import LABEL
from .schema import LadderEntrant, Owner, Player, PlayerVersion, TeamMember

TEAM = "team"
BOTS = ("house", "uploaded", "remote")
MOST = 6


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A bot of a team. ``version_id``: its latest; None before it has one. ``agreed``: has its owner?"""

    team_id: int
    player_id: int
    owner: str
    name: str
    kind: str
    version_id: int | None
    agreed: bool

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team with its bots, in the order in which they take seats."""

    player: PlayerRow
    members: tuple[MemberRow, ...]

    @property
    def missing(self) -> list[str]:
        """The owners who have not agreed, each once."""
        return list(dict.fromkeys(one.owner for one in self.members if not one.agreed))


def create(tx: Session, owner_id: int, name: str, members: Sequence[PlayerRow]) -> TeamRow:
    """The owner's team of that name and those bots, made if missing.

    The owner agrees by making it; house bots play with everybody. Invalid for what is no team,
    Conflict if it exists with others.
    """
    _check(owner_id, members)
    player = identity.ensure_player(tx, owner_id, name, TEAM)
    there = members_of(tx, [player.id]).get(player.id, ())
    if not there:
        now = now_ms(tx)
        rows = [_values(player.id, number, one, owner_id, now) for number, one in enumerate(members)]
        tx.execute(table_of(TeamMember).insert(), rows)
    elif [one.player_id for one in there] != [one.id for one in members]:
        names = ", ".join(one.full_name for one in there)
        raise Conflict(f"the team {player.full_name} is there, of {names}; choose another name")
    return find(tx, player.full_name)


def find(tx: Session, full: str) -> TeamRow:
    """The team named ``owner/team``. NotFound if there is none."""
    player = identity.find_player(tx, full)
    if player.kind != TEAM:
        raise NotFound(f"{full} is a bot by itself, and no team")
    return TeamRow(player, members_of(tx, [player.id])[player.id])


def teams(tx: Session, owner: str | None = None) -> list[TeamRow]:
    """All teams by name, or those in which that owner has a bot or which are the owner's."""
    names = select(Owner.name, Player.name).join(Owner, Owner.id == Player.owner_id)
    rows = tx.execute(names.where(Player.kind == TEAM).order_by(Owner.name, Player.name)).all()
    found = [find(tx, f"{row[0]}/{row[1]}") for row in rows]
    return [one for one in found if owner is None or owner in _owners(one)]


def agree(tx: Session, team: TeamRow, owner_id: int, agreed: bool = True) -> int:
    """Says for the owner's bots of the team whether they play in it; how many are there. Taking it back
    takes the team off every ladder."""
    mine = select(Player.id).where(Player.owner_id == owner_id)
    where = (TeamMember.team_id == team.player.id, TeamMember.player_id.in_(mine))
    said = update(TeamMember).where(*where).values(agreed_at=now_ms(tx) if agreed else None)
    count = len(tx.execute(said.returning(TeamMember.number)).all())
    if count and not agreed:
        on_ladders = update(LadderEntrant).where(LadderEntrant.player_id == team.player.id)
        tx.execute(on_ladders.values(active=False))
    return count


def ensure_version(tx: Session, team_id: int, versions: Sequence[tuple[int, int]]) -> VersionRow:
    """The version of a team whose bots play in those versions: (player id, version id) each."""
    names = identity.version_names(tx, [version for _, version in versions])
    told = " + ".join(names[version] for _, version in versions)
    if len(told) > LABEL:
        told = hashlib.sha256(told.encode()).hexdigest()[:16]
    settings = {"members": [[player, version] for player, version in versions]}
    return identity.ensure_version(tx, team_id, told, "", settings)


def lineups(tx: Session, version_ids: Collection[int]) -> dict[int, tuple[tuple[int, int], ...]]:
    """Of those versions that are a team's: the (player id, version id) of its bots."""
    statement = select(PlayerVersion.id, PlayerVersion.settings).join(
        Player, Player.id == PlayerVersion.player_id
    )
    rows = tx.execute(statement.where(PlayerVersion.id.in_(version_ids), Player.kind == TEAM))
    return {id: tuple((one[0], one[1]) for one in settings["members"]) for id, settings in rows}


def members_of(tx: Session, team_ids: Collection[int]) -> dict[int, tuple[MemberRow, ...]]:
    """The bots of each of those teams, in order."""
    latest = (
        select(PlayerVersion.player_id, func.max(PlayerVersion.number).label("number"))
        .group_by(PlayerVersion.player_id)
        .subquery()
    )
    columns = (
        TeamMember.team_id,
        TeamMember.player_id,
        Owner.name.label("owner"),
        Player.name,
        Player.kind,
        PlayerVersion.id.label("version_id"),
        TeamMember.agreed_at,
    )
    statement = (
        select(*columns)
        .join(Player, Player.id == TeamMember.player_id)
        .join(Owner, Owner.id == Player.owner_id)
        .outerjoin(latest, latest.c.player_id == Player.id)
        .outerjoin(
            PlayerVersion,
            (PlayerVersion.player_id == latest.c.player_id) & (PlayerVersion.number == latest.c.number),
        )
        .where(TeamMember.team_id.in_(team_ids))
        .order_by(TeamMember.team_id, TeamMember.number)
    )
    found: dict[int, list[MemberRow]] = {}
    for row in tx.execute(statement):
        found.setdefault(row.team_id, []).append(_member(row))
    return {team_id: tuple(rows) for team_id, rows in found.items()}


def _check(owner_id: int, members: Sequence[PlayerRow]) -> None:
    if not 2 <= len(members) <= MOST or len({one.id for one in members}) < len(members):
        names = ", ".join(one.full_name for one in members)
        raise Invalid(f"a team is 2 to {MOST} different bots, not {names or 'none'}")
    others = [one.full_name for one in members if one.kind not in BOTS]
    if others:
        raise Invalid(f"a team is made of bots; {', '.join(others)} is none")
    if all(one.owner_id != owner_id for one in members):
        raise Invalid("one of a team's bots at least is its maker's own; name one of yours")


def _values(team_id: int, number: int, one: PlayerRow, owner_id: int, now: int) -> dict[str, Any]:
    agreed = one.owner_id == owner_id or one.owner == OURS
    return {
        "team_id": team_id,
        "number": number,
        "player_id": one.id,
        "agreed_at": now if agreed else None,
    }


def _owners(team: TeamRow) -> set[str]:
    return {team.player.owner, *(one.owner for one in team.members)}


def _member(row: Any) -> MemberRow:
    return MemberRow(
        row.team_id,
        row.player_id,
        row.owner,
        row.name,
        row.kind,
        row.version_id,
        row.agreed_at is not None,
    )
