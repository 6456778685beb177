"""Folding a ladder and rebuilding it: equal byte for byte, whoever folds and whatever is corrected."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, update

from ratings import follow
from ratings.follow import fold_ladder, rebuild
from storage import folding, identity, jobs, ladders, ledger
from storage.database import Database, Transaction
from storage.errors import NotFound, Stale
from storage.folding import ChangeRow
from storage.ledger import NewEntry
from storage.schema import Rating, RatingChange
from tests.fixtures.records import World, make_world, result_content, result_entry

PLAYERS = 6


def append_results(tx: Transaction, world: World, count: int, seed: int = 1) -> None:
    """Random tables, with ties among them."""
    dice = random.Random(seed)
    entries = []
    for number in range(count):
        seats = dice.sample(range(len(world.players)), dice.choice((2, 3, 4)))
        placements = [dice.randrange(3) for _ in seats]
        entries.append(result_entry(world, f"t{number}", seats, placements))
    ledger.append(tx, world.ladder_id, entries)


def correct(tx: Transaction, world: World, place: int, content: dict[str, Any]) -> None:
    ledger.append(tx, world.ladder_id, [NewEntry(ledger.CORRECTION, content, supersedes=place)])


def lines(database: Database, world: World) -> list[bytes]:
    """All that is stored of a ladder's ratings."""
    with database.reading() as tx:
        end = folding.progress(tx, world.ladder_id).entries
        changes = [follow.canonical(row) for row in folding.changes(tx, world.ladder_id, 0, end)]
        return changes + [follow.canonical(row) for row in folding.standings(tx, world.ladder_id)]


def check_rebuilt(database: Database, world: World) -> None:
    found = rebuild(database, world.ladder_id)
    assert found.equal, found.difference
    assert found.difference is None


def test_a_ladder_is_folded_in_batches(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "BATCH", 7)
    monkeypatch.setattr(follow, "_PAGE", 11)
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS)
        append_results(tx, world, 40)
    assert fold_ladder(database, world.ladder_id, limit=10) == 10
    with database.reading() as tx:
        assert folding.progress(tx, world.ladder_id).folded == 10
        assert len(jobs.due(tx, 10, 0)) == 1
    assert fold_ladder(database, world.ladder_id) == 30
    assert fold_ladder(database, world.ladder_id) == 0
    with database.reading() as tx:
        assert folding.progress(tx, world.ladder_id).folded == 40
        assert jobs.due(tx, 10, 0) == []
    check_rebuilt(database, world)


def test_a_fold_ends_a_job_that_has_nothing_to_do(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        jobs.add(tx, jobs.FOLD, world.ladder_id)
    assert fold_ladder(database, world.ladder_id) == 0
    with database.reading() as tx:
        assert jobs.due(tx, 10, 0) == []


def test_a_job_outlives_a_fold_that_an_entry_overtook(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS)
        append_results(tx, world, 3)
        at = folding.progress(tx, world.ladder_id)
    with database.transaction() as tx:
        append_results(tx, world, 1, seed=2)
    with database.transaction() as tx:
        folding.advance(tx, world.ladder_id, at, 3, [], [])
        assert len(jobs.due(tx, 10, 0)) == 1


def test_of_two_folds_from_one_place_one_writes(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS)
        append_results(tx, world, 4)
        at = folding.progress(tx, world.ladder_id)
        folding.advance(tx, world.ladder_id, at, 2, [], [])
    with pytest.raises(Stale), database.transaction() as tx:
        folding.advance(tx, world.ladder_id, at, 4, [], [ChangeRow(3, 1, 1.0, 1.0, 1.0, 1.0, 1)])
    with database.reading() as tx:
        assert folding.progress(tx, world.ladder_id).folded == 2
        assert folding.changes(tx, world.ladder_id, 0, 4) == []


def test_many_may_fold_at_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "BATCH", 5)
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS)
        append_results(tx, world, 60)
    with ThreadPoolExecutor(4) as threads:
        folded = list(threads.map(lambda _: fold_ladder(database, world.ladder_id), range(4)))
    assert sum(folded) == 60
    with database.reading() as tx:
        assert len(folding.changes(tx, world.ladder_id, 0, 60)) == sum(
            len(entry.content["seats"]) for entry in ledger.entries(tx, world.ladder_id, 0, 60)
        )
    check_rebuilt(database, world)


def test_a_correction_makes_the_history_that_would_have_been(database: Database) -> None:
    with database.transaction() as tx:
        wrong, right = make_world(tx, PLAYERS), make_world(tx, PLAYERS, name="mushi/other")
        append_results(tx, wrong, 20)
        append_results(tx, right, 4)
        ledger.append(tx, right.ladder_id, [result_entry(right, "corrected", (5, 0), (0, 1))])
    fold_ladder(database, wrong.ladder_id)
    with database.transaction() as tx:
        correct(tx, wrong, 4, result_content(wrong, "corrected", (5, 0), (0, 1)))
        for place in range(5, 20):
            correct(tx, wrong, place, {"void": True})
    fold_ladder(database, wrong.ladder_id)
    fold_ladder(database, right.ladder_id)
    assert lines(database, wrong) == lines(database, right)
    check_rebuilt(database, wrong)


