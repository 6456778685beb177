"""A backup holds everything, and either kind of database takes it back byte for byte."""

import gzip
import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from ratings.follow import rebuild
from scheduler.auditing import audit
from storage import actions, backups, deliveries, identity, ledger, webhooks
from storage.database import Database
from storage.errors import Conflict, Invalid, NotMigrated
from storage.migrations import revisions
from tests.fixtures.garden import Garden

FIRST = revisions()[0]


@pytest.fixture
def garden(database: Database) -> Garden:
    garden = Garden(database)
    garden.players = [garden.plant("ann", name, "remote", nerve) for nerve, name in enumerate("abcd", 1)]
    for _ in range(3):
        garden.play(garden.draw(3))
    garden.odd_cases()
    garden.play_set(garden.players[:2])
    spoilt = garden.plan_set(garden.players[2:])
    garden.fail(garden.start(spoilt.tables[0].table_id), "engine")
    garden.rate()
    with database.transaction() as tx:
        identity.create_token(tx, "ann", "ключ", ["play"], None)
        hook, _ = webhooks.add(tx, identity.ensure_owner(tx, "ann"), webhooks.BOTS, "https://example.org/")
        deliveries.probe(tx, hook.id)
        actions.record(tx, "ann@here", "ladder pause", "mushi/standard", note='a "quote"\n')
    return garden


def written(database: Database, path: Path) -> Path:
    with path.open("wb") as out:
        backups.write(database, out)
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Path:
    """A backup of one owner and a token."""
    folder = tmp_path_factory.mktemp("backup")
    shutil.copyfile(sqlite_template, folder / "source.db")
    source = Database(f"sqlite:///{folder / 'source.db'}")
    with source.transaction() as tx:
        identity.create_token(tx, "ann", "laptop", ["play"], None)
    path = written(source, folder / "it.backup")
    source.close()
    return path


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Database]:
    """An SQLite database without tables."""
    database = Database(f"sqlite:///{tmp_path / 'target.db'}")
    yield database
    database.close()


def data_of(database: Database) -> str:
    return backups.write(database, io.BytesIO()).data


def entries(database: Database) -> list[ledger.EntryRow]:
    with database.reading() as tx:
        return ledger.entries(tx, 1, 0, 1000)


def test_what_comes_back_is_what_was_there(garden: Garden, tmp_path: Path, empty_url: str) -> None:
    """From each kind of database into each."""
    target = Database(empty_url)
    restored = backups.restore(target, written(garden.database, tmp_path / "it.backup"))
    assert restored.data == data_of(garden.database) == data_of(target)
    assert entries(target) == entries(garden.database)
    assert rebuild(target, garden.ladder.id).equal
    assert not any(found.count for found in audit(target))
    with target.transaction() as tx:  # numbers go on where they were
        assert identity.ensure_player(tx, identity.ensure_owner(tx, "new"), "bot", "remote").id > 4
    target.close()


def test_a_database_that_holds_anything_is_left_alone(file: Path, target: Database) -> None:
    target.migrate()
    with target.transaction() as tx:
        identity.ensure_owner(tx, "zoe")
    before = data_of(target)
    with pytest.raises(Conflict, match="not empty: owner has rows"):
        backups.restore(target, file)
    assert data_of(target) == before


def test_a_migrated_database_without_rows_is_taken(file: Path, target: Database) -> None:
    target.migrate()
    assert backups.restore(target, file).data == data_of(target)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "no gzip": gzip.decompress,
    "cut short": lambda whole: whole[:-20],
    "a row less": lambda whole: gzip.compress(
        b"".join(gzip.decompress(whole).splitlines(keepends=True)[:-2])
    ),
    "a byte changed": lambda whole: gzip.compress(gzip.decompress(whole).replace(b'"ann"', b'"bob"', 1)),
    "a byte changed in what is packed": lambda whole: whole[:60] + bytes([whole[60] ^ 255]) + whole[61:],
    "no end": lambda whole: gzip.compress(gzip.decompress(whole)[:-1]),
    "something else": lambda _: gzip.compress(b'{"replay":1}\n'),
    "empty": lambda _: b"",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_and_nothing_written(
    damage: str, file: Path, target: Database, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(DAMAGES[damage](file.read_bytes()))
    with pytest.raises(Invalid, match="broken"):
        backups.restore(target, broken)
    with pytest.raises(NotMigrated):
        data_of(target)


def test_a_backup_of_a_newer_version_is_refused(target: Database, tmp_path: Path) -> None:
    newer = Database(f"sqlite:///{tmp_path / 'newer.db'}")
    newer.migrate()
    with newer.transaction() as tx:
        tx.execute(text("update alembic_version set version_num = '9999'"))
    path = written(newer, tmp_path / "newer.backup")
    newer.close()
    with pytest.raises(Invalid, match="newer version"):
        backups.restore(target, path)


def test_a_backup_of_an_older_version_is_brought_up(target: Database, tmp_path: Path) -> None:
    older = Database(f"sqlite:///{tmp_path / 'older.db'}")
    older.migrate(FIRST)
    with older.transaction() as tx:
        identity.ensure_owner(tx, "ann")
    backup = backups.restore(target, written(older, tmp_path / "older.backup"))
    older.close()
    assert backup.revision == FIRST
    with target.transaction() as tx:
        actions.record(tx, "ann@here", "restore", "older.backup")
        assert tx.execute(text("select name from owner")).scalar_one() == "ann"


def test_a_backup_is_of_one_moment(garden: Garden, tmp_path: Path) -> None:
    """What is written while it is being made is not in it, in no table."""
    before = data_of(garden.database)

    def meanwhile(table: str) -> None:
        if table == "ladder":
            garden.play(garden.draw(2))

    assert backups.write(garden.database, io.BytesIO(), meanwhile).data == before
    assert data_of(garden.database) != before
