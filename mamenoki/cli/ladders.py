"""``mamenoki ladder``: open ladders, say who is on them. Works on the database itself."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.errors import UsageError
from mamenoki.cli.names import as_typed, ladder_name
from mamenoki.cli.screen import emit, show_table
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from mamenoki.house.roster import Entry
    from storage.ladders import LadderRow
    from storage.sets import Rule

verbs = typer.Typer()
ladder = typer.Typer(no_args_is_help=True, help="Ladders: list, open, pause, resume, who is on them.")
verbs.add_typer(ladder, name="ladder")

Name = Annotated[str, typer.Argument(parser=ladder_name, metavar="NAME", help="Such as mushi/standard.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


FIGURES = {
    "games_spread": "most tables of a player less fewest",
    "seat_spread": "most times at one seat less fewest, at tables of one size",
    "size_spread": "difference between players' shares of a table size",
    "repeats": "share of meetings that followed at once on the same one",
}


@ladder.command("list")
def list_ladders(json: AsJson = False) -> None:
    """List the ladders."""
    from storage.ladders import ladders
    from storage.sets import find_rule

    with opened() as database, database.reading() as tx:
        rows = [(row, find_rule(tx, row.id)) for row in ladders(tx)]
    if json:
        emit([_plain(row, rule) for row, rule in rows])
        return
    columns = [
        ("ladder", "<"),
        ("game", "<"),
        ("sets", "<"),
        ("planning", "<"),
        ("entries", ">"),
        ("folded", ">"),
    ]
    show_table("ladders", columns, [_row(row, rule) for row, rule in rows])


@ladder.command("open")
def open_one(
    game: Annotated[str, typer.Argument(help="mushi or mushi/standard.")],
    name: Annotated[str, typer.Option(help="Another name than the variant's.")] = "",
    config: Annotated[list[str] | None, typer.Option(help="A setting of the game, key=value.")] = None,
    house: Annotated[bool, typer.Option("--house", help="Enter the house bots of the roster.")] = False,
    set_size: Annotated[
        int | None, typer.Option(help="Played together: entrants that meet on one deal, each at its table.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(help="Played together: seats of each table, all of them one entrant's.")
    ] = None,
) -> None:
    """Open a ladder, which then plans tables by itself. Harmless if it is open."""
    from engine_service.core.game import ConfigError
    from mamenoki.cli.bots import read_settings
    from scheduler.ladders import enter_house, open_ladder
    from storage import actions

    settings = {key: value for pair in config or [] for key, value in read_settings(pair).items()}
    try:
        with opened() as database, database.transaction() as tx:
            row = open_ladder(tx, game, name=name, settings=settings, set_size=set_size, seats=seats)
            bots = enter_house(tx, row, _roster(row)) if house else []
            actions.record(tx, actor(), "ladder open", row.name, settings=settings, house=len(bots))
    except ConfigError as error:
        raise UsageError(str(error)) from error
    print(f"{row.name} is open" + (f" with {counted(len(bots), 'house bot')}" if house else ""))


@ladder.command()
def pause(name: Name) -> None:
    """Plan no further tables on a ladder; those planned are played."""
    _set_open(name, False)
    print(as_typed(f"{name} plans no further tables; `mamenoki ladder resume {name}` lets it"))


@ladder.command()
def resume(name: Name) -> None:
    """Plan tables on a ladder again."""
    _set_open(name, True)
    print(f"{name} plans tables")


@ladder.command()
def entrants(name: Name, json: AsJson = False) -> None:
    """Say who is on a ladder, with the versions that play next."""
    from storage.ladders import entrants as on_it
    from storage.ladders import find_ladder

    with opened() as database, database.reading() as tx:
        rows = on_it(tx, find_ladder(tx, name).id)
    if json:
        emit(
            [{"player": f"{row.owner}/{row.name}", "version": row.version, "kind": row.kind} for row in rows]
        )
        return
    show_table(
        name,
        [("player", "<"), ("kind", "<"), ("program", "<")],
        [[f"{row.owner}/{row.name}@{row.version}", row.kind, row.program] for row in rows],
    )


@ladder.command()
def fairness(name: Name, json: AsJson = False) -> None:
    """Say how even a ladder's tables have been, beside what is promised. Exit 1 if a promise is broken."""
    from scheduler.domain import fairness as domain
    from scheduler.ladders import fairness as figures_of
    from storage.ladders import entrants, find_ladder
    from storage.sets import find_rule

    with opened() as database, database.reading() as tx:
        row = find_ladder(tx, name)
        figures = figures_of(tx, row, entrants(tx, row.id))
        together = find_rule(tx, row.id) is not None
    told = {key: FIGURES[key] for key in domain.told(together=together)}
    broken = [key for key in figures.exceeded() if key in told]
    if json:
        plain = {key: float(getattr(figures, key)) for key in told}
        emit({"players": figures.players, "tables": figures.tables, **plain, "exceeded": broken})
    else:
        unit = "set" if together else "table"
        about = f"{counted(figures.tables, unit)} of {counted(figures.players, 'player')} of ours"
        since = "the latest" if figures.cut else "since the last of them joined"
        columns = [("figure", "<"), ("is", ">"), ("promised", "<"), ("", "<")]
        rows = [
            [text, _figure(getattr(figures, key)), _promise(figures.bound(key)), "BROKEN" * (key in broken)]
            for key, text in told.items()
        ]
        show_table(f"{name}: {about}, {since}", columns, rows)
    if broken:
        raise typer.Exit(1)


def _promise(bound: "Fraction | None") -> str:
    return "" if bound is None else f"≤ {_figure(bound)}"


def _figure(value: Any) -> str:
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _roster(row: "LadderRow") -> "list[Entry]":
    from mamenoki.house.roster import ROSTER

    return [bot for bot in ROSTER if (bot.game, bot.variant) == (row.game, row.variant)]


def _set_open(name: str, is_open: bool) -> None:
    from storage import actions
    from storage.ladders import find_ladder, set_open

    with opened() as database, database.transaction() as tx:
        set_open(tx, find_ladder(tx, name).id, is_open)
        actions.record(tx, actor(), "ladder resume" if is_open else "ladder pause", name)


def _plain(row: "LadderRow", rule: "Rule | None") -> dict[str, Any]:
    return {
        "name": row.name,
        "game": f"{row.game}/{row.variant}",
        "config": row.config,
        "sets": None if rule is None else {"size": rule.size, "seats": rule.seats},
        "open": row.open,
        "entries": row.next_place,
        "folded": row.folded_place,
    }


def _row(row: "LadderRow", rule: "Rule | None") -> list[str]:
    sets = "" if rule is None else f"{rule.size} tables of {rule.seats}"
    planning = "yes" if row.open else "paused"
    return [row.name, f"{row.game}/{row.variant}", sets, planning, str(row.next_place), str(row.folded_place)]
