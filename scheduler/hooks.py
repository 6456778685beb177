"""Use cases of webhooks: registering them, and telling them of results.

A call is one JSON object: ``delivery`` (its id, the same however often it is sent), ``subject``, ``kind`` (``results`` or
``test``) and ``results``, each with its table, ladder, game, end and seats. See docs/webhooks.md.
"""

import socket
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from scheduler.domain.hooks import HookError, Network, check_url, is_allowed, networks, pause_s, sign
from scheduler.posting import Answer, post
from scheduler.settings import SchedulerSettings
from service.logging import get
from storage import actions, deliveries, jobs, ladders, leagues, results, webhooks
from storage.database import Database, Transaction
from storage.deliveries import Call, Rest
from storage.errors import Invalid
from storage.results import PlayedRow
from storage.webhooks import BOTS, HookRow

SPARE_MS = 20_000
"""What a call may take beyond its time, for the name's look-up and for our database."""
SIGNATURE, DELIVERY = "Mamenoki-Signature", "Mamenoki-Delivery"
Post = Callable[[str, Mapping[str, str], bytes, Sequence[Network], float], Answer]
_log = get("scheduler")


def add(
    tx: Transaction, owner_id: int, subject: str, url: str, exceptions: Sequence[Network]
) -> tuple[HookRow, bool]:
    """The owner's webhook, and whether it is new. ``subject``: ``bots``, ``league NAME`` or ``ladder NAME``.

    Invalid for a URL or subject that will not do, NotFound for a league or ladder that is not there.
    """
    try:
        host, _, _ = check_url(url)
    except HookError as error:
        raise Invalid(str(error)) from error
    if _is_address(host) and not is_allowed(host, exceptions):
        raise Invalid(f"{host} is no public address; only those are called")
    return webhooks.add(tx, owner_id, _stored(tx, subject), url)


def told_subject(tx: Transaction, stored: str) -> str:
    """A stored subject in the words in which it is asked for."""
    kind, _, number = stored.partition("/")
    if kind == BOTS:
        return BOTS
    name = (
        leagues.get_league(tx, int(number)).name
        if kind == "league"
        else ladders.get_ladder(tx, int(number)).name
    )
    return f"{kind} {name}"


def try_now(tx: Transaction, hook_id: int) -> str:
    """Calls a webhook as soon as may be, with a test if nothing else waits; one that was disabled works again.
    The delivery's id."""
    webhooks.enable(tx, hook_id)
    id = deliveries.probe(tx, hook_id)
    jobs.add(tx, jobs.WEBHOOK, hook_id)
    return id


def call(database: Database, settings: SchedulerSettings, job_id: int, send: Post = post) -> Answer | None:
    """Does a webhook's job: one call of it, if one is due. None if there was nothing to be called now.

    Safe twice, and at the same time: a webhook that is being called is not called by another. A call whose
    caller dies is sent again, so that a receiver may get it twice, under one id.
    """
    taken = _begin(database, settings, job_id)
    if taken is None:
        return None
    body = _body(database, taken)
    seconds = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "mamenoki",
        DELIVERY: taken.delivery.id,
        SIGNATURE: sign(taken.hook.secret, seconds, body),
    }
    answer = send(
        taken.hook.url, headers, body, networks(settings.webhook_networks), settings.webhook_ms / 1000
    )
    _end(database, job_id, taken, answer)
    return answer


def _begin(database: Database, settings: SchedulerSettings, job_id: int) -> Call | None:
    with database.transaction() as tx:
        job = jobs.find(tx, job_id)
        if job is None:
            return None
        step = deliveries.begin(tx, int(job.key), settings.webhook_ms + SPARE_MS)
        if isinstance(step, Rest) and not step.busy:  # else whoever calls it now ends the job
            jobs.delete(tx, job_id)
            if step.next_at is not None:
                jobs.add(tx, jobs.WEBHOOK, job.key, step.next_at)
        return step if isinstance(step, Call) else None


def _end(database: Database, job_id: int, taken: Call, answer: Answer) -> None:
    """Writes down how it went; a webhook that has failed for the last time is disabled."""
    hook, pause = taken.hook, pause_s(taken.delivery.attempts)
    with database.transaction() as tx:
        retry_in_ms = None if pause is None else 1_000 * pause
        deliveries.end(
            tx, taken, status=answer.status, detail=answer.detail, ok=answer.ok, retry_in_ms=retry_in_ms
        )
        if not answer.ok and pause is None:
            why = f"{taken.delivery.attempts} tries of delivery {taken.delivery.id} failed; the last: {answer.detail}"
            webhooks.disable(tx, hook.id, why)
            actions.record(tx, "webhooks", "webhook disable", str(hook.id), of=hook.subject)
        jobs.delete(tx, job_id)
        next_at = deliveries.next_at(tx, hook.id)
        if next_at is not None:
            jobs.add(tx, jobs.WEBHOOK, hook.id, next_at)
    said = {"id": hook.id, "delivery": taken.delivery.id, "status": answer.status, "why": answer.detail}
    if answer.ok:
        _log.info("webhook_called", **said)
    else:
        _log.warning("webhook_failed" if pause is not None else "webhook_disabled", **said)


def _body(database: Database, taken: Call) -> bytes:
    with database.reading() as tx:
        rows = results.of_tables(tx, taken.delivery.tables)
        subject = told_subject(tx, taken.hook.subject)
    return orjson.dumps(
        {
            "delivery": taken.delivery.id,
            "webhook": taken.hook.id,
            "subject": subject,
            "kind": "results" if taken.delivery.tables else "test",
            "results": [_result(row) for row in rows],
        }
    )


def _result(row: PlayedRow) -> dict[str, Any]:
    """``place`` counts from 1; None where a table is all one ``entrant``'s."""
    return {
        "table": row.table_id,
        "ladder": row.ladder,
        "game": f"{row.game}/{row.variant}",
        "ended_at": datetime.fromtimestamp(row.ended_at / 1000, UTC).isoformat(timespec="milliseconds"),
        "end": row.end,
        "moves": row.moves,
        "entrant": None if row.entrant is None else row.entrant.full_name,
        "seats": [
            {
                "player": player,
                "place": row.placements[seat] + 1 if row.entrant is None else None,
                "score": row.scores[seat],
                "forfeit": row.forfeits.get(seat),
            }
            for seat, player in enumerate(row.players)
        ],
    }


def _stored(tx: Transaction, subject: str) -> str:
    kind, _, name = subject.partition(" ")
    if subject == BOTS:
        return BOTS
    if kind == "league" and name:
        return webhooks.league_subject(leagues.find_league(tx, name).id)
    if kind == "ladder" and name:
        return webhooks.ladder_subject(ladders.find_ladder(tx, name).id)
    raise Invalid(f"a webhook's subject is bots, 'league NAME' or 'ladder NAME', not {subject!r}")


def _is_address(host: str) -> bool:
    """Whether the system would take it for an address, in whatever writing, and look up no name."""
    try:
        socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return True
