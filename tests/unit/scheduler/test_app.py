"""The Celery app: its broker's name, its settings, its routes."""

import pytest
from celery.app.defaults import NAMESPACES, flatten

from scheduler import tasks
from scheduler.app import app, broker_url, make_app, timetable
from scheduler.settings import read


@pytest.mark.parametrize(
    ("redis_url", "broker"),
    [
        ("redis://:secret@127.0.0.1:6390/2", "redis://:secret@127.0.0.1:6390/2"),
        ("rediss://host/0", "rediss://host/0"),
        ("unix:///run/valkey.sock", "redis+socket:///run/valkey.sock?virtual_host=0"),
        ("unix:///a%20b/v.sock?db=3", "redis+socket:///a%20b/v.sock?virtual_host=3"),
    ],
)
def test_the_broker_is_the_redis_that_everybody_knows(redis_url: str, broker: str) -> None:
    assert broker_url(redis_url) == broker


def test_every_setting_is_one_that_celery_knows() -> None:
    known = {name for name, _ in flatten(NAMESPACES)}  # type: ignore[str-unpack]  # its stubs say str
    given = {
        name for name in app.conf.changes or {} if name.startswith(("task_", "worker_", "broker_", "beat_"))
    }
    assert len(given) > 20
    assert given <= known


def test_what_plays_waits_apart_and_uploaded_bots_apart_from_that() -> None:
    assert app.conf.task_routes == {
        tasks.play_batch.name: {"queue": "play"},
        tasks.play_uploaded.name: {"queue": "sandbox"},
    }
    assert app.conf.task_default_queue == "control"


def test_the_beat_sends_what_there_is() -> None:
    assert {entry["task"] for entry in timetable(read()).values()} <= set(app.tasks)


def test_ticks_are_not_among_what_there_is_to_do() -> None:
    """A queue that is long holds the dispatcher back; ticks that piled up while workers were away must not."""
    assert all(entry["options"] == {"queue": "ticks"} for entry in timetable(read()).values())


def test_a_message_is_invisible_for_longer_than_any_task_may_take() -> None:
    made = make_app(read(play_wall_ms=5_000))
    hard = made.conf.task_time_limit
    assert made.conf.task_soft_time_limit < hard < made.conf.broker_transport_options["visibility_timeout"]
