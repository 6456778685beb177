"""Unrated tables that were made for one person, when whoever seated the person is gone."""

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from .database import now_ms
from .finishing import void
from .rows import PLANNED, RUNNING
from .schema import GameTable
from .tables import with_person

LEFT_OVER = "it was lost through a fault of ours"
UNBEGUN_MS = 120_000
"""Whoever plans such a table begins it at once; one that still waits after this is nobody's."""


def void_left_over(tx: Session, limit: int = 100) -> int:
    """Voids tables that were planned and not begun, or whose engine has lost its lease; how many."""
    now = now_ms(tx)
    waits = and_(GameTable.state == PLANNED, GameTable.planned_at <= now - UNBEGUN_MS)
    stalled = and_(GameTable.state == RUNNING, GameTable.lease_until <= now - UNBEGUN_MS)
    where = (GameTable.ladder_id.is_(None), GameTable.round_id.is_(None), or_(waits, stalled), with_person())
    ids = tx.execute(select(GameTable.id).where(*where).limit(limit)).scalars().all()
    return sum(void(tx, id, LEFT_OVER) for id in ids)
