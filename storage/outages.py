"""Trouble with the database, made on purpose: what a gameday and the fault tests do to a running service."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, select, text

from .database import Database


@contextmanager
def locked(database: Database) -> Iterator[None]:
    """Nobody else writes to a table's row for as long as the block runs; reading goes on."""
    with database.transaction() as tx:  # in SQLite, which begins IMMEDIATE, this alone excludes all writers
        if database.dialect == "postgresql":
            tx.execute(text("lock table game_table in exclusive mode"))
        yield


def cut(database: Database) -> int:
    """Ends everybody else's connections to a PostgreSQL database in mid-statement; how many. 0 on SQLite."""
    if database.dialect != "postgresql":
        return 0
    others = text("pg_stat_activity")
    ended = select(func.pg_terminate_backend(text("pid"))).select_from(others)
    with database.transaction() as tx:
        where = text(
            "datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"
        )
        return len(tx.execute(ended.where(where)).all())
