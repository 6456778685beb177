"""The tables of leagues; ``schema`` gives them with the others."""

from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Id


class League(Base):
    __tablename__ = "league"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"))
    cron: Mapped[str] = mapped_column(String(80))  # when a round begins
    zone: Mapped[str] = mapped_column(String(60))  # IANA name
    seats: Mapped[int]  # wanted table size
    tables_each: Mapped[int]  # tables a player plays in a round
    rounds: Mapped[int]  # in a season
    clock: Mapped[dict[str, Any]]
    created_at: Mapped[int]


class Season(Base):
    __tablename__ = "season"
    __table_args__ = (UniqueConstraint("league_id", "number"),)
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    number: Mapped[int]
    state: Mapped[str] = mapped_column(String(10))  # open, running, closed
    opened_at: Mapped[int]
    closed_at: Mapped[int | None]


class SeasonEntrant(Base):
    __tablename__ = "season_entrant"
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    joined_at: Mapped[int]
    left_at: Mapped[int | None]


class LeagueRound(Base):
    __tablename__ = "league_round"
    __table_args__ = (
        UniqueConstraint("season_id", "number"),
        UniqueConstraint("season_id", "window_start"),
    )
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"))
    number: Mapped[int]
    window_start: Mapped[int]  # the cron instant it belongs to
    state: Mapped[str] = mapped_column(String(10))  # running, done
    opened_at: Mapped[int]
    closed_at: Mapped[int | None]