def test_a_new_version_widens_and_a_reset_pulls(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS)
        append_results(tx, world, 30)
        player = world.players[0][0]
        ladders.enter(tx, world.ladder_id, player, identity.ensure_version(tx, player, "second").id)
        ledger.append(tx, world.ladder_id, [NewEntry(ledger.SEASON_RESET, {"keep_permille": 500})])
    fold_ladder(database, world.ladder_id)
    with database.reading() as tx:
        (widened,) = folding.changes(tx, world.ladder_id, 30, 31)
        pulled = folding.changes(tx, world.ladder_id, 31, 32)
    assert widened.mean_after == widened.mean_before
    assert widened.deviation_after > widened.deviation_before + 2
    assert len(pulled) == PLAYERS
    check_rebuilt(database, world)


@pytest.mark.parametrize("damage", ["rating", "change", "missing", "stray"])
def test_a_rebuild_finds_and_mends_damage(database: Database, damage: str) -> None:
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS)
        append_results(tx, world, 12)
    fold_ladder(database, world.ladder_id)
    sound = lines(database, world)
    with database.transaction() as tx:
        _damage(tx, world, damage)
    found = rebuild(database, world.ladder_id)
    assert not found.equal
    assert found.difference is not None
    assert found.difference.startswith("stored: ")
    assert not found.rewritten
    mended = rebuild(database, world.ladder_id, rewrite=True)
    assert mended.rewritten
    check_rebuilt(database, world)
    assert lines(database, world) == sound


def test_a_fold_that_began_before_a_rewrite_writes_nothing(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS)
        append_results(tx, world, 12)
    fold_ladder(database, world.ladder_id, limit=6)
    with database.transaction() as tx:
        _damage(tx, world, "rating")
    with database.reading() as tx:
        at = folding.progress(tx, world.ladder_id)
    rebuild(database, world.ladder_id, rewrite=True)
    with pytest.raises(Stale), database.transaction() as tx:
        folding.advance(tx, world.ladder_id, at, 12, [], [])


def test_an_unknown_ladder_is_not_found(database: Database) -> None:
    with pytest.raises(NotFound):
        fold_ladder(database, 99)
    with pytest.raises(NotFound):
        rebuild(database, 99)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("results"), st.integers(1, 6), st.integers(0, 99)),
        st.tuples(st.just("correct"), st.integers(0, 30), st.integers(0, 99)),
        st.tuples(st.just("void"), st.integers(0, 30), st.just(0)),
        st.tuples(st.just("version"), st.integers(0, PLAYERS - 1), st.integers(0, 5)),
        st.tuples(st.just("reset"), st.integers(0, 1000), st.just(0)),
        st.tuples(st.just("fold"), st.integers(1, 5), st.just(0)),
    ),
    max_size=14,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_whatever_happens_the_fold_is_the_rebuild(
    database: Database, steps: list[tuple[str, int, int]]
) -> None:
    with database.transaction() as tx:
        world = make_world(tx, PLAYERS, name=f"mushi/{len(ladders.ladders(tx))}")
    for kind, number, other in steps:
        if kind == "fold":
            fold_ladder(database, world.ladder_id, limit=number)
            check_rebuilt(database, world)
        else:
            with database.transaction() as tx:
                _happen(tx, world, kind, number, other)
    fold_ladder(database, world.ladder_id)
    check_rebuilt(database, world)


def _happen(tx: Transaction, world: World, kind: str, number: int, other: int) -> None:
    if kind == "results":
        append_results(tx, world, number, seed=other)
    elif kind == "version":
        player = world.players[number][0]
        version = identity.ensure_version(tx, player, f"label {other}")
        ladders.enter(tx, world.ladder_id, player, version.id)
    elif kind == "reset":
        ledger.append(tx, world.ladder_id, [NewEntry(ledger.SEASON_RESET, {"keep_permille": number})])
    else:
        entries = [e for e in ledger.entries(tx, world.ladder_id, 0, 999) if e.kind == ledger.RESULT]
        if entries:
            place = entries[number % len(entries)].place
            swapped = result_content(world, "corrected", (other % 6, (other + 1) % 6), (0, other % 2))
            correct(tx, world, place, {"void": True} if kind == "void" else swapped)


def _damage(tx: Transaction, world: World, damage: str) -> None:
    player = world.players[0][0]
    if damage == "rating":
        tx.execute(update(Rating).where(Rating.player_id == player).values(mean=Rating.mean + 1e-9))
    elif damage == "change":
        tx.execute(update(RatingChange).where(RatingChange.place == 3).values(games=99))
    elif damage == "missing":
        tx.execute(delete(RatingChange).where(RatingChange.place == 3))
    else:
        values = {
            "mean_before": 1.0,
            "deviation_before": 1.0,
            "mean_after": 1.0,
            "deviation_after": 1.0,
            "games": 1,
        }
        tx.add(RatingChange(ladder_id=world.ladder_id, place=10_000, player_id=player, **values))
