"""Webhooks and their calls, over both databases."""

import pytest

from storage import deliveries, identity, jobs, ladders, leagues, tables, webhooks
from storage.database import Database, Transaction, now_ms
from storage.deliveries import DELIVERED, FAILED, Call, Rest
from storage.errors import Full, NotFound
from storage.webhooks import BOTS, HookRow
from tests.fixtures.records import CONFIG, World, claimed, finished, make_world, plan, race

URL = "https://example.org/hook"
BUSY_MS = 60_000


def owner(tx: Transaction, name: str = "ann") -> int:
    return identity.ensure_owner(tx, name)


def play(tx: Transaction, world: World, *ids: str, **changes: object) -> None:
    plan(tx, world, *ids, **changes)
    tables.finish(tx, [finished(id, claimed(tx, id).fence) for id in ids])


def hook_of(tx: Transaction, subject: str, who: str = "ann") -> HookRow:
    return webhooks.add(tx, owner(tx, who), subject, URL)[0]


def waiting_jobs(tx: Transaction) -> list[str]:
    return [job.key for job in jobs.due(tx, 100, 0) if job.kind == jobs.WEBHOOK]


def call(tx: Transaction, hook: HookRow) -> Call:
    step = deliveries.begin(tx, hook.id, BUSY_MS)
    assert isinstance(step, Call)
    return step


def test_a_webhook_is_made_once_and_shown_whole(database: Database) -> None:
    with database.transaction() as tx:
        made, is_new = webhooks.add(tx, owner(tx), BOTS, URL)
        again, is_new_again = webhooks.add(tx, owner(tx), BOTS, URL)
        other, _ = webhooks.add(tx, owner(tx, "bob"), BOTS, URL)
    assert (is_new, is_new_again) == (True, False)
    assert made == again
    assert made.secret.startswith("whs_")
    assert len(made.secret) >= 40
    assert made.secret not in repr(made)
    assert other.secret != made.secret
    with database.reading() as tx:
        assert webhooks.of_owner(tx, owner_id=made.owner_id, after=0, limit=9) == [made]
        assert webhooks.states(tx) == {"active": 2}
        with pytest.raises(NotFound, match="there is no webhook 99"):
            webhooks.get(tx, 99)


def test_an_owner_has_so_many(database: Database) -> None:
    with database.transaction() as tx:
        rows = [webhooks.add(tx, owner(tx), BOTS, f"{URL}/{number}")[0] for number in range(webhooks.MOST)]
    with pytest.raises(Full, match="20 webhooks at most"), database.transaction() as tx:
        webhooks.add(tx, owner(tx), BOTS, f"{URL}/one-more")
    with database.transaction() as tx:
        assert webhooks.remove(tx, rows[0].id)
        assert not webhooks.remove(tx, rows[0].id)
        assert webhooks.add(tx, owner(tx), BOTS, f"{URL}/one-more")[1]
        pages = (
            webhooks.of_owner(tx, rows[0].owner_id, 0, 5),
            webhooks.of_owner(tx, rows[0].owner_id, rows[5].id, 99),
        )
    assert [row.id for row in pages[0]] == [row.id for row in rows[1:6]]
    assert len(pages[1]) == 15


def test_one_that_was_removed_comes_back_with_another_secret(database: Database) -> None:
    with database.transaction() as tx:
        first = hook_of(tx, BOTS)
        webhooks.remove(tx, first.id)
        assert webhooks.get(tx, first.id).secret == ""
        second, is_new = webhooks.add(tx, owner(tx), BOTS, URL)
    assert is_new
    assert second.secret not in ("", first.secret)


