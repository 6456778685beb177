"""``mamenoki ladder results`` and ``mamenoki league results``: finished tables, for people and for programs."""

from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli import ladders, leagues
from mamenoki.cli.ladders import AsJson
from mamenoki.cli.leagues import AsCsv, Which, show_sheet
from mamenoki.cli.stores import opened

if TYPE_CHECKING:
    from scheduler.domain.exports.sheets import Sheet

verbs = typer.Typer()


@ladders.ladder.command("results")
def ladder_results(
    name: ladders.Name,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many tables at most.")] = 100,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """A ladder's latest finished tables, newest first, a line a seat."""
    from scheduler.exports import ladder_results as results_of
    from storage.ladders import find_ladder

    with opened() as database, database.reading() as tx:
        sheet, _ = results_of(tx, find_ladder(tx, name), None, limit)
    _show(f"{name}: latest tables", sheet, json, csv)


@leagues.league.command("results")
def league_results(name: leagues.Name, season: Which = 0, json: AsJson = False, csv: AsCsv = False) -> None:
    """A season's finished tables by round, a line a seat."""
    from scheduler.exports import season_results

    with opened() as database, database.reading() as tx:
        found = leagues.find_season(tx, name, season)
        sheet = season_results(tx, found)
    _show(f"{name}, season {found.number}", sheet, json, csv)


@leagues.league.command()
def calendar(name: leagues.Name) -> None:
    """A league's rounds, past and to come, as an iCalendar file on stdout; the site has it to subscribe to."""
    import sys

    from scheduler.calendars import league_calendar

    with opened() as database, database.reading() as tx:
        sys.stdout.write(league_calendar(tx, leagues.find_named(tx, name)))


def _show(title: str, sheet: "Sheet", json: bool, csv: bool) -> None:
    from mamenoki.cli.screen import show_table

    if json or csv:
        show_sheet(sheet, json, csv)
        return
    columns = [(name.replace("_", " "), "<") for name in sheet.columns]
    show_table(title, columns, [["" if value is None else str(value) for value in row] for row in sheet.rows])
