"""Webhooks: who wants to be told of which results, and what each is still to be told."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from . import jobs
from .database import now_ms
from .errors import Full, found
from .inserting import insert, insert_new
from .schema import GameTable, LeagueRound, Player, Season, TableSeat, Webhook, WebhookDelivery, WebhookItem

ACTIVE, DISABLED, REMOVED = "active", "disabled", "removed"
MOST = 20
"""Webhooks of one owner."""
PREFIX = "whs_"
BOTS = "bots"
"""The subject of whoever wants the results of its own bots."""


@dataclass(frozen=True, slots=True)
class HookRow:
    """``subject``: see :func:`league_subject` and its like. ``waiting``: results that are still to be told."""

    id: int
    owner_id: int
    subject: str
    url: str
    state: str
    reason: str
    created_at: int
    changed_at: int
    waiting: int
    secret: str = field(repr=False)


def league_subject(league_id: int) -> str:
    return f"league/{league_id}"


def ladder_subject(ladder_id: int) -> str:
    return f"ladder/{ladder_id}"


def add(tx: Session, owner_id: int, subject: str, url: str) -> tuple[HookRow, bool]:
    """The owner's webhook of that subject and URL, and whether it is new; one that was removed is new, with
    a new secret. Full beyond MOST."""
    count = select(func.count()).select_from(Webhook)
    alive = tx.execute(count.where(Webhook.owner_id == owner_id, Webhook.state != REMOVED)).scalar_one()
    where = (Webhook.owner_id == owner_id, Webhook.subject == subject, Webhook.url == url)
    there = tx.execute(select(Webhook.id, Webhook.state).where(*where).with_for_update()).first()
    if there is not None and there.state != REMOVED:
        return get(tx, there.id), False
    if alive >= MOST:
        raise Full(f"an owner has {MOST} webhooks at most; remove one first")
    now = now_ms(tx)
    values = {"state": ACTIVE, "reason": "", "secret": _fresh_secret(), "busy_until": 0, "changed_at": now}
    if there is not None:
        tx.execute(update(Webhook).where(Webhook.id == there.id).values(**values, created_at=now))
        return get(tx, there.id), True
    key = {"owner_id": owner_id, "subject": subject, "url": url}
    is_new = insert_new(tx, Webhook, **key, **values, created_at=now)
    return get(tx, tx.execute(select(Webhook.id).where(*where)).scalar_one()), is_new


def get(tx: Session, hook_id: int) -> HookRow:
    """NotFound if there is none of that id."""
    row = tx.execute(_select().where(Webhook.id == hook_id)).first()
    return HookRow(*found(row, f"there is no webhook {hook_id}"))


def of_owner(tx: Session, owner_id: int, after: int, limit: int) -> list[HookRow]:
    """An owner's webhooks beyond that id, by id; removed ones are gone."""
    where = (Webhook.owner_id == owner_id, Webhook.state != REMOVED, Webhook.id > after)
    return [HookRow(*row) for row in tx.execute(_select().where(*where).order_by(Webhook.id).limit(limit))]


def remove(tx: Session, hook_id: int) -> bool:
    """Ends a webhook, with all that it was still to be told; False if it was gone."""
    alive = update(Webhook).where(Webhook.id == hook_id, Webhook.state != REMOVED)
    gone = tx.execute(
        alive.values(state=REMOVED, secret="", changed_at=now_ms(tx)).returning(Webhook.id)
    ).first()
    tx.execute(delete(WebhookItem).where(WebhookItem.webhook_id == hook_id))
    tx.execute(delete(WebhookDelivery).where(WebhookDelivery.webhook_id == hook_id))
    return gone is not None


def disable(tx: Session, hook_id: int, reason: str) -> None:
    """Tells it nothing more, until somebody enables it; what waits is dropped."""
    alive = update(Webhook).where(Webhook.id == hook_id, Webhook.state == ACTIVE)
    tx.execute(alive.values(state=DISABLED, reason=reason, changed_at=now_ms(tx)))
    tx.execute(delete(WebhookItem).where(WebhookItem.webhook_id == hook_id))


def enable(tx: Session, hook_id: int) -> None:
    """Puts a disabled one back to work; what happened meanwhile it is not told."""
    asleep = update(Webhook).where(Webhook.id == hook_id, Webhook.state == DISABLED)
    tx.execute(asleep.values(state=ACTIVE, reason="", changed_at=now_ms(tx)))


def note_results(tx: Session, table_ids: Sequence[str]) -> None:
    """Notes finished tables for the webhooks that want them, with the jobs that tell them.

    For the transaction that finishes the tables. Unrated ones are nobody's business.
    """
    if not table_ids:
        return
    hooks = tx.execute(
        select(Webhook.id, Webhook.subject, Webhook.owner_id).where(Webhook.state == ACTIVE)
    ).all()
    if not hooks:
        return
    wanted = _subjects(tx, table_ids)
    rows = [
        {"webhook_id": hook.id, "table_id": table_id}
        for hook in sorted(hooks)
        for table_id in wanted.get(hook.subject if hook.subject != BOTS else _bots(hook.owner_id), ())
    ]
    if rows:
        tx.execute(insert(tx, WebhookItem).on_conflict_do_nothing(), rows)
    for hook_id in sorted({row["webhook_id"] for row in rows}):
        jobs.add(tx, jobs.WEBHOOK, hook_id)


def states(tx: Session) -> dict[str, int]:
    """How many webhooks are in each state."""
    counted = select(Webhook.state, func.count()).where(Webhook.state != REMOVED).group_by(Webhook.state)
    return {row[0]: row[1] for row in tx.execute(counted)}


def _subjects(tx: Session, table_ids: Sequence[str]) -> dict[str, list[str]]:
    """The rated tables among them, by each subject that they are of."""
    of_tables = (
        select(GameTable.id, GameTable.ladder_id, Season.league_id)
        .outerjoin(LeagueRound, LeagueRound.id == GameTable.round_id)
        .outerjoin(Season, Season.id == LeagueRound.season_id)
        .where(GameTable.id.in_(table_ids), GameTable.rated)
    )
    owners = (
        select(TableSeat.table_id, Player.owner_id)
        .join(Player, Player.id == TableSeat.player_id)
        .join(GameTable, GameTable.id == TableSeat.table_id)
        .where(TableSeat.table_id.in_(table_ids), GameTable.rated)
        .distinct()
    )
    pairs: list[tuple[str, str]] = []
    for row in tx.execute(of_tables):
        pairs += [(ladder_subject(row.ladder_id), row.id)] if row.ladder_id is not None else []
        pairs += [(league_subject(row.league_id), row.id)] if row.league_id is not None else []
    pairs += [(_bots(row.owner_id), row.table_id) for row in tx.execute(owners)]
    return _grouped(pairs)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for subject, table_id in pairs:
        grouped.setdefault(subject, []).append(table_id)
    return grouped


def _bots(owner_id: int) -> str:
    return f"{BOTS}/{owner_id}"


def _fresh_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _select() -> Any:
    waiting = select(func.count()).where(WebhookItem.webhook_id == Webhook.id).scalar_subquery()
    return select(
        Webhook.id,
        Webhook.owner_id,
        Webhook.subject,
        Webhook.url,
        Webhook.state,
        Webhook.reason,
        Webhook.created_at,
        Webhook.changed_at,
        waiting,
        Webhook.secret,
    )
