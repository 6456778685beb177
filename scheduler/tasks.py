"""The tasks: each one use case, safe to run twice, with ids for arguments."""

import asyncio
from collections.abc import Sequence
from typing import Any

from scheduler import auditing, hooks, metrics, periodic
from scheduler.app import app
from scheduler.dispatching import take_due
from scheduler.playing import Report, play
from scheduler.runtime import Runtime, current
from scheduler.sandbox import room
from service.logging import get

_log = get("scheduler")


@app.task(name="mamenoki.play_batch", bind=True)
def play_batch(self: Any, ids: list[str]) -> None:
    """Plays tables to their ends. The message's own id asks, so that a redelivered one goes on
    with the matches that its dead predecessor had started."""
    _play(self.request.id, ids)


@app.task(name="mamenoki.play_uploaded", bind=True)
def play_uploaded(self: Any, ids: list[str]) -> None:
    """Plays tables with uploaded bots, if this machine has room for one more. What is not played now
    is sent again."""
    runtime = current()
    if runtime.runner is None:
        _log.warning("no_sandbox", tables=ids)
        return
    with room(runtime.settings) as is_free:
        if is_free:
            _play(self.request.id, ids)
        else:
            _log.info("no_room_for_uploaded", tables=ids)


@app.task(name="mamenoki.play_remote", bind=True)
def play_remote(self: Any, ids: list[str]) -> None:
    """Begins tables with remote players, each for itself, and does not wait for them: a player may
    take its time, or never come. Tables that find no room are sent again."""
    runtime = current()
    room = max(0, runtime.settings.remote_most - runtime.beside)
    for id in ids[:room]:
        runtime.begin(_play_beside(runtime, id, self.request.id), runtime.settings.play_wall_ms / 1000)
    if len(ids) > room:
        _log.warning("no_room_for_remote", tables=len(ids) - room, beside=runtime.beside)


@app.task(name="mamenoki.follow_up")
def follow_up(ids: list[int]) -> None:
    """Does jobs; one that fails stays for the dispatcher, and the others are done."""
    failed: list[Exception] = []
    for job_id in ids:
        try:
            periodic.follow_up(current().database, job_id)
        except Exception as error:  # noqa: BLE001  raised below, when the others have had their turn
            failed.append(error)
    if failed:
        raise ExceptionGroup(f"{len(failed)} of {len(ids)} jobs failed", failed)


@app.task(name="mamenoki.call_webhooks")
def call_webhooks(ids: list[int]) -> None:
    """Calls webhooks, each for itself, and does not wait for them: whoever is called may take its time. What finds
    no room is sent again."""
    runtime = current()
    room = max(0, runtime.settings.remote_most - runtime.beside)
    seconds = (runtime.settings.webhook_ms + hooks.SPARE_MS) / 1000
    for id in ids[:room]:
        runtime.begin(asyncio.to_thread(_call, runtime, id), seconds)
    if len(ids) > room:
        _log.warning("no_room_for_webhooks", jobs=len(ids) - room, beside=runtime.beside)


@app.task(name="mamenoki.dispatch")
def dispatch() -> None:
    """Sends what is due."""
    runtime = current()
    if runtime.may_tick("dispatch", runtime.settings.tick_ms):
        runtime.forget_ticks()
        _dispatch()


@app.task(name="mamenoki.plan_ladders")
def plan_ladders() -> None:
    """Plans the ladders' next tables and sends them."""
    runtime = current()
    if not runtime.may_tick("plan_ladders", runtime.settings.plan_ms):
        return
    if periodic.plan_ladders(runtime.database, runtime.settings, runtime.present()):
        _dispatch()


@app.task(name="mamenoki.open_rounds")
def open_rounds() -> None:
    """Opens the league rounds that are due and sends their tables."""
    runtime = current()
    if runtime.may_tick("open_rounds", runtime.settings.tick_ms) and periodic.open_rounds(runtime.database):
        _dispatch()


@app.task(name="mamenoki.end_no_shows")
def end_no_shows() -> None:
    """Ends tables of events that wait for somebody who does not come, and sends what follows."""
    runtime = current()
    if not runtime.may_tick("end_no_shows", runtime.settings.plan_ms):
        return
    present = runtime.known_present()
    if present is not None and periodic.end_no_shows(runtime.database, present):
        _dispatch()


@app.task(name="mamenoki.try_uploads")
def try_uploads() -> None:
    """Ends and begins the trials of uploaded versions, and sends their tables."""
    runtime = current()
    if runtime.may_tick("try_uploads", runtime.settings.plan_ms) and periodic.try_uploads(
        runtime.database, runtime.settings
    ):
        _dispatch()


@app.task(name="mamenoki.tidy")
def tidy() -> None:
    """Housekeeping."""
    runtime = current()
    if runtime.may_tick("tidy", runtime.settings.housekeeping_ms):
        periodic.tidy(runtime.database, runtime.settings)


@app.task(name="mamenoki.audit")
def audit() -> None:
    """Looks at every promise of the data, once a window."""
    runtime = current()
    if runtime.may_tick("audit", runtime.settings.housekeeping_ms):
        auditing.audit_nightly(runtime.database, runtime.settings)


def _dispatch() -> None:
    runtime = current()
    for message in take_due(runtime.database, runtime.settings, runtime.queued()):
        metrics.SENT.labels(message.task).inc(len(message.ids))
        _send(message.task, message.ids)
        _log.info("sent", task=message.task, **{_kind(message.task): message.ids})


def _call(runtime: Runtime, job_id: int) -> None:
    hooks.call(runtime.database, runtime.settings, job_id)


def _kind(task: str) -> str:
    """What a message's ids are."""
    return "jobs" if task in (follow_up.name, call_webhooks.name) else "tables"


async def _play_beside(runtime: Runtime, id: str, caller: str) -> None:
    report = await play(runtime, [id], caller)
    metrics.count_answers(report)
    _told(report)


def _play(caller: str, ids: list[str]) -> None:
    runtime = current()
    report = runtime.run(play(runtime, ids, caller))
    metrics.count_answers(report)
    metrics.PLAY_SECONDS.inc(report.seconds)
    _told(report)


def _told(report: Report) -> None:
    _log.info(
        "played",
        outcomes=dict(report.outcomes),
        seats=dict(report.seats),
        moves=report.moves,
        seconds=round(report.seconds, 3),
        away=report.away,
        fault=report.fault,
    )


def _send(task: str, ids: Sequence[str | int]) -> None:
    """Not retried here: what is not sent is due again soon."""
    app.tasks[task].apply_async((list(ids),), retry=False)
