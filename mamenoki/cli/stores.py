"""The database, for verbs that work on it directly."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.places import database_url

if TYPE_CHECKING:
    from storage.database import Database


@contextmanager
def opened() -> "Iterator[Database]":
    """The environment's database, else the demo's.

    What storage raises inside the block becomes a CommandError.
    """
    from storage.database import Database
    from storage.errors import Conflict, Invalid, NotFound, NotMigrated, StorageError

    try:
        database = Database(database_url())
    except ValueError as error:
        raise UsageError(f"DATABASE_URL: {error}") from error
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
