"""A backup: all rows of one moment in one file, which either kind of database takes back.

gzip of JSON Lines. The first line is the header; then, for each table in the order
that foreign keys allow, ``{"table", "columns"}`` and its rows as arrays, in the order
of the primary key, bytes as base64; the last line counts the rows and has the SHA-256
of all lines before it (``sha256``) and of those without the header (``data``). Two
databases hold the same if and only if their ``data`` is the same, whatever their kind.
The tables are read as they are, not as this code's models have them, so that a
backup may be made before a migration.
"""

import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    func,
    select,
)

from .database import Database, Transaction, now_ms
from .errors import Conflict, Invalid, NotMigrated
from .migrations import revision_of, revisions, upgrade

FORMAT = 1
VERSIONS = "alembic_version"
ROWS = 500  # of one INSERT
LONGEST = 64 << 20  # bytes of a line

Note = Callable[[str], None]


def _quiet(_what: str) -> None:
    """Says nothing."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a file holds. ``made_at``: ms since 1970, by the database's clock. ``data``: see the module."""

    revision: str
    made_at: int
    tables: dict[str, int]
    data: str

    @property
    def rows(self) -> int:
        return sum(self.tables.values())


def write(database: Database, file: IO[bytes], note: Note = _quiet) -> Backup:
    """Writes a backup of the database as it is at one moment; others may go on writing to it.

    NotMigrated if it has no tables of ours. ``note`` hears each table's name before its rows.
    """
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed, database.reading() as tx:
        return _Writer(tx, packed).write(note)


def inspect(path: Path) -> Backup:
    """What a backup holds, with all of it read and its digests compared. Invalid if it is none, or damaged."""
    with closing(_lines(path)) as lines:
        header = _header(next(lines, b""), path)
        whole, data, last = hashlib.sha256(_encoded(header)), hashlib.sha256(), b""
        for line in lines:
            if last:
                whole.update(last)
                data.update(last)
            last = line
    end = _parsed(last, path)
    if not isinstance(end, dict) or end.get("sha256") != whole.hexdigest():
        raise Invalid(f"{path} is damaged: it does not end with the digest of what it holds")
    return Backup(header["revision"], header["made_at"], header["tables"], data.hexdigest())


def restore(database: Database, path: Path, note: Note = _quiet) -> Backup:
    """Brings a backup into an empty database, then its tables up to this code's version; all or nothing.

    Conflict if the database holds anything. Invalid for a damaged file and for one of a newer version.
    """
    backup = inspect(path)
    if backup.revision not in revisions():
        raise Invalid(
            f"{path} is of a newer version (its tables have revision {backup.revision}); restore it with that one"
        )
    with database.transaction() as tx:
        connection = tx.connection()
        _check_empty(connection, backup)
        upgrade(connection, backup.revision)
        _Loader(connection, path).load(note)
        upgrade(connection)
    return backup


class _Writer:
    def __init__(self, tx: Transaction, file: gzip.GzipFile) -> None:
        self._tx = tx
        self._file = file
        self._whole = hashlib.sha256()
        self._data = hashlib.sha256()

    def write(self, note: Note) -> Backup:
        connection = self._tx.connection()
        revision = revision_of(connection)
        if revision is None:
            raise NotMigrated("the database has no tables of ours")
        tables = _tables(connection)
        counts = {
            table.name: self._tx.execute(select(func.count()).select_from(table)).scalar_one()
            for table in tables
        }
        made_at = now_ms(self._tx)
        self._put({"mamenoki_backup": FORMAT, "revision": revision, "made_at": made_at, "tables": counts})
        self._data = hashlib.sha256()
        for table in tables:
            note(table.name)
            self._put_rows(connection, table)
        end = {
            "rows": sum(counts.values()),
            "sha256": self._whole.hexdigest(),
            "data": self._data.hexdigest(),
        }
        self._file.write(_encoded(end))
        return Backup(revision, made_at, counts, self._data.hexdigest())

    def _put_rows(self, connection: Connection, table: Table) -> None:
        self._put({"table": table.name, "columns": [column.name for column in table.columns]})
        rows = connection.execution_options(yield_per=ROWS).execute(
            select(table).order_by(*(_ordered(column, connection) for column in table.primary_key.columns))
        )
        binary = [isinstance(column.type, LargeBinary) for column in table.columns]
        for row in rows:
            self._put(
                [_plain(value) if is_binary else value for value, is_binary in zip(row, binary, strict=True)]
            )

    def _put(self, value: Any) -> None:
        line = _encoded(value)
        self._whole.update(line)
        self._data.update(line)
        self._file.write(line)


