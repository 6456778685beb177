"""Verbs on the database as a whole: ``mamenoki migrate``."""

import typer

from mamenoki.cli.stores import opened

verbs = typer.Typer()


@verbs.command()
def migrate() -> None:
    """Bring the database's tables up to this version. Harmless when they are."""
    with opened() as database:
        database.migrate()
    print("the database is up to date")
