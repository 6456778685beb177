"""``mamenoki backup`` and ``restore``: all of the database in one file, whichever kind it is."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import emit, note
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from storage.backups import Backup

verbs = typer.Typer()
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
Url = Annotated[
    str | None, typer.Option("--database", help="Its URL; none: DATABASE_URL, else the running demo's.")
]


@verbs.command()
def backup(
    file: Annotated[Path, typer.Argument(help="A new file, such as season3.backup.")],
    database_url: Url = None,
    json: AsJson = False,
) -> None:
    """Write all of the database at this moment to a new file. The service may run on meanwhile.

    The file holds the seeds of tables that are still to be played: only its owner may read it.
    """
    from storage.backups import write

    if file.exists():
        raise UsageError(f"{file} exists; name a file that does not")
    draft = file.with_name(f".{file.name}.{os.getpid()}.draft")
    try:
        with _private(draft) as out, opened(database_url) as database:
            made = write(database, out, note=_said)
            out.flush()
            os.fsync(out.fileno())
        draft.rename(file)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
    _tell(made, f"{file}: ", json)


@verbs.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `mamenoki backup` has written.")],
    database_url: Url = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only read it through and compare its digests.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Bring a backup into an empty database, SQLite or PostgreSQL, and its tables up to this version.

    Refused if the database holds anything. All or nothing: an interrupted restore leaves it empty.
    """
    from storage import actions, backups
    from storage.errors import Invalid

    if not file.is_file():
        raise UsageError(f"there is no file {file}")
    if check:
        try:
            _tell(backups.inspect(file), f"{file} is whole: ", json)
        except Invalid as error:
            raise CommandError(str(error)) from error
        return
    with opened(database_url, create=True) as database:
        made = backups.restore(database, file, note=_said)
        with database.transaction() as tx:
            actions.record(tx, actor(), "restore", file.name, made_at=made.made_at, data=made.data)
    _tell(made, "restored ", json)
    note("look at it with `mamenoki audit`; tables that were in play will be played again")


def _private(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _said(table: str) -> None:
    note(f"{table} …")


def _tell(made: "Backup", what: str, json: bool) -> None:
    if json:
        emit({"revision": made.revision, "made_at": made.made_at, "data": made.data, "tables": made.tables})
        return
    when = datetime.fromtimestamp(made.made_at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    print(
        f"{what}{counted(made.rows, 'row')} in {counted(len(made.tables), 'table')} as of {when}, "
        f"SHA-256 of the data {made.data}"
    )
