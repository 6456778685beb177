"""``mamenoki team``: several bots that play together under a name of their own. Works on the database itself;
who may say what is told by the owner's token."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.connect import UNKNOWN_AUTHOR
from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.names import ladder_name
from mamenoki.cli.screen import emit, note, show_table
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from storage.database import Transaction
    from storage.identity import TokenRow
    from storage.teams import TeamRow

verbs = typer.Typer()
team = typer.Typer(no_args_is_help=True, help="Teams of several bots: create, agree, enter, list.")
verbs.add_typer(team, name="team")

Team = Annotated[str, typer.Argument(metavar="TEAM", help="Its full name, owner/team.")]
Token = Annotated[str | None, typer.Option(envvar="MAMENOKI_TOKEN", help="Who you are.")]


@team.command()
def create(
    name: Annotated[str, typer.Argument(help="The team's name; it is then owner/name.")],
    bot: Annotated[list[str], typer.Option(help="A bot of it, owner/bot; again for each, in seat order.")],
    token: Token = None,
) -> None:
    """Make a team of your bot and others. Harmless if it is there as described."""
    from storage import actions, identity, teams

    with opened() as database, database.transaction() as tx:
        owner = _owner(tx, token)
        members = [identity.find_player(tx, one) for one in bot]
        made = teams.create(tx, owner.owner_id, name, members)
        actions.record(tx, actor(), "team create", made.player.full_name, owner=owner.owner, bots=bot)
    print(f"{made.player.full_name} is there: {', '.join(one.full_name for one in made.members)}")
    _tell_missing(made)


@team.command()
def agree(name: Team, token: Token = None) -> None:
    """Let your bots play in a team."""
    from storage import actions, teams

    with opened() as database, database.transaction() as tx:
        owner = _owner(tx, token)
        count = teams.agree(tx, teams.find(tx, name), owner.owner_id)
        _check_has_bots(count, owner, name)
        made = teams.find(tx, name)
        actions.record(tx, actor(), "team agree", name, owner=owner.owner)
    print(f"{counted(count, 'bot')} of {owner.owner} may play in {name}")
    _tell_missing(made)


@team.command()
def refuse(name: Team, token: Token = None) -> None:
    """Let your bots play in a team no more: it leaves ladders and leagues, and what it has played stands."""
    from scheduler.teams import take_back
    from storage import actions, teams

    with opened() as database, database.transaction() as tx:
        owner = _owner(tx, token)
        count = take_back(tx, teams.find(tx, name), owner.owner_id)
        _check_has_bots(count, owner, name)
        actions.record(tx, actor(), "team refuse", name, owner=owner.owner)
    print(f"{counted(count, 'bot')} of {owner.owner} may play in {name} no more; it has left its ladders")


@team.command()
def enter(
    name: Team,
    ladder: Annotated[
        str, typer.Argument(parser=ladder_name, metavar="LADDER", help="Such as morumori/coop.")
    ],
    token: Token = None,
) -> None:
    """Put your team on a ladder, once all have agreed. Harmless if it is there."""
    from scheduler.teams import enter_team
    from storage import actions, ladders, teams

    with opened() as database, database.transaction() as tx:
        owner = _owner(tx, token)
        found = teams.find(tx, name)
        if found.player.owner_id != owner.owner_id:
            raise UsageError(f"{name} is a team of {found.player.owner}, who alone may enter it")
        version = enter_team(tx, ladders.find_ladder(tx, ladder), found)
        actions.record(tx, actor(), "team enter", name, owner=owner.owner, ladder=ladder)
    print(f"{version} is on {ladder}")


@team.command("list")
def list_teams(
    owner: Annotated[str | None, typer.Option(help="Only those with a bot of this owner.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the teams, their bots, and whose consent they wait for."""
    from storage.teams import teams

    with opened() as database, database.reading() as tx:
        rows = teams(tx, owner)
    if json:
        emit([_plain(row) for row in rows])
        return
    columns = [("team", "<"), ("bots", "<"), ("waits for", "<")]
    show_table("teams", columns, [
        [row.player.full_name, " + ".join(one.full_name for one in row.members), ", ".join(row.missing)]
        for row in rows
    ])  # fmt: skip


def _owner(tx: "Transaction", token: str | None) -> "TokenRow":
    from storage.identity import check_token

    if not token:
        raise UsageError(UNKNOWN_AUTHOR)
    row = check_token(tx, token)
    if row is None:
        raise CommandError("this token is none, or is good no more; ask the operator for another")
    if "play" not in row.scopes:
        raise CommandError("this token may not speak for bots; one with the scope 'play' may")
    return row


def _check_has_bots(count: int, owner: "TokenRow", name: str) -> None:
    if not count:
        raise UsageError(f"{name} has no bot of {owner.owner}")


def _tell_missing(made: "TeamRow") -> None:
    if made.missing:
        note(f"{', '.join(made.missing)} must agree: `mamenoki team agree {made.player.full_name}`")
    else:
        note(f"all have agreed: `mamenoki team enter {made.player.full_name} LADDER`")


def _plain(row: "TeamRow") -> dict[str, Any]:
    bots = [{"bot": one.full_name, "agreed": one.agreed} for one in row.members]
    return {"team": row.player.full_name, "bots": bots}
