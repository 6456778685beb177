"""``mamenoki league``: seasons of rounds on a schedule. Works on the database itself."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.names import as_typed, ladder_name
from mamenoki.cli.screen import emit, show_table
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from scheduler.domain.standings import Line
    from storage.database import Transaction
    from storage.leagues import LeagueRow, SeasonRow

verbs = typer.Typer()
league = typer.Typer(no_args_is_help=True, help="Leagues: list, create, begin a season, standings.")
verbs.add_typer(league, name="league")

Name = Annotated[str, typer.Argument(help="The league's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


@league.command("list")
def list_leagues(json: AsJson = False) -> None:
    """List the leagues with their schedules."""
    from storage.ladders import get_ladder
    from storage.leagues import leagues

    with opened() as database, database.reading() as tx:
        rows = [(row, get_ladder(tx, row.ladder_id).name) for row in leagues(tx)]
    if json:
        emit([
            {"name": row.name, "ladder": ladder, "cron": row.cron, "zone": row.zone, "seats": row.seats,
             "tables_each": row.tables_each, "rounds": row.rounds}
            for row, ladder in rows
        ])  # fmt: skip
        return
    columns = [
        ("league", "<"),
        ("ladder", "<"),
        ("rounds begin", "<"),
        ("seats", ">"),
        ("tables each", ">"),
        ("rounds", ">"),
    ]
    show_table("leagues", columns, [
        [row.name, ladder, f"{row.cron} {row.zone}", str(row.seats), str(row.tables_each), str(row.rounds)]
        for row, ladder in rows
    ])  # fmt: skip


@league.command()
def create(
    name: Name,
    ladder: Annotated[
        str,
        typer.Argument(
            parser=ladder_name, metavar="LADDER", help="Where its results are rated, such as mushi/standard."
        ),
    ],
    cron: Annotated[str, typer.Option(help="When a round begins, such as '0 18 * * *'.")],
    zone: Annotated[str, typer.Option(help="The time zone of that, such as Europe/Berlin.")] = "UTC",
    seats: Annotated[int, typer.Option(min=2, max=6, help="Wanted table size.")] = 3,
    tables_each: Annotated[int, typer.Option(min=1, help="Tables that each plays in a round.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds in a season.")] = 1,
) -> None:
    """Create a league on a ladder. Harmless if it exists as described."""
    from engine_service.core.game import ConfigError
    from scheduler.domain.cron import CronError
    from scheduler.leagues import create_league
    from storage import actions

    try:
        with opened() as database, database.transaction() as tx:
            create_league(
                tx,
                name,
                ladder,
                cron_line=cron,
                zone=zone,
                seats=seats,
                tables_each=tables_each,
                rounds=rounds,
            )
            actions.record(tx, actor(), "league create", name, ladder=ladder, cron=cron, zone=zone)
    except (ConfigError, CronError) as error:
        raise UsageError(str(error)) from error
    print(as_typed(f"league {name} is there; `mamenoki league begin {name}` opens a season"))


@league.command()
def begin(name: Name) -> None:
    """Open a season with everybody who is on the league's ladder; its rounds follow the schedule."""
    from scheduler.leagues import open_season
    from storage import actions
    from storage.ladders import entrants

    with opened() as database, database.transaction() as tx:
        row = _league(tx, name)
        players = [one.player_id for one in entrants(tx, row.ladder_id)]
        season = open_season(tx, row, players)
        actions.record(tx, actor(), "league begin", name, season=season.number, players=len(players))
    print(f"season {season.number} of {name} is open with {counted(len(players), 'player')}")


@league.command()
def standings(
    name: Name,
    season: Annotated[int, typer.Option(min=0, help="Which; 0: the latest.")] = 0,
    json: AsJson = False,
) -> None:
    """A season's table, best first, and how ties are decided."""
    from scheduler.domain.standings import TIE_BREAKS
    from scheduler.leagues import standings as table

    with opened() as database, database.reading() as tx:
        found = _season(tx, name, season)
        names = _names(tx, found)
        lines = [(line, names.get(line.player, f"player {line.player}")) for line in table(tx, found.id)]
    if json:
        emit([_plain(line, player) for line, player in lines])
        return
    columns = [
        ("rank", ">"),
        ("player", "<"),
        ("points", ">"),
        ("of", ">"),
        ("share", ">"),
        ("won", ">"),
        ("tables", ">"),
    ]
    show_table(f"{name}, season {found.number} ({found.state})", columns, [_row(*pair) for pair in lines])
    print(f"Equal lines are decided by, in this order: {', '.join(TIE_BREAKS)}.")


def _league(tx: "Transaction", name: str) -> "LeagueRow":
    from storage.errors import NotFound
    from storage.leagues import find_league, leagues

    try:
        return find_league(tx, name)
    except NotFound as error:
        known = ", ".join(row.name for row in leagues(tx)) or "none yet; `mamenoki league create` makes one"
        raise UsageError(f"{error}; there are: {known}") from error


def _season(tx: "Transaction", name: str, number: int) -> "SeasonRow":
    from storage.leagues import seasons

    found = seasons(tx, _league(tx, name).id)
    if not found:
        raise CommandError(f"{name} has no season yet; `mamenoki league begin {name}` opens one")
    if number == 0:
        return max(found, key=lambda season: season.number)
    for season in found:
        if season.number == number:
            return season
    raise UsageError(f"{name} has no season {number}; it has 1 to {len(found)}")


def _names(tx: "Transaction", season: "SeasonRow") -> dict[int, str]:
    """Of everybody in the season or on its ladder, by player id; who has left both is told by number."""
    from storage import ladders, leagues

    ladder = leagues.get_league(tx, season.league_id).ladder_id
    rows = [*ladders.entrants(tx, ladder), *leagues.entrants(tx, season.id)]
    return {row.player_id: f"{row.owner}/{row.name}" for row in rows}


def _plain(line: "Line", player: str) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "player": player,
        "points": line.points,
        "possible": line.possible,
        "wins": line.wins,
        "tables": line.tables,
    }


def _row(line: "Line", player: str) -> list[str]:
    figures = (line.points, line.possible, f"{float(line.share):.1%}", line.wins, line.tables)
    return [str(line.rank), player, *map(str, figures)]
