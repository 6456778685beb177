"""Claiming tables, and what becomes of a claim that does not end in a result."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select, tuple_, update
from sqlalchemy.orm import Session

from .database import now_ms
from .endings import end_as_void
from .errors import Invalid
from .inserting import insert_new
from .redealing import deal_anew, set_to_deal_anew
from .rows import PLANNED, RUNNING, TableRow, lock_ids, lock_tables, lock_whole_set, table_row
from .schema import Attempt, GameTable, SetTable

MAX_ATTEMPTS = 3
"""Tries at a table before it is void: what fails three times through no player's fault will fail again."""

DEALT_ANEW = "dealt_anew"

INFRA = "infra"
"""The reason of a table that is void because of our own faults."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The table is the claimer's until its lease ends. ``table.seed`` is the seed to play with."""

    fence: int
    attempt: int
    table: TableRow


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is nothing to play. ``state``: running, done, void, not_due or missing.

    ``owner`` and ``fence`` of a running table: who plays it.
    """

    state: str
    owner: str | None = None
    fence: int = 0


def claim(tx: Session, table_id: str, lease_owner: str, lease_ms: int, fresh_seed: bytes) -> Claim | Refusal:
    """Takes a table for ``lease_ms``: a planned one that is due, or a running one whose lease has run out.

    Every claim is a fresh attempt under a higher fence. From the second on it plays
    on ``fresh_seed`` (32 bytes) and shows its commitment: the first seed may be known. A table of
    a set keeps the set's seed, unless somebody has seen of it: then the whole set is dealt anew.
    A lease that ran out is written down as an attempt; after the third the table is void.
    """
    _check_seed(fresh_seed)
    table = lock_tables(tx, [table_id]).get(table_id)
    if table is None:
        return Refusal("missing")
    now = now_ms(tx)
    refusal = _refuse(table, now)
    if refusal is not None:
        return refusal
    if table.state == RUNNING and not _give_up_lease(tx, table, now):
        return Refusal("void")
    _take(tx, table, lease_owner, now + lease_ms, fresh_seed, now)
    return Claim(table.fence, table.attempt, table_row(tx, table, table.seed))


def unclaim(tx: Session, table_id: str, fence: int, detail: str, retry_in_ms: int) -> bool:
    """Undoes a claim whose seats could not be filled: no attempt is spent.

    The table is due again in ``retry_in_ms``. False if the claim had been overtaken.
    """
    table = _claimed(tx, table_id, fence)
    if table is None:
        return False
    now = now_ms(tx)
    _note(tx, table, "seats", detail, now)
    _plan_again(table, now + retry_in_ms)
    table.attempt -= 1
    tx.flush()
    return True


def heartbeat(tx: Session, claims: Sequence[tuple[str, int]], lease_ms: int) -> list[str]:
    """Prolongs leases to ``lease_ms`` from now. Returns the tables that are the claimer's no longer."""
    if not claims:
        return []
    lock_ids(tx, [id for id, _ in claims])
    mine = tuple_(GameTable.id, GameTable.fence).in_(list(claims))
    until = now_ms(tx) + lease_ms
    kept = update(GameTable).where(mine, GameTable.state == RUNNING).values(lease_until=until)
    kept_ids = set(tx.execute(kept.returning(GameTable.id)).scalars())
    return [id for id, _ in claims if id not in kept_ids]


def fail(tx: Session, table_id: str, fence: int, cause: str, detail: str) -> str:
    """Ends an attempt through no player's fault: ``planned`` again, ``void`` after the third.

    ``dealt_anew``: the table is void with the whole set whose deal it shares, which is planned again
    on a fresh one. ``stale``: the claim had been overtaken, or this was said before; nothing is written.
    """
    lock_whole_set(tx, table_id)
    table = _claimed(tx, table_id, fence)
    if table is None:
        return "stale"
    now = now_ms(tx)
    _note(tx, table, cause, detail, now)
    spoilt = set_to_deal_anew(tx, table)
    if spoilt is not None:
        return DEALT_ANEW if deal_anew(tx, spoilt, now) else "void"
    if table.attempt >= MAX_ATTEMPTS:
        end_as_void(tx, table, INFRA, now)
        return "void"
    _plan_again(table, now)
    tx.flush()
    return PLANNED


def _refuse(table: GameTable, now: int) -> Refusal | None:
    if table.state == PLANNED:
        return Refusal("not_due") if table.not_before > now else None
    if table.state != RUNNING:
        return Refusal(table.state)
    alive = table.lease_until is not None and table.lease_until > now
    return Refusal(RUNNING, table.lease_owner, table.fence) if alive else None


def _give_up_lease(tx: Session, table: GameTable, now: int) -> bool:
    """Writes the lost attempt down. False if it was the last, and the table is void."""
    _note(tx, table, "lease", f"{table.lease_owner} let its lease run out", now)
    lock_whole_set(tx, table.id)
    spoilt = set_to_deal_anew(tx, table)
    if spoilt is not None:
        deal_anew(tx, spoilt, now)
        return False
    if table.attempt < MAX_ATTEMPTS:
        return True
    end_as_void(tx, table, INFRA, now)
    return False


def _take(tx: Session, table: GameTable, owner: str, until: int, fresh_seed: bytes, now: int) -> None:
    table.state = RUNNING
    table.attempt += 1
    table.fence += 1
    table.lease_owner = owner
    table.lease_until = until
    table.claimed_at = now
    if table.attempt > 1 and not _is_of_set(tx, table.id):
        table.seed = fresh_seed
        table.commitment = hashlib.sha256(fresh_seed).hexdigest()
    tx.flush()


def _is_of_set(tx: Session, table_id: str) -> bool:
    return tx.execute(select(SetTable.table_id).where(SetTable.table_id == table_id)).first() is not None


def _plan_again(table: GameTable, not_before: int) -> None:
    table.state = PLANNED
    table.not_before = not_before
    table.sent_at = None
    table.lease_owner = None
    table.lease_until = None


def _claimed(tx: Session, table_id: str, fence: int) -> GameTable | None:
    """The running table under lock, if that fence is still its own."""
    table = lock_tables(tx, [table_id]).get(table_id)
    return table if table is not None and (table.state, table.fence) == (RUNNING, fence) else None


def _note(tx: Session, table: GameTable, cause: str, detail: str, now: int) -> None:
    insert_new(
        tx,
        Attempt,
        table_id=table.id,
        fence=table.fence,
        attempt=table.attempt,
        cause=cause,
        detail=detail[:2000],
        ended_at=now,
    )


def _check_seed(seed: bytes) -> None:
    if len(seed) != 32:
        raise Invalid(f"a seed is 32 bytes, not {len(seed)}")
