"""The tables of webhooks; ``schema`` gives them with the others."""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Id


class Webhook(Base):
    """Where an owner wants to be told of results. ``subject``: a league, a ladder, or the owner's bots.

    A removed one stays as a row, without its secret: somebody may be writing an item of it just now.
    """

    __tablename__ = "webhook"
    __table_args__ = (
        CheckConstraint("state in ('active', 'disabled', 'removed')", name="state"),
        UniqueConstraint("owner_id", "subject", "url"),
        Index("ix_webhook_state", "state", "id"),
    )
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    subject: Mapped[str] = mapped_column(String(80))  # bots, league/3, ladder/1
    url: Mapped[str] = mapped_column(String(500))
    secret: Mapped[str] = mapped_column(String(80))  # in clear: calls are signed with it
    state: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str] = mapped_column(Text)  # why it is disabled
    busy_until: Mapped[int]  # somebody is calling it until then
    created_at: Mapped[int]
    changed_at: Mapped[int]


class WebhookItem(Base):
    """A result that a webhook has not been told of, nor is being told of now."""

    __tablename__ = "webhook_item"
    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhook.id"), primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id"), primary_key=True)


class WebhookDelivery(Base):
    """A call of a webhook: what it tells never changes, however often it is tried. At most one waits for each."""

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        CheckConstraint("state in ('waiting', 'delivered', 'failed')", name="state"),
        Index("ix_webhook_delivery_hook", "webhook_id", "id"),
    )
    id: Mapped[str] = mapped_column(String(26), primary_key=True)
    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhook.id"))
    tables: Mapped[list[Any]]  # ids; none: a test
    state: Mapped[str] = mapped_column(String(10))
    attempts: Mapped[int]
    status: Mapped[int | None]  # HTTP's, of the last answer
    detail: Mapped[str] = mapped_column(Text)  # how the last try ended
    created_at: Mapped[int]
    next_at: Mapped[int]
    ended_at: Mapped[int | None]
