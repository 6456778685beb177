"""The dispatcher: what is due in the database becomes messages; what was sent and not heard of, again.

Any number may run at once: a table that is sent twice is claimed once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scheduler.app import CONTROL, PLAY, SANDBOX
from scheduler.ladders import OURS
from scheduler.settings import SchedulerSettings
from storage import jobs, tables
from storage.database import Database
from storage.submissions import UPLOADED
from storage.tables import DueTable

REMOTE_BATCH = 32
"""Tables with remote players in one message, which begins them and does not wait for them."""
JOBS_BATCH = 50


@dataclass(frozen=True, slots=True)
class Message:
    """One task to send: its name and its ids."""

    task: str
    ids: tuple[str | int, ...]


def take_due(database: Database, settings: SchedulerSettings, queued: Mapping[str, int]) -> list[Message]:
    """The messages to send now; what they name is held back for ``resend_ms``.

    ``queued``: messages in each queue. A queue that is long already is not made longer: what
    waits there has been sent, however long ago.
    """
    if not _anything_due(database, settings):
        return []
    room = settings.queued_most - max(queued.get(PLAY, 0), queued.get(CONTROL, 0))
    if room <= 0:
        return []
    with database.transaction() as tx:
        due = tables.due(tx, room * settings.batch, settings.resend_ms)
        if queued.get(SANDBOX, 0) >= settings.queued_most:  # it may be that no worker can shut bots in
            due = [table for table in due if UPLOADED not in table.kinds]
        follow = jobs.due(tx, room * JOBS_BATCH, settings.resend_ms)
        tables.mark_sent(tx, [table.id for table in due])
        jobs.mark_sent(tx, [job.id for job in follow])
    return [
        *messages(due, settings.batch),
        *_cut("mamenoki.follow_up", [job.id for job in follow if job.kind != jobs.WEBHOOK], JOBS_BATCH),
        *_cut("mamenoki.call_webhooks", [job.id for job in follow if job.kind == jobs.WEBHOOK], JOBS_BATCH),
    ]


def messages(due: Iterable[DueTable], batch: int) -> list[Message]:
    """How tables travel: with an uploaded bot each alone, to workers that can shut it in; house seats only in full batches on the play queue; with a remote player on
    the control queue, where nobody waits for them; and alone from the second try on, so that one
    table that brings its worker down does not take others with it."""
    alone, ours, remote, uploaded = [], [], [], []
    for table in due:
        if UPLOADED in table.kinds:
            uploaded.append(table.id)
        elif not set(table.kinds) <= OURS:
            remote.append(table.id)
        elif table.attempt:
            alone.append(table.id)
        else:
            ours.append(table.id)
    return [
        *_cut("mamenoki.play_batch", ours, batch),
        *_cut("mamenoki.play_batch", alone, 1),
        *_cut("mamenoki.play_uploaded", uploaded, 1),
        *_cut("mamenoki.play_remote", remote, REMOTE_BATCH),
    ]


def _anything_due(database: Database, settings: SchedulerSettings) -> bool:
    """Looked up without a writer's lock: most ticks find nothing."""
    with database.reading() as tx:
        return bool(tables.due(tx, 1, settings.resend_ms) or jobs.due(tx, 1, settings.resend_ms))


def _cut(task: str, ids: Sequence[str | int], size: int) -> list[Message]:
    return [Message(task, tuple(ids[start : start + size])) for start in range(0, len(ids), size)]
