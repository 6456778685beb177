"""The tables of leagues; ``schema`` gives them with the others."""

from typing import Any

from sqlalchemy import Boolean, ForeignKey, String, Text, UniqueConstraint, false
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
    division_size: Mapped[int] = mapped_column(server_default="0")  # wanted players in one; 0: no divisions
    movers: Mapped[int] = mapped_column(server_default="0")  # who go up and down after a season
    registration_ms: Mapped[int] = mapped_column(server_default="0")  # at least so long before a first round
    join_rounds: Mapped[int | None]  # after so many rounds nobody joins any more; null: until the last
    repeats: Mapped[bool] = mapped_column(Boolean, server_default=false())  # a season follows the other
    created_at: Mapped[int]


class Season(Base):
    __tablename__ = "season"
    __table_args__ = (UniqueConstraint("league_id", "number"),)
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    number: Mapped[int]
    state: Mapped[str] = mapped_column(String(10))  # draft, open, running, paused, closing, closed
    opened_at: Mapped[int]
    registration_until: Mapped[int | None]  # no round begins before
    closed_at: Mapped[int | None]


class SeasonEntrant(Base):
    __tablename__ = "season_entrant"
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    joined_at: Mapped[int]
    left_at: Mapped[int | None]
    division: Mapped[int | None]  # from 1; null until the season's first round


class SeasonFinish(Base):
    """Somebody's line in the final standings of a season; fractions as ``3/7``."""

    __tablename__ = "season_finish"
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    division: Mapped[int]
    rank: Mapped[int]  # in the division, from 1
    move: Mapped[int]  # 1: goes up, -1: goes down
    points: Mapped[int]
    possible: Mapped[int]
    wins: Mapped[int]
    tables: Mapped[int]
    opponents: Mapped[str] = mapped_column(Text)
    mutual: Mapped[str] = mapped_column(Text)


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
