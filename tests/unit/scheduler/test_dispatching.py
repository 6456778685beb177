"""How what is due travels."""

import time

from scheduler.dispatching import Message, messages, take_due
from scheduler.ladders import enter_house, open_ladder
from scheduler.settings import read
from scheduler.tables import plan_tables
from storage import jobs, ladders
from storage.database import Database
from storage.tables import DueTable
from tests.fixtures.stack import ROSTER

PLAY, REMOTE, FOLLOW = "mamenoki.play_batch", "mamenoki.play_remote", "mamenoki.follow_up"


def due(id: str, *kinds: str, attempt: int = 0) -> DueTable:
    return DueTable(id, attempt, kinds, 0)


def test_house_tables_fill_batches() -> None:
    many = [due(f"t{number}", "house", "house") for number in range(5)]
    assert messages(many, 2) == [
        Message(PLAY, ("t0", "t1")),
        Message(PLAY, ("t2", "t3")),
        Message(PLAY, ("t4",)),
    ]


def test_a_table_that_failed_before_travels_alone() -> None:
    sent = messages(
        [due("a", "house"), due("b", "house", attempt=1), due("c", "house"), due("d", "house", attempt=2)],
        100,
    )
    assert sent == [Message(PLAY, ("a", "c")), Message(PLAY, ("b",)), Message(PLAY, ("d",))]


def test_remote_players_are_asked_for_apart() -> None:
    sent = messages([due("a", "remote", "remote"), due("b", "house", "remote"), due("c", "house")], 100)
    assert sent == [Message(PLAY, ("c",)), Message(REMOTE, ("a", "b"))]


def plan(database: Database, count: int) -> list[str]:
    with database.transaction() as tx:
        ladder = open_ladder(tx, "mushi")
        enter_house(tx, ladder, ROSTER[:2])
        seats = [(one.player_id, one.version_id) for one in ladders.entrants(tx, ladder.id)]
        return plan_tables(tx, ladder, [seats] * count)


def test_what_is_sent_is_held_back_until_it_was_not_heard_of(database: Database) -> None:
    ids = plan(database, 5)
    with database.transaction() as tx:
        jobs.add(tx, jobs.FOLD, 1)
    settings = read(batch=3)
    sent = take_due(database, settings, {})
    assert [message.task for message in sent] == [PLAY, PLAY, FOLLOW]
    assert [id for message in sent[:2] for id in message.ids] == ids
    assert take_due(database, settings, {}) == []
    deadline = time.monotonic() + 10
    while not (again := take_due(database, read(batch=3, resend_ms=100), {})):
        assert time.monotonic() < deadline
    assert again == sent


def test_a_long_queue_is_not_made_longer(database: Database) -> None:
    plan(database, 5)
    settings = read(batch=2, queued_most=2)
    assert take_due(database, settings, {"play": 2}) == []
    assert take_due(database, settings, {"control": 9}) == []
    assert [len(message.ids) for message in take_due(database, settings, {"play": 1})] == [2]


def test_tables_with_uploaded_bots_go_alone_to_where_they_can_be_shut_in(database: Database) -> None:
    sent = messages([due("a", "uploaded", "house"), due("b", "remote", "uploaded"), due("c", "house")], 100)
    assert [(message.task, message.ids) for message in sent] == [
        ("mamenoki.play_batch", ("c",)),
        ("mamenoki.play_uploaded", ("a",)),
        ("mamenoki.play_uploaded", ("b",)),
    ]
