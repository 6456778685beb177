"""The tables of events; ``schema`` gives them with the others."""

from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Id


class Event(Base):
    """A tournament: stages of rounds of tables. ``lots`` is its published seed."""

    __tablename__ = "event"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"))
    stages: Mapped[list[Any]]
    clock: Mapped[dict[str, Any]]
    lots: Mapped[str] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(10))  # open, running, paused, finished, cancelled
    created_at: Mapped[int]
    ended_at: Mapped[int | None]


class EventEntrant(Base):
    __tablename__ = "event_entrant"
    event_id: Mapped[int] = mapped_column(ForeignKey("event.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("player_version.id"))
    seed: Mapped[int | None]  # from 1, the best


class EventFact(Base):
    """What has happened, in order. A correction puts ``content`` right and leaves an audit row."""

    __tablename__ = "event_fact"
    event_id: Mapped[int] = mapped_column(ForeignKey("event.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    stage: Mapped[int]
    content: Mapped[dict[str, Any]]
    at: Mapped[int]


class EventTable(Base):
    """The game of a match that a table plays. ``key``: stage, slot, company and game, as one text."""

    __tablename__ = "event_table"
    __table_args__ = (UniqueConstraint("event_id", "key"),)
    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("event.id"))
    key: Mapped[str] = mapped_column(String(200))
    stage: Mapped[int]
    content: Mapped[dict[str, Any]]  # slot, company, game
    told: Mapped[bool]  # its ending is among the facts, or counts no more


class EventAudit(Base):
    """Who corrected what, and why."""

    __tablename__ = "event_audit"
    event_id: Mapped[int] = mapped_column(ForeignKey("event.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    actor: Mapped[str] = mapped_column(String(80))
    reason: Mapped[str] = mapped_column(String(400))
    before: Mapped[dict[str, Any]]
    after: Mapped[dict[str, Any]]
    at: Mapped[int]
