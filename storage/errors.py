"""What storage raises.

::

    StorageError
    ├── NotFound      no row of that name or id; the message says which
    ├── Conflict      a constraint refused the write, or it contradicts what is there
    ├── Invalid       a value that may not be stored; the message says what may
    ├── Full          a bound on what one owner may store; the message says what is left
    ├── Stale         the writer's fence or expectation has been overtaken
    ├── NotMigrated   the tables are missing or old: run ``mamenoki migrate``
    └── Unavailable   the database cannot be had, or gave up a lock; the same transaction may be run again
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import exc


class StorageError(Exception):
    """The root of what this package raises."""


class NotFound(StorageError):
    """No row of that name or id."""


class Conflict(StorageError):
    """A constraint refused the write, or it contradicts what is stored."""


class Invalid(StorageError):
    """A value that may not be stored."""


class Full(StorageError):
    """An owner has as much as it may have."""


class Stale(StorageError):
    """Overtaken by another writer."""


class NotMigrated(StorageError):
    """The database has no tables, or older ones than this code."""


class Unavailable(StorageError):
    """The database cannot be had now. Nothing was written; trying again is right.

    One exception is unavoidable: if the connection is lost while a commit is
    on its way, it may have taken place. Every write here can be repeated blindly.
    """


Row = TypeVar("Row")


def found(row: Row | None, otherwise: str) -> Row:
    """The row that was looked for; NotFound with that message if there is none."""
    if row is None:
        raise NotFound(otherwise)
    return row


@contextmanager
def translated() -> Iterator[None]:
    """Turns the driver's errors into this package's."""
    try:
        yield
    except exc.DBAPIError as error:
        raise _translate(error) from error
    except exc.TimeoutError as error:
        raise Unavailable("no free database connection; raise the pool size or try again") from error


def _translate(error: exc.DBAPIError) -> StorageError:
    text = str(error.orig).strip()
    if isinstance(error, exc.IntegrityError):
        return Conflict(text)
    if isinstance(error, exc.DataError):  # PostgreSQL: a text with NUL, a number out of its range
        return Invalid("a text or number in this request is none that can be stored or looked up")
    if _lacks_tables(error, text):
        return NotMigrated(f"{text}; run `mamenoki migrate`")
    if isinstance(error, exc.OperationalError | exc.InterfaceError) or error.connection_invalidated:
        return Unavailable(text)
    return StorageError(text)


def _lacks_tables(error: exc.DBAPIError, text: str) -> bool:
    undefined = getattr(error.orig, "sqlstate", None) in {"42P01", "42703"}  # no such table, column
    return undefined or text.startswith(("no such table", "no such column"))
