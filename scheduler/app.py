"""The Celery app: wake-ups through Redis. What is to be done stands in the database; messages carry ids.

A message may be lost, late or delivered many times, and every task is safe under all three.
"""

import time
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from celery import Celery, signals

from scheduler import broker
from scheduler.settings import SchedulerSettings, read

PREFIX = "mamenoki:"
PLAY, CONTROL, SANDBOX, TICKS = "play", "control", "sandbox", "ticks"
"""Batches; what follows from results and what asks for one thing; seats of uploaded bots; what the beat sends.
Ticks have a queue of their own, for they pile up while all workers are busy or away, and say nothing of how
much there is to do."""
QUEUES = (PLAY, CONTROL, SANDBOX, TICKS)
SENT_HEADER = "sent_ms"
GRACE_S = 60  # between the polite end of an overlong task and the hard one


def broker_url(redis_url: str) -> str:
    """The broker's name for a Redis as redis-py names it: ``unix:///path?db=0`` is
    ``redis+socket:///path?virtual_host=0`` there; everything else is the same."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    query = parse_qs(parts.query)
    database = query.get("db", ["0"])[0]
    return f"redis+socket://{quote(unquote(parts.path))}?virtual_host={database}"


def make_app(settings: SchedulerSettings) -> Celery:
    """The app of one process, with its tasks and its beat's timetable."""
    app = Celery("mamenoki", broker=broker_url(settings.redis_url), include=["scheduler.tasks"])
    hard = settings.play_wall_ms // 1000 + GRACE_S
    app.conf.update(
        # Delivery: acknowledged after the work, which is safe twice; a lost child's message comes back.
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_acks_on_failure_or_timeout=True,
        task_ignore_result=True,
        task_track_started=False,
        task_serializer="json",
        accept_content=["json"],
        task_default_queue=CONTROL,
        task_routes={"mamenoki.play_batch": {"queue": PLAY}, "mamenoki.play_uploaded": {"queue": SANDBOX}},
        task_soft_time_limit=settings.play_wall_ms // 1000,
        task_time_limit=hard,
        # The worker: one message a child, none held back.
        worker_concurrency=settings.worker_processes,
        worker_prefetch_multiplier=1,
        worker_disable_prefetch=True,
        worker_max_tasks_per_child=200,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_soft_shutdown_timeout=30,
        worker_enable_soft_shutdown_on_idle=True,
        worker_cancel_long_running_tasks_on_connection_loss=False,  # the lease decides, not a broker's blip
        # The broker: come back whatever happened to it.
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_channel_error_retry=True,
        broker_pool_limit=10,
        broker_transport_options={
            "visibility_timeout": 2 * hard + 60,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_timeout": 10,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
            "health_check_interval": 15,
            "retry_on_timeout": True,
            "queue_order_strategy": "round_robin",  # neither queue starves the other
            "global_keyprefix": PREFIX,
        },
        timezone="UTC",
        beat_scheduler="celery.beat:Scheduler",  # in memory: windows in the database make doubles harmless
        beat_max_loop_interval=1,
        beat_schedule=timetable(settings),
    )
    return app


def timetable(settings: SchedulerSettings) -> dict[str, dict[str, object]]:
    """What the beat sends, and how often."""
    every = {
        "mamenoki.dispatch": settings.tick_ms,
        "mamenoki.plan_ladders": settings.plan_ms,
        "mamenoki.open_rounds": settings.tick_ms,
        "mamenoki.end_no_shows": settings.plan_ms,
        "mamenoki.try_uploads": settings.plan_ms,
        "mamenoki.tidy": settings.housekeeping_ms,
        "mamenoki.audit": settings.housekeeping_ms,
    }
    ticks = {"options": {"queue": TICKS}}
    return {task: {"task": task, "schedule": period / 1000, **ticks} for task, period in every.items()}


@signals.before_task_publish.connect
def stamp(headers: dict[str, Any] | None = None, **_: object) -> None:
    """Every message says when it was sent, so that its wait can be told."""
    if headers is not None:
        headers[SENT_HEADER] = int(time.time() * 1000)


broker.install()
app = make_app(read())
