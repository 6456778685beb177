"""Sets: one deal, one entry by the table that ends last, and what becomes of tables that fail."""

from collections.abc import Sequence

import pytest

from ratings.follow import fold_ladder, rebuild
from storage import (
    folding,
    identity,
    invariants,
    jobs,
    ladders,
    leagues,
    ledger,
    ratings,
    results,
    set_records,
    sets,
    tables,
)
from storage.database import Database, Transaction
from storage.errors import Conflict, Invalid
from storage.leases import MAX_ATTEMPTS
from storage.redealing import ANEW, MAX_DEALS, OFTEN_ENOUGH
from storage.set_endings import NOBODY_PLAYED, TOO_FEW
from storage.sets import Rule, SetRow, SetSeating
from storage.tables import Claim
from tests.fixtures.records import (
    World,
    claimed,
    finished,
    make_world,
    new_set,
    new_table,
    race,
    scored,
    seed,
)


def planned(tx: Transaction, entrants: Sequence[int] = (0, 1, 2), players: int = 4) -> World:
    """A world with the set ``s`` planned: table ``s0`` of the first entrant and so on."""
    world = make_world(tx, players)
    sets.plan_sets(tx, [new_set(world, "s", entrants)])
    return world


def play(tx: Transaction, table_id: str, score: int, **changes: object) -> list[str]:
    return tables.finish(tx, [scored(claimed(tx, table_id), score, **changes)])


def the_set(tx: Transaction, set_id: str = "s") -> SetRow:
    found = sets.find(tx, set_id)
    assert found is not None
    return found


def entries(tx: Transaction, world: World) -> list[ledger.EntryRow]:
    return ledger.entries(tx, world.ladder_id, 0, 100)


def broken(tx: Transaction) -> list[str]:
    return [one.promise for one in invariants.broken(tx) if one.count]


def guest(tx: Transaction, world: World, kind: str = "remote") -> World:
    """The world with one more player, who keeps what it sees."""
    owner = identity.ensure_owner(tx, "ann")
    player = identity.ensure_player(tx, owner, f"a-{kind}", kind)
    version = identity.ensure_version(tx, player.id, "1")
    ladders.enter(tx, world.ladder_id, player.id, version.id)
    return World(world.ladder_id, (*world.players, (player.id, version.id)))


# One entry