def test_each_is_told_of_what_it_asked_for_and_of_nothing_else(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        league = leagues.ensure_league(
            tx,
            "evenings",
            world.ladder_id,
            cron="0 18 * * *",
            zone="UTC",
            seats=4,
            tables_each=1,
            rounds=9,
            clock={},
        )
        opened = leagues.open_round(tx, leagues.open_season(tx, league.id).id, 1)
        assert opened is not None
        other = ladders.ensure_ladder(tx, "other", "mushi", "standard", CONFIG)
        mine = identity.ensure_player(tx, owner(tx), "bot", "remote")
        version = identity.ensure_version(tx, mine.id, "1").id
        hooks = {
            "league": hook_of(tx, webhooks.league_subject(league.id)),
            "ladder": hook_of(tx, webhooks.ladder_subject(world.ladder_id)),
            "other": hook_of(tx, webhooks.ladder_subject(other.id)),
            "bots": hook_of(tx, BOTS),
            "bob's": hook_of(tx, BOTS, "bob"),
        }
        play(tx, world, "plain")
        play(tx, world, "round", round_id=opened.id)
        play(tx, world, "mine", seats=((mine.id, version), *world.players[1:]))
        play(tx, world, "unrated", rated=False, seats=((mine.id, version), *world.players[1:]))
        plan(tx, world, "void")
        tables.void(tx, "void", "called off")
        told = {name: hook.id for name, hook in hooks.items()}
        found = {name: call_of(tx, hook) for name, hook in hooks.items()}
    assert found == {
        "league": ("round",),
        "ladder": ("mine", "plain", "round"),
        "other": (),
        "bots": ("mine",),
        "bob's": (),
    }
    with database.reading() as tx:
        assert sorted(waiting_jobs(tx)) == sorted(str(told[name]) for name in ("league", "ladder", "bots"))


def call_of(tx: Transaction, hook: HookRow) -> tuple[str, ...]:
    step = deliveries.begin(tx, hook.id, BUSY_MS)
    return step.delivery.tables if isinstance(step, Call) else ()


def test_results_finished_twice_are_told_once(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        hook = hook_of(tx, webhooks.ladder_subject(world.ladder_id))
        plan(tx, world, "t1")
        fence = claimed(tx, "t1").fence
        assert tables.finish(tx, [finished("t1", fence)]) == ["done"]
        assert tables.finish(tx, [finished("t1", fence)]) == ["already"]
        assert webhooks.get(tx, hook.id).waiting == 1


def test_calls_come_one_at_a_time_in_order_and_no_longer_than_may_be(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "RESULTS", 2)
    with database.transaction() as tx:
        world = make_world(tx)
        hook = hook_of(tx, webhooks.ladder_subject(world.ladder_id))
        play(tx, world, "t1", "t2", "t3")
        first = call(tx, hook)
        assert first.delivery.tables == ("t1", "t2")
        busy = deliveries.begin(tx, hook.id, BUSY_MS)
        assert isinstance(busy, Rest)
        assert busy.busy
        deliveries.end(tx, first, status=200, detail="HTTP 200", ok=True, retry_in_ms=10_000)
        second = call(tx, hook)
        assert second.delivery.tables == ("t3",)
        deliveries.end(tx, second, status=500, detail="HTTP 500", ok=False, retry_in_ms=10_000)
        rest = deliveries.begin(tx, hook.id, BUSY_MS)
        assert isinstance(rest, Rest)
        assert not rest.busy
        assert rest.next_at == deliveries.next_at(tx, hook.id)
        assert 0 < (rest.next_at or 0) - now_ms(tx) <= 10_000
        newest, oldest = deliveries.recent(tx, hook.id, None, 9)
    assert (oldest.state, oldest.status, oldest.attempts) == (DELIVERED, 200, 1)
    assert (newest.state, newest.detail, newest.ended_at) == ("waiting", "HTTP 500", None)


def test_a_caller_that_died_is_followed_by_another_with_the_same_call(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        hook = hook_of(tx, webhooks.ladder_subject(world.ladder_id))
        play(tx, world, "t1")
        step = deliveries.begin(tx, hook.id, 0)  # busy for no time
        assert isinstance(step, Call)
        again = call(tx, hook)
    assert (again.delivery.id, again.delivery.tables, again.delivery.attempts) == (
        step.delivery.id,
        ("t1",),
        2,
    )


def test_of_many_at_once_one_calls(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        hook = hook_of(tx, webhooks.ladder_subject(world.ladder_id))
        play(tx, world, "t1")
    steps = race(database, 4, lambda tx: deliveries.begin(tx, hook.id, BUSY_MS))
    assert sum(isinstance(step, Call) for step in steps) == 1
    assert all(step.busy for step in steps if isinstance(step, Rest))


def test_who_is_disabled_is_told_nothing_until_it_is_enabled(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        hook = hook_of(tx, webhooks.ladder_subject(world.ladder_id))
        play(tx, world, "t1")
        taken = call(tx, hook)
        play(tx, world, "t2")
        deliveries.end(tx, taken, status=None, detail="no connection", ok=False, retry_in_ms=None)
        webhooks.disable(tx, hook.id, "seven tries failed")
        play(tx, world, "t3")
        asleep = webhooks.get(tx, hook.id)
        assert (asleep.state, asleep.reason, asleep.waiting) == ("disabled", "seven tries failed", 0)
        assert deliveries.begin(tx, hook.id, BUSY_MS) == Rest(None)
        assert [one.state for one in deliveries.recent(tx, hook.id, None, 9)] == [FAILED]
        webhooks.enable(tx, hook.id)
        play(tx, world, "t4")
        assert call(tx, hook).delivery.tables == ("t4",)
        assert webhooks.get(tx, hook.id).reason == ""


def test_a_test_tells_nothing_and_hurries_what_waits(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        hook = hook_of(tx, webhooks.ladder_subject(world.ladder_id))
        id = deliveries.probe(tx, hook.id)
        assert deliveries.probe(tx, hook.id) == id
        taken = call(tx, hook)
        assert (taken.delivery.id, taken.delivery.tables) == (id, ())
        deliveries.end(tx, taken, status=500, detail="", ok=False, retry_in_ms=3_600_000)
        assert isinstance(deliveries.begin(tx, hook.id, BUSY_MS), Rest)
        assert deliveries.probe(tx, hook.id) == id
        assert call(tx, hook).delivery.attempts == 2


def test_only_the_latest_calls_are_kept(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "KEPT", 3)
    with database.transaction() as tx:
        hook = hook_of(tx, BOTS)
        ids = []
        for _ in range(5):
            ids.append(deliveries.probe(tx, hook.id))
            deliveries.end(tx, call(tx, hook), status=200, detail="", ok=True, retry_in_ms=None)
        kept = [one.id for one in deliveries.recent(tx, hook.id, None, 9)]
        assert sorted(kept) == sorted(ids)[-3:]
        assert [one.id for one in deliveries.recent(tx, hook.id, kept[0], 1)] == [kept[1]]


def test_a_removed_one_is_told_nothing_more(database: Database) -> None:
    with database.transaction() as tx:
        world = make_world(tx)
        hook = hook_of(tx, webhooks.ladder_subject(world.ladder_id))
        play(tx, world, "t1")
        taken = call(tx, hook)
        webhooks.remove(tx, hook.id)
        deliveries.end(tx, taken, status=200, detail="", ok=True, retry_in_ms=None)  # it was on its way
        play(tx, world, "t2")
        assert deliveries.begin(tx, hook.id, BUSY_MS) == Rest(None)
        assert deliveries.recent(tx, hook.id, None, 9) == []
        assert webhooks.states(tx) == {}