class _Loader:
    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._tables = {table.name: table for table in _tables(connection)}

    def load(self, note: Note) -> None:
        columns: list[Column[Any]] = []
        rows: list[dict[str, Any]] = []
        with closing(_lines(self._path)) as lines:
            next(lines)
            for line in lines:
                value = _parsed(line, self._path)
                if isinstance(value, list):
                    rows.append(_row(columns, value))
                if rows and (isinstance(value, dict) or len(rows) >= ROWS):
                    self._insert(columns, rows)
                    rows = []
                if isinstance(value, dict) and "table" in value:
                    note(value["table"])
                    columns = self._columns(value)
        for table in self._tables.values():
            self._go_on_counting(table)

    def _columns(self, heading: dict[str, Any]) -> list[Column[Any]]:
        table = self._tables.get(heading["table"])
        if table is None or sorted(heading["columns"]) != sorted(table.columns.keys()):
            raise Invalid(f"{self._path}: the table {heading['table']!r} is not one of this revision's")
        return [table.columns[name] for name in heading["columns"]]

    def _insert(self, columns: Sequence[Column[Any]], rows: list[dict[str, Any]]) -> None:
        self._connection.execute(columns[0].table.insert(), rows)

    def _go_on_counting(self, table: Table) -> None:
        """PostgreSQL numbers new rows by a sequence, which knows nothing of rows that bring their numbers."""
        if self._connection.dialect.name != "postgresql":
            return
        for column in table.primary_key.columns:
            if isinstance(column.type, Integer):
                name = func.pg_get_serial_sequence(table.name, column.name)
                sequence = self._connection.execute(select(name)).scalar()
                if sequence is not None:
                    most = self._connection.execute(select(func.max(column))).scalar()
                    self._connection.execute(select(func.setval(sequence, most or 1, most is not None)))


def _tables(connection: Connection) -> list[Table]:
    """All tables that the database has, those first that others refer to."""
    found = MetaData()
    found.reflect(connection)
    tables = [table for table in found.sorted_tables if table.name != VERSIONS]
    for column in (column for table in tables for column in table.columns):
        if isinstance(column.type, JSON):
            column.type.none_as_null = True
    return tables


def _ordered(column: Column[Any], connection: Connection) -> Any:
    """Texts by their bytes, as SQLite orders them."""
    is_text = isinstance(column.type, String) and connection.dialect.name == "postgresql"
    return column.collate("C") if is_text else column


def _check_empty(connection: Connection, backup: Backup) -> None:
    for table in _tables(connection):
        if connection.execute(select(func.count()).select_from(table)).scalar_one():
            raise Conflict(
                f"the database is not empty: {table.name} has rows; restore into a new one, then switch to it"
            )
    revision = revision_of(connection)
    if revision not in (None, backup.revision):
        raise Conflict(
            f"the database has tables of revision {revision}, the backup of {backup.revision}; "
            "restore into one that has none"
        )


def _plain(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def _row(columns: Sequence[Column[Any]], values: list[Any]) -> dict[str, Any]:
    return {
        column.name: base64.b64decode(value) if isinstance(column.type, LargeBinary) and value else value
        for column, value in zip(columns, values, strict=True)
    }


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _lines(path: Path) -> Generator[bytes]:
    """The file's lines. Invalid if it is no gzip, breaks off or has a line beyond all measure."""
    try:
        with gzip.open(path, "rb") as file:
            while line := file.readline(LONGEST):
                if not line.endswith(b"\n"):
                    raise Invalid(f"{path} is damaged: a line has no end")
                yield line
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise Invalid(f"{path} is no backup, or is damaged: {error}") from error


def _header(line: bytes, path: Path) -> dict[str, Any]:
    header = _parsed(line, path)
    if not isinstance(header, dict) or header.get("mamenoki_backup") != FORMAT:
        raise Invalid(f"{path} is no backup of format {FORMAT}")
    return header


def _parsed(line: bytes, path: Path) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise Invalid(f"{path} is damaged: a line does not parse") from error
