"""INSERT … ON CONFLICT, which both databases have and SQLAlchemy keeps apart."""

from typing import Any

from sqlalchemy import Table, inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from .database import is_sqlite
from .schema import Base


def insert(tx: Session, model: type[Base]) -> Any:
    """An Insert that knows ``on_conflict_do_nothing`` and ``on_conflict_do_update``."""
    table = table_of(model)
    return sqlite.insert(table) if is_sqlite(tx) else postgresql.insert(table)


def insert_new(tx: Session, model: type[Base], **values: Any) -> bool:
    """Inserts a row unless one of its keys is taken; True if it was this call that did.

    While another transaction is inserting the same key this waits for its end.
    """
    first = inspect(model).primary_key[0]
    statement = insert(tx, model).values(**values).on_conflict_do_nothing().returning(first)
    return tx.execute(statement).first() is not None


def table_of(model: type[Base]) -> Table:
    """The model's table, for statements on many rows, which the session need not track."""
    table = model.__table__
    assert isinstance(table, Table)  # noqa: S101 - tells mypy; every model here has a table of its own
    return table
