"""``mamenoki league``, continued: a season's states, and who plays in it; with what is in ``leagues``."""

from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.errors import UsageError
from mamenoki.cli.leagues import Name, find_named, league
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from storage.database import Transaction

verbs = typer.Typer()
verbs.add_typer(league, name="league")

Server = Annotated[str | None, typer.Option(help="HOST:PORT of a server to ask; none: the database at hand.")]
Token = Annotated[str | None, typer.Option(envvar="MAMENOKI_TOKEN", help="Who you are, to a server.")]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="Such as ann/my-bot.")]


@league.command()
def begin(
    name: Name,
    empty: Annotated[bool, typer.Option("--empty", help="Enter nobody; players join one by one.")] = False,
    draft: Annotated[
        bool, typer.Option("--draft", help="Let nobody join, nor a round begin, until it is published.")
    ] = False,
) -> None:
    """Open a season with everybody who is on the league's ladder; its rounds follow the schedule."""
    from scheduler.seasons import open_season
    from storage import actions
    from storage.ladders import entrants

    with opened() as database, database.transaction() as tx:
        row = find_named(tx, name)
        players = [] if empty else [one.player_id for one in entrants(tx, row.ladder_id)]
        season = open_season(tx, row, players, draft=draft)
        actions.record(tx, actor(), "league begin", name, season=season.number, players=len(players))
    print(f"season {season.number} of {name} is {season.state} with {counted(len(players), 'player')}")


@league.command()
def publish(name: Name) -> None:
    """Open a drafted season: players join, and rounds begin by the schedule."""
    _step(name, "publish")


@league.command()
def pause(name: Name) -> None:
    """Let no further round begin; the one under way is played."""
    _step(name, "pause")


@league.command()
def resume(name: Name) -> None:
    """Let rounds begin again."""
    _step(name, "resume")


@league.command()
def close(name: Name) -> None:
    """End the season early: with the round under way, or at once if there is none."""
    _step(name, "close")


@league.command()
def join(name: Name, player: PlayerName, server: Server = None, token: Token = None) -> None:
    """Enter a player of the league's ladder into its season; with --server, a bot of your own over there."""
    if _entry(name, player, "join", server, token):
        print(f"{player} plays in {name}")
    else:
        print(f"{player} has been in {name} already")


@league.command()
def leave(name: Name, player: PlayerName, server: Server = None, token: Token = None) -> None:
    """Take a player out of the rounds to come; what it has played stands. --server as for join."""
    if _entry(name, player, "leave", server, token):
        print(f"{player} has left {name}")
    else:
        print(f"{player} was not in {name}")


def _entry(name: str, player: str, verb: str, server: str | None, token: str | None) -> bool:
    """Joins or leaves, on a server or in the database; False if it was so already."""
    if server is not None:
        return _ask(name, player, verb, server, token)
    from scheduler import seasons
    from storage import actions

    act = seasons.join if verb == "join" else seasons.leave
    with opened() as database, database.transaction() as tx:
        changed = act(tx, find_named(tx, name), _player(tx, player))
        actions.record(tx, actor(), f"league {verb}", name, player=player)
    return changed


def _ask(name: str, player: str, verb: str, server: str, token: str | None) -> bool:
    from mamenoki.cli.calls import Service
    from scheduler.v1 import leagues_pb2 as pb
    from scheduler.v1.leagues_pb2_grpc import LeagueServiceStub

    with Service(LeagueServiceStub, server, token) as service:
        answer: pb.EntryResponse = service.ask(verb.capitalize(), pb.EntryRequest(league=name, player=player))
    return answer.changed


def _step(name: str, verb: str) -> None:
    from scheduler import seasons
    from storage import actions

    with opened() as database, database.transaction() as tx:
        state = seasons.step(tx, find_named(tx, name), verb)
        actions.record(tx, actor(), f"league {verb}", name, state=state)
    print(f"the season of {name} is {state}")


def _player(tx: "Transaction", name: str) -> int:
    from storage.errors import NotFound
    from storage.identity import find_player

    try:
        return find_player(tx, name).id
    except NotFound as error:
        raise UsageError(str(error)) from error
