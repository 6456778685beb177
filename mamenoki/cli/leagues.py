"""``mamenoki league``: the leagues themselves and their standings. Works on the database itself."""

from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.names import as_typed, ladder_name
from mamenoki.cli.screen import emit, emit_csv, show_table
from mamenoki.cli.stores import opened

if TYPE_CHECKING:
    from scheduler.domain.exports.sheets import Sheet
    from scheduler.domain.standings import Line
    from storage.database import Transaction
    from storage.leagues import LeagueRow, SeasonRow

league = typer.Typer(no_args_is_help=True, help="Leagues: list, create, run their seasons, standings.")

Name = Annotated[str, typer.Argument(help="The league's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print as CSV.")]
Which = Annotated[int, typer.Option("--season", min=0, help="Which; 0: the latest.")]

ARROWS = {1: "↑", 0: "", -1: "↓"}
"""Who goes up and down after a season."""


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
             "tables_each": row.tables_each, "rounds": row.rounds, "division_size": row.division_size,
             "movers": row.movers, "registration_ms": row.registration_ms, "join_rounds": row.join_rounds,
             "repeats": row.repeats}
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
    division_size: Annotated[
        int, typer.Option(min=0, help="Wanted players in a division; 0: all play among all.")
    ] = 0,
    movers: Annotated[int, typer.Option(min=0, help="Who go up and down between divisions.")] = 2,
    registration: Annotated[
        int, typer.Option(min=0, help="Minutes for joining before a season's first round.")
    ] = 0,
    join_rounds: Annotated[
        int | None,
        typer.Option(min=0, help="Rounds after whose beginning nobody joins; without it: until the last."),
    ] = None,
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Open the next season when one has closed.")
    ] = False,
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
                division_size=division_size,
                movers=movers,
                registration_ms=60_000 * registration,
                join_rounds=join_rounds,
                repeats=repeat,
            )
            actions.record(tx, actor(), "league create", name, ladder=ladder, cron=cron, zone=zone)
    except (ConfigError, CronError) as error:
        raise UsageError(str(error)) from error
    print(as_typed(f"league {name} is there; `mamenoki league begin {name}` opens a season"))


@league.command()
def standings(name: Name, season: Which = 0, json: AsJson = False, csv: AsCsv = False) -> None:
    """A season's table, best first, and how ties are decided."""
    from scheduler.domain.standings import TIE_BREAKS
    from scheduler.exports import season_standings
    from scheduler.seasons import standings as tables_of
    from storage.seasons import finishes, members

    with opened() as database, database.reading() as tx:
        found = find_season(tx, name, season)
        if json or csv:
            show_sheet(season_standings(tx, found), json, csv)
            return
        names = {one.player_id: f"{one.owner}/{one.name}" for one in members(tx, found.id)}
        moves = {one.player_id: one.move for one in finishes(tx, found.id)}
        divisions = tables_of(tx, found.id)
    columns = [
        ("", "<"),
        ("rank", ">"),
        ("player", "<"),
        ("points", ">"),
        ("of", ">"),
        ("share", ">"),
        ("won", ">"),
        ("tables", ">"),
    ]
    for number, lines in enumerate(divisions or [[]], 1):
        division = f", division {number}" if len(divisions) > 1 else ""
        rows = [[ARROWS[moves.get(line.player, 0)], *_row(line, names[line.player])] for line in lines]
        show_table(f"{name}, season {found.number} ({found.state}){division}", columns, rows)
    print(f"Equal lines are decided by, in this order: {', '.join(TIE_BREAKS)}.")


def find_named(tx: "Transaction", name: str) -> "LeagueRow":
    """The league of that name; UsageError naming those that there are."""
    from storage.errors import NotFound
    from storage.leagues import find_league, leagues

    try:
        return find_league(tx, name)
    except NotFound as error:
        known = ", ".join(row.name for row in leagues(tx)) or "none yet; `mamenoki league create` makes one"
        raise UsageError(f"{error}; there are: {known}") from error


def show_sheet(sheet: "Sheet", json: bool, csv: bool) -> None:
    """Prints it as what was asked for. UsageError for both."""
    from scheduler.domain.exports.sheets import records_of

    if json and csv:
        raise UsageError("--json and --csv cannot both be; ask for one")
    if json:
        emit(records_of(sheet))
    else:
        emit_csv(sheet)


def find_season(tx: "Transaction", name: str, number: int) -> "SeasonRow":
    """That season of the league of that name, 0: the latest. Errors say which there are."""
    from storage.leagues import seasons

    found = seasons(tx, find_named(tx, name).id)
    if not found:
        raise CommandError(f"{name} has no season yet; `mamenoki league begin {name}` opens one")
    if number == 0:
        return max(found, key=lambda season: season.number)
    for season in found:
        if season.number == number:
            return season
    raise UsageError(f"{name} has no season {number}; it has 1 to {len(found)}")


def _row(line: "Line", player: str) -> list[str]:
    figures = (line.points, line.possible, f"{float(line.share):.1%}", line.wins, line.tables)
    return [str(line.rank), player, *map(str, figures)]
