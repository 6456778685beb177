"""Verbs on the database as a whole: ``mamenoki migrate`` and ``mamenoki ratings rebuild``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.screen import emit
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from ratings.follow import Rebuilt
    from storage.database import Database
    from storage.ladders import LadderRow

verbs = typer.Typer()
ratings = typer.Typer(no_args_is_help=True, help="Ratings: rebuild them from the ledger.")
verbs.add_typer(ratings, name="ratings")


@verbs.command()
def migrate(
    database_url: Annotated[
        str | None, typer.Option("--database", help="Its URL; none: DATABASE_URL, else the running demo's.")
    ] = None,
) -> None:
    """Bring the database's tables up to this version; make it if there is none. Harmless when they are."""
    with opened(database_url, create=True) as database:
        database.migrate()
    print("the database is up to date")


@ratings.command()
def rebuild(
    ladder: Annotated[str | None, typer.Argument(help="Such as mushi/standard; none: every ladder.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only compare; exit 1 if anything differs.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Fold each ladder's ledger from its beginning and compare with the stored ratings, byte for byte.

    Where they differ the stored ones are replaced, unless --check only looks.
    """
    with opened() as database:
        found = [(row.name, _rebuilt(database, row, check)) for row in _ladders(database, ladder)]
    if json:
        emit([_plain(name, rebuilt) for name, rebuilt in found])
    else:
        for name, rebuilt in found:
            print(_sentence(name, rebuilt))
    if check and not all(rebuilt.equal for _, rebuilt in found):
        raise typer.Exit(1)


def _ladders(database: "Database", name: str | None) -> "list[LadderRow]":
    from storage.ladders import find_ladder, ladders

    with database.reading() as tx:
        return ladders(tx) if name is None else [find_ladder(tx, name)]


def _rebuilt(database: "Database", row: "LadderRow", check: bool) -> "Rebuilt":
    from ratings.follow import rebuild as fold_anew
    from storage import actions

    rebuilt = fold_anew(database, row.id, rewrite=not check)
    if rebuilt.rewritten:
        with database.transaction() as tx:
            actions.record(tx, actor(), "ratings rebuild", row.name, difference=rebuilt.difference)
    return rebuilt


def _plain(name: str, rebuilt: "Rebuilt") -> dict[str, Any]:
    return {
        "ladder": name,
        "entries": rebuilt.entries,
        "players": rebuilt.players,
        "equal": rebuilt.equal,
        "stored": rebuilt.stored,
        "rebuilt": rebuilt.rebuilt,
        "difference": rebuilt.difference,
        "rewritten": rebuilt.rewritten,
    }


def _sentence(name: str, rebuilt: "Rebuilt") -> str:
    size = f"{name}: {counted(rebuilt.entries, 'entry')}, {counted(rebuilt.players, 'player')}"
    if rebuilt.equal:
        return f"{size}; stored and rebuilt are equal, SHA-256 {rebuilt.stored}"
    done = "; what was stored has been replaced" if rebuilt.rewritten else ""
    return f"{size}; DIFFERENT ({rebuilt.difference}){done}"
