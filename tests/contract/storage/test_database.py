"""The database itself: its clock, its transactions, its errors, its migrations."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, insert, make_url, select, text

from storage import identity, windows
from storage.database import Database, Transaction, now_ms
from storage.errors import Conflict, NotMigrated, StorageError, Unavailable
from storage.schema import Base, Owner, Token
from tests.fixtures.racers import in_processes, increment, increment_once, migrate

INCREMENTS, WRITERS = 1200, 4


def test_the_clock_is_in_whole_milliseconds_utc(database: Database) -> None:
    with database.reading() as tx:
        before = int(time.time() * 1000)
        now = now_ms(tx)
        after = int(time.time() * 1000)
    assert isinstance(now, int)
    assert before - 2 <= now <= after + 2  # both clocks round


def test_an_exception_rolls_everything_back(database: Database) -> None:
    with pytest.raises(Conflict), database.transaction() as tx:
        _write_half(tx)
    with database.reading() as tx:
        assert tx.execute(select(Owner)).first() is None


def test_a_reader_sees_one_state(database: Database) -> None:
    with database.reading() as reader:
        assert reader.execute(select(Owner)).first() is None
        with database.transaction() as tx:
            identity.ensure_owner(tx, "ann")
        assert reader.execute(select(Owner)).first() is None
    with database.reading() as reader:
        assert reader.execute(select(Owner)).first() is not None


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError), database.reading() as tx:
        identity.ensure_owner(tx, "ann")
    with database.transaction() as tx:
        assert identity.ensure_owner(tx, "ben")  # the connection it used is good for writing again


def test_a_row_must_refer_to_rows_that_exist(database: Database) -> None:
    orphan = insert(Token).values(owner_id=999, label="x", digest=b"1" * 32, scopes=[], created_at=0)
    with pytest.raises(Conflict), database.transaction() as tx:
        tx.execute(orphan)


def test_a_writer_that_waits_too_long_is_told(database_url: str) -> None:
    patient, hasty = Database(database_url), Database(database_url, wait_ms=50)
    with patient.transaction() as first:
        windows.once(first, "job", 1)
        with pytest.raises(Unavailable), hasty.transaction() as second:
            windows.once(second, "job", 1)
    patient.close()
    hasty.close()


def test_only_sqlite_files_and_postgresql_are_served() -> None:
    for url in ("sqlite://", "sqlite:///:memory:", "mysql://host/name"):
        with pytest.raises(ValueError, match=r"sqlite:///path"):
            Database(url)


def test_no_increment_is_lost_between_threads(database: Database) -> None:
    _start_counter(database)
    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(lambda _: increment_once(database), range(INCREMENTS // 2)))
    assert _counted(database) == INCREMENTS // 2


def test_no_increment_is_lost_between_processes(database: Database, database_url: str) -> None:
    _start_counter(database)
    in_processes(increment, [(database_url, INCREMENTS // 2 // WRITERS)] * WRITERS)
    assert _counted(database) == INCREMENTS // 2


def test_the_models_are_what_the_migrations_make(database_url: str) -> None:
    engine = create_engine(make_url(database_url).set(drivername=_driver(database_url)))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_without_tables_one_is_told_to_migrate(empty_url: str) -> None:
    database = Database(empty_url)
    with pytest.raises(NotMigrated, match="mamenoki migrate"), database.reading() as tx:
        identity.tokens(tx, "ann")
    database.close()


def test_processes_may_migrate_at_once(empty_url: str) -> None:
    in_processes(migrate, [(empty_url,)] * WRITERS)
    database = Database(empty_url)
    database.migrate()
    with database.transaction() as tx:
        assert identity.ensure_owner(tx, "ann")
        assert tx.execute(text("select count(*) from alembic_version")).scalar_one() == 1
    database.close()


def _write_half(tx: Transaction) -> None:
    owner = identity.ensure_owner(tx, "ann")
    identity.ensure_player(tx, owner, "bot", "house")
    identity.ensure_player(tx, owner, "bot", "remote")


def _start_counter(database: Database) -> None:
    with database.transaction() as tx:
        tx.execute(insert(Owner).values(name="counter", created_at=0))


def _counted(database: Database) -> int:
    with database.reading() as tx:
        return tx.execute(select(Owner.created_at).where(Owner.name == "counter")).scalar_one()


def _driver(url: str) -> str:
    return "sqlite" if url.startswith("sqlite") else "postgresql+psycopg"