def test_the_table_that_ends_last_enters_all_of_them_by_score(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        assert play(tx, "s1", 7) == ["done"]
        assert play(tx, "s2", 9) == ["done"]
        assert entries(tx, world) == []
        assert jobs.due(tx, 10, 0) == []
        assert play(tx, "s0", 7) == ["done"]
        (entry,) = entries(tx, world)
        placed = [(seat["table"], seat["placement"], seat["score"]) for seat in entry.content["seats"]]
        assert placed == [("s2", 0, 9), ("s0", 1, 7), ("s1", 1, 7)]
        assert [seat["player_id"] for seat in entry.content["seats"]] == [
            world.players[one][0] for one in (2, 0, 1)
        ]
        assert entry.content["set"] == "s"
        assert entry.table_id in {"s0", "s1", "s2"}
        assert (the_set(tx).state, the_set(tx).place) == ("done", 0)
        assert broken(tx) == []


@pytest.mark.parametrize("attempt", range(2))
def test_when_the_two_last_tables_end_at_once_there_is_one_entry(database: Database, attempt: int) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        play(tx, "s0", 3)
        left = [scored(claimed(tx, id), score) for id, score in (("s1", 4), ("s2", 5))]
    assert race(database, 2, lambda tx: tables.finish(tx, [left.pop()])) == [["done"], ["done"]]
    with database.reading() as tx:
        assert len(entries(tx, world)) == 1, attempt
        assert len(entries(tx, world)[0].content["seats"]) == 3
        assert broken(tx) == []


@pytest.mark.parametrize("attempt", range(2))
def test_a_result_and_a_void_at_once_give_one_entry(database: Database, attempt: int) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        play(tx, "s0", 3)
        told = scored(claimed(tx, "s1"), 4)
    acts = [lambda tx: str(tables.finish(tx, [told])), lambda tx: str(tables.void(tx, "s2", "called off"))]
    assert sorted(race(database, 2, lambda tx: acts.pop()(tx))) == ["True", "['done']"]
    with database.reading() as tx:
        assert len(entries(tx, world)) == 1, attempt
        assert len(entries(tx, world)[0].content["seats"]) == 2
        assert broken(tx) == []


def test_many_deliveries_of_many_sets_by_many_writers(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 4)
        sets.plan_sets(tx, [new_set(world, f"s{n:02}-", (0, 1, 2, 3)) for n in range(10)])
        ids = [f"s{n:02}-{number}" for number in range(4) for n in range(10)]
        told = [scored(claimed(tx, id), number % 5) for number, id in enumerate(ids)]
    batches = [told[start::4] for start in range(4)] * 2
    race(database, 8, lambda tx: tables.finish(tx, batches.pop()))
    fold_ladder(database, world.ladder_id)
    with database.reading() as tx:
        assert len(entries(tx, world)) == 10
        assert sum(row.games for row in folding.standings(tx, world.ladder_id)) == 40
        assert broken(tx) == []
    assert rebuild(database, world.ladder_id).equal


def test_an_all_in_one_batch_is_one_entry(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        told = [scored(claimed(tx, f"s{number}"), number) for number in range(3)]
        assert tables.finish(tx, [*told, *told]) == ["done"] * 3 + ["already"] * 3
        assert len(entries(tx, world)) == 1


def test_a_set_beside_tables_of_their_own(database: Database) -> None:
    """Entries of both kinds from one batch, on two ladders."""
    with database.transaction() as tx:
        world = planned(tx)
        other = make_world(tx, name="other")
        tables.plan(tx, [new_table(other, "single")])
        told = [scored(claimed(tx, f"s{number}"), number) for number in range(3)]
        tables.finish(tx, [told[0], finished("single", claimed(tx, "single").fence), *told[1:]])
        assert [len(entries(tx, one)) for one in (world, other)] == [1, 1]
        assert broken(tx) == []


def test_a_sets_entry_is_corrected_and_rebuilt_like_any_other(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        for number, score in enumerate((3, 5, 9)):
            play(tx, f"s{number}", score)
        (entry,) = entries(tx, world)
    fold_ladder(database, world.ladder_id)
    before = shown(database, world)
    seats = [{**seat, "placement": 2 - seat["placement"]} for seat in entry.content["seats"]]
    with database.transaction() as tx:
        content = {**entry.content, "seats": seats}
        ledger.append(
            tx, world.ladder_id, [ledger.NewEntry(ledger.CORRECTION, content, supersedes=entry.place)]
        )
    fold_ladder(database, world.ladder_id)
    assert shown(database, world) == before[::-1]
    assert rebuild(database, world.ladder_id).equal
    with database.reading() as tx:
        (told,) = ratings.history(tx, world.ladder_id, world.players[0][0], None, 9)
        assert (told.kind, told.table_id, told.mine.placement, told.mine.score) == ("correction", "s0", 0, 3)
        assert [(one.placement, one.score) for one in told.others] == [(1, 5), (2, 9)]
        assert broken(tx) == []


def shown(database: Database, world: World) -> list[float]:
    """The figures of the first three players."""
    with database.reading() as tx:
        return [row.shown for row in folding.standings(tx, world.ladder_id)]


# Void tables


def test_a_void_table_leaves_its_set(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        play(tx, "s0", 3)
        play(tx, "s1", 5)
        tables.void(tx, "s2", "a seat had nobody")
        (entry,) = entries(tx, world)
        assert [(seat["table"], seat["placement"]) for seat in entry.content["seats"]] == [
            ("s1", 0),
            ("s0", 1),
        ]
        assert entry.table_id in {"s0", "s1"}
        assert broken(tx) == []


def test_of_fewer_than_two_there_is_no_entry(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        tables.void(tx, "s2", "called off")
        tables.void(tx, "s1", "called off")
        play(tx, "s0", 3)
        assert entries(tx, world) == []
        assert (the_set(tx).state, the_set(tx).void_reason) == ("void", TOO_FEW)
        assert results.get(tx, "s0").played.scores == (3, 3)
        assert broken(tx) == []


def test_who_forfeits_is_last_whatever_the_score(database: Database) -> None:
    """All seats forfeited is no void table here: it would be a way out of a loss."""
    with database.transaction() as tx:
        world = planned(tx)
        assert play(tx, "s0", 9, forfeits={0: "crash", 1: "crash"}) == ["done"]
        play(tx, "s1", 2)
        play(tx, "s2", 8, forfeits={1: "timeout"})
        (entry,) = entries(tx, world)
        placed = {seat["table"]: seat["placement"] for seat in entry.content["seats"]}
        assert placed == {"s1": 0, "s0": 1, "s2": 1}


def test_a_set_in_which_all_forfeited_counts_for_nobody(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx, (0, 1))
        for id in ("s0", "s1"):
            play(tx, id, 1, forfeits={0: "crash"})
        assert entries(tx, world) == []
        assert the_set(tx).void_reason == NOBODY_PLAYED
        assert broken(tx) == []


# The deal


def test_the_deal_is_secret_until_the_last_table_has_ended(database: Database) -> None:
    with database.transaction() as tx:
        planned(tx)
        assert {tables.find(tx, f"s{number}").commitment for number in range(3)} == {
            tables.find(tx, "s0").commitment
        }
        for id in ("s0", "s1"):
            play(tx, id, 3)
            row = results.get(tx, id)
            assert (row.seed, row.replay, tables.find(tx, id).seed) == (None, None, None)
        play(tx, "s2", 3)
        assert {results.get(tx, f"s{number}").seed for number in range(3)} == {seed("s")}
        assert results.get(tx, "s0").replay is not None


def test_a_table_of_ours_is_played_again_on_the_same_deal(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        first = claimed(tx, "s0")
        assert tables.fail(tx, "s0", first.fence, "bridge", "gone") == tables.PLANNED
        lapsed = claimed(tx, "s0", lease_ms=0)
        again = claimed(tx, "s0")
        assert {claim.table.seed for claim in (first, lapsed, again)} == {seed("s")}
        assert tables.finish(tx, [scored(again, 5)]) == ["done"]
        for id in ("s1", "s2"):
            play(tx, id, 3)
        assert len(entries(tx, world)) == 1


def test_a_table_of_ours_that_fails_for_good_leaves_its_set(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx)
        play(tx, "s1", 3)
        play(tx, "s2", 3)
        answers = [
            tables.fail(tx, "s0", claimed(tx, "s0").fence, "engine", "boom") for _ in range(MAX_ATTEMPTS)
        ]
        assert answers == [tables.PLANNED, tables.PLANNED, "void"]
        assert len(entries(tx, world)[0].content["seats"]) == 2


@pytest.mark.parametrize("kind", ["remote", "person"])
@pytest.mark.parametrize("how", ["fail", "lease"])
def test_a_deal_that_somebody_has_seen_is_dealt_anew(database: Database, kind: str, how: str) -> None:
    with database.transaction() as tx:
        world = guest(tx, make_world(tx), kind)
        sets.plan_sets(tx, [new_set(world, "s", (0, 4, 1))])
        play(tx, "s0", 6)
        running = claimed(tx, "s2")
        guests = claimed(tx, "s1", lease_ms=0 if how == "lease" else 60_000)
        assert spoil(tx, guests, how) == "dealt_anew"
        old = the_set(tx)
        assert (old.state, old.void_reason, old.place) == ("void", ANEW, None)
        assert [table.state for table in old.tables] == ["done", "void", "void"]
        assert old.replaced_by is not None
        fresh = the_set(tx, old.replaced_by)
        assert (fresh.deal, fresh.replaces) == (2, "s")
        assert [table.entrant_id for table in fresh.tables] == [table.entrant_id for table in old.tables]
        assert tables.finish(tx, [scored(running, 9)]) == ["stale"]
        claims = [claimed(tx, table.table_id) for table in fresh.tables]
        assert len({claim.table.seed for claim in claims}) == 1
        assert claims[0].table.seed != seed("s")
        tables.finish(tx, [scored(claim, 4) for claim in claims])
        (entry,) = entries(tx, world)
        assert entry.content["set"] == fresh.id
        assert results.get(tx, "s0").seed == seed("s")  # the old deal is over
        assert broken(tx) == []


def spoil(tx: Transaction, claim: Claim, how: str) -> str:
    if how == "fail":
        return tables.fail(tx, claim.table.id, claim.fence, "engine", "boom")
    answer = tables.claim(tx, claim.table.id, "engine:2", 1000, seed("fresh"))
    assert isinstance(answer, tables.Refusal)
    return "dealt_anew" if answer.state == "void" else answer.state


def test_a_table_of_ours_spoils_the_deal_too_once_somebody_sits_at_another(database: Database) -> None:
    with database.transaction() as tx:
        world = guest(tx, make_world(tx))
        sets.plan_sets(tx, [new_set(world, "s", (0, 4))])
        assert tables.fail(tx, "s0", claimed(tx, "s0").fence, "engine", "boom") == tables.PLANNED
        claimed(tx, "s1")
        assert tables.fail(tx, "s0", claimed(tx, "s0").fence, "engine", "boom") == "dealt_anew"


def test_a_guest_who_never_sat_down_has_seen_nothing(database: Database) -> None:
    with database.transaction() as tx:
        world = guest(tx, make_world(tx))
        sets.plan_sets(tx, [new_set(world, "s", (0, 4))])
        assert tables.unclaim(tx, "s1", claimed(tx, "s1").fence, "nobody there", 0)
        assert tables.fail(tx, "s0", claimed(tx, "s0").fence, "engine", "boom") == tables.PLANNED


def test_a_set_is_dealt_so_often_and_no_more(database: Database) -> None:
    with database.transaction() as tx:
        world = guest(tx, make_world(tx))
        sets.plan_sets(tx, [new_set(world, "s", (0, 4))])
        answers, set_id = [], "s"
        for _ in range(MAX_DEALS):
            table = the_set(tx, set_id).tables[1].table_id
            answers.append(tables.fail(tx, table, claimed(tx, table).fence, "engine", "boom"))
            set_id = the_set(tx, set_id).replaced_by or set_id
        assert answers == ["dealt_anew", "dealt_anew", "void"]
        assert the_set(tx, set_id).void_reason == OFTEN_ENOUGH
        assert tables.find(tx, table).void_reason == OFTEN_ENOUGH
        assert broken(tx) == []


@pytest.mark.parametrize("attempt", range(2))
def test_tables_that_fail_at_once_are_dealt_anew_once(database: Database, attempt: int) -> None:
    with database.transaction() as tx:
        world = guest(tx, make_world(tx))
        sets.plan_sets(tx, [new_set(world, "s", (0, 4, 1))])
        claims = [claimed(tx, f"s{number}") for number in range(3)]
    answers = race(database, 3, lambda tx: fail(tx, claims.pop()))
    assert sorted(answers) == ["dealt_anew", "stale", "stale"], attempt
    with database.reading() as tx:
        assert sum(set_records.open_sets(tx).values()) == 1
        assert broken(tx) == []


@pytest.mark.parametrize("attempt", range(2))
def test_a_failure_and_the_other_tables_result_at_once(database: Database, attempt: int) -> None:
    with database.transaction() as tx:
        world = guest(tx, make_world(tx))
        sets.plan_sets(tx, [new_set(world, "s", (0, 4))])
        ours, guests = claimed(tx, "s0"), claimed(tx, "s1")
    acts = [lambda tx: fail(tx, guests), lambda tx: tables.finish(tx, [scored(ours, 3)])[0]]
    answers = race(database, 2, lambda tx: acts.pop()(tx))
    assert "dealt_anew" in answers, attempt
    assert answers.count("done") + answers.count("stale") == 1
    with database.reading() as tx:
        assert entries(tx, world) == []
        assert broken(tx) == []


def fail(tx: Transaction, claim: Claim) -> str:
    return tables.fail(tx, claim.table.id, claim.fence, "engine", "boom")


def test_a_round_is_not_over_while_a_set_of_it_is_dealt_anew(database: Database) -> None:
    with database.transaction() as tx:
        world = guest(tx, make_world(tx))
        round_id = a_round(tx, world)
        sets.plan_sets(tx, [new_set(world, "s", (0, 4), round_id=round_id)])
        fail(tx, claimed(tx, "s1"))
        assert not leagues.close_round(tx, round_id)
        again = the_set(tx, the_set(tx).replaced_by or "")
        assert again.round_id == round_id
        tables.finish(tx, [scored(claimed(tx, table.table_id), 1) for table in again.tables])
        assert (jobs.ROUND, str(round_id)) in {(job.kind, job.key) for job in jobs.due(tx, 10, 0)}
        (placed,) = set_records.season_sets(tx, leagues.get_round(tx, round_id).season_id)
        assert (placed.set_id, placed.placements) == (again.id, (0, 0))
        assert set(placed.players) == {world.players[0][0], world.players[4][0]}
        assert leagues.close_round(tx, round_id)


def a_round(tx: Transaction, world: World) -> int:
    values = {"cron": "* * * * *", "zone": "UTC", "seats": 2, "tables_each": 1, "rounds": 1, "clock": {}}
    league = leagues.ensure_league(tx, "summer", world.ladder_id, **values)
    opened = leagues.open_round(tx, leagues.open_season(tx, league.id).id, 0)
    assert opened is not None
    return opened.id


# Tables at which each seat plays for itself


def test_a_set_without_entrants_shares_its_deal_and_each_table_has_its_entry(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx, 2)
        one, other = world.players
        pair = [
            SetSeating(new_table(world, f"r{number}", seed=seed("r"), seats=seats))
            for number, seats in enumerate([(one, other), (other, one)])
        ]
        sets.plan_sets(tx, [sets.NewSet("r", world.ladder_id, None, tuple(pair))])
        first = tables.finish(tx, [finished("r0", claimed(tx, "r0").fence, (0, 1))])
        assert (first, results.get(tx, "r0").seed) == (["done"], None)
        everyone = dict.fromkeys(range(2), "timeout")
        void = finished("r1", claimed(tx, "r1").fence, (0, 0), forfeits=everyone)
        assert tables.finish(tx, [void]) == ["void"]
        assert [entry.table_id for entry in entries(tx, world)] == ["r0"]
        assert (the_set(tx, "r").state, results.get(tx, "r0").seed) == ("done", seed("r"))
        assert broken(tx) == []


# Planning


def test_what_is_no_set_is_refused(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        for entrants in [(0,), (1, 1)]:
            with pytest.raises(Invalid):
                sets.plan_sets(tx, [new_set(world, "s", entrants)])
        apart = new_set(world, "s", (0, 1)).tables
        split = (apart[0], SetSeating(new_table(world, "x", seats=world.players[1:2]), world.players[1]))
        with pytest.raises(Invalid):
            sets.plan_sets(tx, [sets.NewSet("s", world.ladder_id, None, split)])
        assert sets.find(tx, "s") is None


def test_a_ladder_says_once_how_its_sets_are_made(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        assert sets.find_rule(tx, world.ladder_id) is None
        for _ in range(2):
            assert sets.ensure_rule(tx, world.ladder_id, Rule(4, 3)) == Rule(4, 3)
        with pytest.raises(Conflict, match="sets of 4 at tables of 3"):
            sets.ensure_rule(tx, world.ladder_id, Rule(4, 2))
        with pytest.raises(Invalid):
            sets.ensure_rule(tx, world.ladder_id, Rule(7, 2))


def test_records_and_meetings_are_those_of_entrants(database: Database) -> None:
    with database.transaction() as tx:
        world = planned(tx, (0, 1, 2))
        play(tx, "s0", 1)
        tables.void(tx, "s2", "called off")
        found = set_records.records(tx, world.ladder_id, 100)
        ids = [player for player, _ in world.players]
        assert {ids.index(player): (one.games, one.open) for player, one in found.items()} == {
            0: (1, 0),
            1: (0, 1),
        }
        assert set_records.meetings(tx, world.ladder_id, 100) == [tuple(ids[:3])]
        assert set_records.open_sets(tx) == {world.ladder_id: 1}
