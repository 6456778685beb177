"""Use cases of teams: entering one on a ladder that is played together, and who of it is here."""

from collections.abc import Iterable, Mapping, Sequence

from service.presence import Present
from storage import ladders, leagues, seasons, sets, teams
from storage.database import Transaction
from storage.errors import Conflict
from storage.ladders import EntrantRow, LadderRow
from storage.teams import TEAM, MemberRow, TeamRow


def enter_team(tx: Transaction, ladder: LadderRow, team: TeamRow) -> str:
    """Puts a team on a ladder; the version that it plays in. Twice is once.

    Conflict, saying what is missing: an owner's consent, a bot's first version, seats enough for
    all of its bots, or a ladder on which one plays together.
    """
    rule = sets.find_rule(tx, ladder.id)
    if rule is None:
        raise Conflict(
            f"on {ladder.name} everybody plays alone; a team plays where a game is played together"
        )
    if len(team.members) > rule.seats:
        raise Conflict(
            f"{team.player.full_name} is {len(team.members)} bots, and the tables of {ladder.name} have "
            f"{rule.seats} seats"
        )
    if team.missing:
        raise Conflict(
            f"{', '.join(team.missing)} has not agreed yet: `mamenoki team agree {team.player.full_name}` with "
            "a token of theirs"
        )
    new = [one.full_name for one in team.members if one.version_id is None]
    if new:
        raise Conflict(f"{', '.join(new)} has no version yet: connect it once")
    version = teams.ensure_version(tx, team.player.id, _composition(team.members, {}))
    ladders.enter(tx, ladder.id, team.player.id, version.id)
    return version.full_name


def take_back(tx: Transaction, team: TeamRow, owner_id: int) -> int:
    """An owner's bots play in the team no more: it leaves ladders and seasons, and its rating stays.

    How many bots of the owner's the team has; with none, nothing is done.
    """
    count = teams.agree(tx, team, owner_id, agreed=False)
    if count:
        for league in leagues.leagues(tx):
            season = leagues.current_season(tx, league.id)
            if season is not None:
                seasons.leave(tx, season.id, team.player.id)
    return count


def members_here(tx: Transaction, entrants: Iterable[EntrantRow]) -> dict[int, tuple[MemberRow, ...]]:
    """The bots of those of the entrants that are teams, by the team's player id."""
    return teams.members_of(tx, [one.player_id for one in entrants if one.kind == TEAM])


def current_version(
    tx: Transaction,
    ladder: LadderRow,
    entrant: EntrantRow,
    members: Sequence[MemberRow],
    present: Mapping[int, Present],
) -> int:
    """The version that a team plays in now: that of its bots' own; a new one is entered on the ladder."""
    version = teams.ensure_version(tx, entrant.player_id, _composition(members, present))
    if version.id != entrant.version_id:
        ladders.enter(tx, ladder.id, entrant.player_id, version.id)
    return version.id


def _composition(members: Sequence[MemberRow], present: Mapping[int, Present]) -> list[tuple[int, int]]:
    """(player id, version id) of each bot, of a remote one in the version in which it is here."""
    found = []
    for one in members:
        here = present.get(one.player_id)
        version = one.version_id if here is None else here.version_id
        assert version is not None  # noqa: S101 - tells mypy; a bot without one is on no ladder
        found.append((one.player_id, version))
    return found
