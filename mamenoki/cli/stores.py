"""The database, for verbs that work on it directly."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.places import database_url

if TYPE_CHECKING:
    from storage.database import Database


@contextmanager
def opened(url: str | None = None, *, create: bool = False) -> "Iterator[Database]":
    """The database of ``url``, else the environment's, else the demo's. Only ``create`` makes a file for it.

    What storage raises inside the block becomes a CommandError.
    """
    from storage.errors import Conflict, Invalid, NotFound, NotMigrated, StorageError

    database = _database(url or database_url(), create)
    try:
        yield database
    except (NotFound, Invalid, Conflict) as error:
        raise UsageError(str(error)) from error
    except NotMigrated as error:
        raise CommandError("the database has no tables, or older ones; run `mamenoki migrate`") from error
    except StorageError as error:
        raise CommandError(f"the database could not do it: {error}") from error
    finally:
        database.close()


def _database(url: str, create: bool) -> "Database":
    from storage.database import Database, file_of

    path = file_of(url)
    if path is not None and not create and not path.exists():
        raise CommandError(f"there is no database {path}; `mamenoki migrate` makes one")
    try:
        return Database(url)
    except ValueError as error:
        raise UsageError(f"DATABASE_URL: {error}") from error
