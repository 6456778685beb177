"""Calls of webhooks: one at a time for each, in order, tried again until somebody answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from .database import now_ms
from .new_tables import new_ids
from .schema import Webhook, WebhookDelivery, WebhookItem
from .webhooks import ACTIVE, HookRow, get

WAITING, DELIVERED, FAILED = "waiting", "delivered", "failed"
RESULTS = 100
"""Of one call."""
KEPT = 100
"""Calls of a webhook that can be looked at."""


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """``tables``: whose results it tells; none: a test. ``status``: HTTP's of the last answer, None without one;
    ``detail``: how the last try ended; times are ms since 1970."""

    id: str
    webhook_id: int
    tables: tuple[str, ...]
    state: str
    attempts: int
    status: int | None
    detail: str
    created_at: int
    next_at: int
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class Call:
    """What is to be sent now, and to whom; nobody else sends it before ``busy_ms`` are over."""

    hook: HookRow
    delivery: DeliveryRow


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing is to be sent now. ``next_at``: when something is; None: not before something happens."""

    next_at: int | None
    busy: bool = False


def begin(tx: Session, hook_id: int, busy_ms: int) -> Call | Rest:
    """Takes what is to be sent to a webhook next: the call that waits, else a new one of what has been noted."""
    statement = select(Webhook).where(Webhook.id == hook_id).with_for_update(key_share=True)
    hook = tx.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()
    if hook is None or hook.state != ACTIVE:
        return Rest(None)
    now = now_ms(tx)
    if hook.busy_until > now:
        return Rest(hook.busy_until, busy=True)
    row = _waiting(tx, hook_id) or _new(tx, hook_id, now)
    if row is None or row.next_at > now:
        return Rest(None if row is None else row.next_at)
    hook.busy_until = now + busy_ms
    row.attempts += 1
    tx.flush()
    return Call(get(tx, hook_id), _row(row))


def end(
    tx: Session, call: Call, *, status: int | None, detail: str, ok: bool, retry_in_ms: int | None
) -> None:
    """Says how a try ended, and frees the webhook. ``retry_in_ms`` None: it is not tried again."""
    now = now_ms(tx)
    state = DELIVERED if ok else WAITING if retry_in_ms is not None else FAILED
    where = (WebhookDelivery.id == call.delivery.id, WebhookDelivery.state == WAITING)
    values = {
        "state": state,
        "status": status,
        "detail": detail,
        "next_at": now + (retry_in_ms or 0),
        "ended_at": None if state == WAITING else now,
    }
    tx.execute(update(WebhookDelivery).where(*where).values(**values))
    tx.execute(update(Webhook).where(Webhook.id == call.hook.id).values(busy_until=0))
    if state != WAITING:
        _forget(tx, call.hook.id)


def probe(tx: Session, hook_id: int) -> str:
    """A call that tells nothing, to be sent before all that is noted; where one waits already, that one is
    due now. Its id."""
    now = now_ms(tx)
    waiting = _waiting(tx, hook_id) or _insert(tx, hook_id, [], now)
    waiting.next_at = now
    tx.flush()
    return waiting.id


def next_at(tx: Session, hook_id: int) -> int | None:
    """When something is to be sent, ms since 1970, 0: now; None: nothing is."""
    waiting = _waiting(tx, hook_id)
    if waiting is not None:
        return waiting.next_at
    noted = select(WebhookItem.table_id).where(WebhookItem.webhook_id == hook_id).limit(1)
    return 0 if tx.execute(noted).first() is not None else None


def recent(tx: Session, hook_id: int, before: str | None, limit: int) -> list[DeliveryRow]:
    """A webhook's calls, newest first; ``before``: older than that one."""
    statement = select(WebhookDelivery).where(WebhookDelivery.webhook_id == hook_id)
    if before is not None:
        statement = statement.where(WebhookDelivery.id < before)
    rows = tx.execute(statement.order_by(WebhookDelivery.id.desc()).limit(limit)).scalars()
    return [_row(row) for row in rows]


def _waiting(tx: Session, hook_id: int) -> WebhookDelivery | None:
    """The one that waits."""
    where = (WebhookDelivery.webhook_id == hook_id, WebhookDelivery.state == WAITING)
    first = select(WebhookDelivery).where(*where).order_by(WebhookDelivery.id).limit(1)
    return tx.execute(first.execution_options(populate_existing=True)).scalar_one_or_none()


def _new(tx: Session, hook_id: int, now: int) -> WebhookDelivery | None:
    noted = select(WebhookItem.table_id).where(WebhookItem.webhook_id == hook_id)
    ids = tx.execute(noted.order_by(WebhookItem.table_id).limit(RESULTS)).scalars().all()
    if not ids:
        return None
    tx.execute(delete(WebhookItem).where(WebhookItem.webhook_id == hook_id, WebhookItem.table_id.in_(ids)))
    return _insert(tx, hook_id, ids, now)


def _insert(tx: Session, hook_id: int, tables: Sequence[str], now: int) -> WebhookDelivery:
    row = WebhookDelivery(
        id=new_ids(now, 1)[0],
        webhook_id=hook_id,
        tables=list(tables),
        state=WAITING,
        attempts=0,
        detail="",
        created_at=now,
        next_at=now,
    )
    tx.add(row)
    tx.flush()
    return row


def _forget(tx: Session, hook_id: int) -> None:
    """Lets go of all but the latest calls."""
    kept = recent(tx, hook_id, None, KEPT)
    if len(kept) == KEPT:
        older = (WebhookDelivery.webhook_id == hook_id, WebhookDelivery.id < kept[-1].id)
        tx.execute(delete(WebhookDelivery).where(*older, WebhookDelivery.state != WAITING))


def _row(row: WebhookDelivery) -> DeliveryRow:
    return DeliveryRow(
        row.id,
        row.webhook_id,
        tuple(row.tables),
        row.state,
        row.attempts,
        row.status,
        row.detail,
        row.created_at,
        row.next_at,
        row.ended_at,
    )
