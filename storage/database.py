"""One database: SQLite or PostgreSQL, opened by URL, used by any number of threads.

SQLite runs in WAL and every writing transaction begins IMMEDIATE: one that
begins deferred reads first, and fails or overwrites when another wrote meanwhile.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from sqlalchemy import (
    URL,
    BigInteger,
    Connection,
    Engine,
    create_engine,
    event,
    func,
    literal_column,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session

from .errors import translated

Transaction = Session
"""What the blocks below give; annotate ``tx`` with it. Only this package speaks SQL through it."""

WAIT_MS = 10_000
"""How long a writer waits for a lock before it is told Unavailable."""

_BEGIN = "mamenoki_begin"


class Database:
    """A pool of connections to ``sqlite:///path`` or ``postgresql://…``.

    Safe to share between threads, not between processes: a forked child makes its own.
    """

    def __init__(self, url: str, *, pool_size: int = 5, wait_ms: int = WAIT_MS) -> None:
        parsed = _parse(url)
        self.dialect = parsed.get_backend_name()
        self._engine = (
            _sqlite(parsed, pool_size, wait_ms)
            if self.dialect == "sqlite"
            else _postgres(parsed, pool_size, wait_ms)
        )
        self._writing, self._reading = _modes(self._engine)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A writing transaction: committed at the end of the block, rolled back by any exception.

        Raises this package's errors. Keep it short: in SQLite it excludes every other writer.
        """
        with translated(), Session(self._writing) as session, session.begin():
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A read-only transaction: all of it sees one state of the database."""
        with translated(), Session(self._reading) as session, session.begin():
            yield session

    def migrate(self, revision: str = "head") -> None:
        """Brings the tables up to this code's version. Any number of processes may call it at once.

        ``revision``: only up to that step of the migrations.
        """
        from .migrations import upgrade  # alembic costs 60 ms, which only this call should pay

        with translated(), self._writing.begin() as connection:
            if self.dialect == "postgresql":
                connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
            upgrade(connection, revision)

    def revision(self) -> tuple[str | None, str]:
        """The migrations' step that the tables are at (None: there are none), and the one that this code needs."""
        from .migrations import revision_of, revisions

        with self.reading() as tx:
            return revision_of(tx.connection()), revisions()[-1]

    def close(self) -> None:
        """Closes every connection that is not in use."""
        self._engine.dispose()


_MIGRATION_LOCK = 0x6D616D656E6F6B69  # "mamenoki"


def now_ms(tx: Session) -> int:
    """The database's clock: whole milliseconds since 1970, UTC."""
    return tx.execute(_SQLITE_NOW if is_sqlite(tx) else _POSTGRES_NOW).scalar_one()


# julianday counts whole milliseconds inside, so rounding gives them back exactly;
# unixepoch('subsec') would need SQLite 3.42.
_SQLITE_NOW = select(
    literal_column("cast(round((julianday('now') - 2440587.5) * 86400000.0) as integer)", BigInteger)
)
# Not now(): that is when the transaction began, and it may have waited for a lock since.
_POSTGRES_NOW = select(
    literal_column("cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)", BigInteger)
)


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; None for any other, and for what is no URL at all."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None
    in_a_file = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(str(parsed.database)) if in_a_file else None


def without_password(url: str) -> str:
    """A database's URL as a log or a person may see it."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "an URL that cannot be read"


def is_sqlite(tx: Session) -> bool:
    return tx.get_bind().dialect.name == "sqlite"


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:  # which does not say what may stand there, and might repeat a password
        raise ValueError("this is no URL; use sqlite:///path or postgresql://…") from error
    if parsed.drivername in {"postgres", "postgresql", "postgresql+psycopg"}:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() != "sqlite":
        raise ValueError(f"{parsed.drivername} is not served; use sqlite:///path or postgresql://…")
    if not parsed.database or parsed.database == ":memory:":
        raise ValueError("a SQLite database needs a file, so that all connections see it: sqlite:///path")
    return parsed.set(drivername="sqlite+pysqlite")


def _modes(engine: Engine) -> tuple[Engine, Engine]:
    if engine.dialect.name == "sqlite":
        event.listen(engine, "begin", _begin)
        return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"}), engine.execution_options(
            **{_BEGIN: "BEGIN"}
        )
    snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    return engine, cast(Engine, engine.execution_options(**snapshot))


def _begin(connection: Connection) -> None:
    statement = connection.get_execution_options().get(_BEGIN, "BEGIN IMMEDIATE")
    # A reader that wrote would fail or overwrite, so it may not even try.
    connection.exec_driver_sql(f"pragma query_only = {'on' if statement == 'BEGIN' else 'off'}")
    connection.exec_driver_sql(statement)


def _sqlite(url: URL, pool_size: int, wait_ms: int) -> Engine:
    engine = create_engine(url, pool_size=pool_size, max_overflow=pool_size, pool_timeout=wait_ms / 1000)

    def prepare(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # the begin event says BEGIN, not the driver
        connection.execute(f"pragma busy_timeout = {int(wait_ms)}")
        _ensure_wal(connection, wait_ms)
        connection.execute("pragma synchronous = full")  # a result that was told must survive a power cut
        connection.execute("pragma foreign_keys = on")

    event.listen(engine, "connect", prepare)
    return engine


def _ensure_wal(connection: sqlite3.Connection, wait_ms: int) -> None:
    """Switching to WAL fails at once, whatever the busy timeout, while another process switches too."""
    deadline = time.monotonic() + wait_ms / 1000
    while connection.execute("pragma journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def _postgres(url: URL, pool_size: int, wait_ms: int) -> Engine:
    options = f"-c lock_timeout={int(wait_ms)} -c idle_in_transaction_session_timeout=60000 -c timezone=UTC"
    arguments = {"connect_timeout": 5, "application_name": "mamenoki", "options": options}
    return create_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=wait_ms / 1000,
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
        connect_args=arguments,
    )
