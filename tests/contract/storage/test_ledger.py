"""Ladders and their ledgers."""

import pytest

from storage import identity, jobs, ladders, ledger
from storage.database import Database, Transaction
from storage.errors import Conflict, Invalid, NotFound
from storage.ledger import NewEntry
from tests.fixtures.records import CONFIG, make_world, race, result_entry

RESET = NewEntry(ledger.SEASON_RESET, {"keep_permille": 500})


def test_a_ladder_is_for_one_thing(database: Database) -> None:
    with database.transaction() as tx:
        made = ladders.ensure_ladder(tx, "mushi/standard", "mushi", "standard", CONFIG)
        assert ladders.ensure_ladder(tx, "mushi/standard", "mushi", "standard", CONFIG) == made
        assert list(made.config) == list(CONFIG)
        assert ladders.ladders(tx) == [made]
        assert ladders.get_ladder(tx, made.id) == made
        with pytest.raises(Conflict, match="another name"):
            ladders.ensure_ladder(tx, "mushi/standard", "mushi", "standard", {})
        with pytest.raises(NotFound, match="mushi/standard"):
            ladders.find_ladder(tx, "mushi/other")
        with pytest.raises(NotFound):
            ladders.get_ladder(tx, made.id + 1)


def test_a_ladder_opens_and_closes(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        ladders.set_open(tx, world.ladder_id, False)
    with database.reading() as tx:
        assert not ladders.get_ladder(tx, world.ladder_id).open


def test_entrants_come_and_go(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, players=3)
        first = world.players[0]
        assert [row.player_id for row in ladders.entrants(tx, world.ladder_id)] == [
            p for p, _ in world.players
        ]
        assert ladders.leave(tx, world.ladder_id, first[0])
        assert not ladders.leave(tx, world.ladder_id, first[0])
        assert len(ladders.entrants(tx, world.ladder_id)) == 2
        ladders.enter(tx, world.ladder_id, *first)
        (back, *_) = ladders.entrants(tx, world.ladder_id)
        assert (back.owner, back.name, back.version, back.program) == ("house", "bot0", 1, "random")
        assert back.settings == {"number": 0}
        assert ledger.count(tx, world.ladder_id) == 0  # the same version: nothing to widen


def test_another_version_is_an_entry(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        player = world.players[0][0]
        version = identity.ensure_version(tx, player, "second")
        for _ in range(2):
            ladders.enter(tx, world.ladder_id, player, version.id)
        (entry,) = ledger.entries(tx, world.ladder_id, 0, 10)
        assert (entry.kind, entry.content) == ("new_version", {"player_id": player, "version": 2})
        assert [job.kind for job in jobs.due(tx, 10, 0)] == [jobs.FOLD]
        with pytest.raises(Conflict, match="not one of player"):
            ladders.enter(tx, world.ladder_id, player, world.players[1][1])


def test_places_have_no_gaps(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        assert ledger.append(tx, world.ladder_id, [RESET]) == 0
        assert ledger.append(tx, world.ladder_id, [RESET, RESET]) == 1
    with pytest.raises(NotFound), database.transaction() as tx:
        _append_and_fail(tx, world.ladder_id)
    with database.transaction() as tx:
        assert ledger.append(tx, world.ladder_id, [RESET]) == 3
        assert [entry.place for entry in ledger.entries(tx, world.ladder_id, 1, 2)] == [1, 2]
        assert ledger.progress(tx, world.ladder_id) == (0, 4)
        with pytest.raises(NotFound):
            ledger.append(tx, 99, [RESET])
        with pytest.raises(NotFound):
            ledger.progress(tx, 99)


def _append_and_fail(tx: Transaction, ladder_id: int) -> None:
    ledger.append(tx, ladder_id, [RESET])
    ladders.get_ladder(tx, 99)


def test_racers_append_without_gaps(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)

    def append(tx: Transaction) -> int:
        return ledger.append(tx, world.ladder_id, [RESET, RESET])

    assert sorted(race(database, 8, append)) == list(range(0, 16, 2))
    with database.reading() as tx:
        assert ledger.count(tx, world.ladder_id) == 16


def test_a_correction_names_an_earlier_entry_that_is_none_itself(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        entry = result_entry(world, "t", (0, 1), (0, 1))
        ledger.append(tx, world.ladder_id, [entry])
        void = {"void": True}
        ledger.append(tx, world.ladder_id, [NewEntry(ledger.CORRECTION, void, supersedes=0)])
        (found,) = ledger.corrections(tx, world.ladder_id, 2)
        assert (found.place, found.supersedes, found.content) == (1, 0, void)
        assert ledger.corrections(tx, world.ladder_id, 1) == []
        for supersedes, error in ((1, Conflict), (7, NotFound), (2, NotFound), (None, Invalid)):
            with pytest.raises(error):
                ledger.append(tx, world.ladder_id, [NewEntry(ledger.CORRECTION, void, supersedes=supersedes)])
        with pytest.raises(Invalid):
            ledger.append(tx, world.ladder_id, [NewEntry(ledger.RESULT, entry.content, supersedes=0)])
