"""The tables of sets; ``schema`` gives them with the others."""

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class SetRule(Base):
    """How a ladder whose game is played together makes its sets; other ladders have no such row."""

    __tablename__ = "set_rule"
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"), primary_key=True)
    size: Mapped[int]  # entrants of a set, each with a table of its own
    seats: Mapped[int]  # of each of its tables


class GameSet(Base):
    """Tables on one deal. The row's lock decides which of them ended last.

    ``place``: of its one entry in the ladder's ledger, if its tables are ranked together.
    """

    __tablename__ = "game_set"
    __table_args__ = (
        CheckConstraint("state in ('open', 'done', 'void')", name="state"),
        Index("ix_game_set_planned", "ladder_id", "planned_at", "id"),
    )
    id: Mapped[str] = mapped_column(String(26), primary_key=True)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"))
    round_id: Mapped[int | None] = mapped_column(ForeignKey("league_round.id"), index=True)
    state: Mapped[str] = mapped_column(String(10))
    deal: Mapped[int]  # 1, and one more each time that a void set is dealt anew
    replaces: Mapped[str | None] = mapped_column(String(26))  # no foreign key: rows are restored in any order
    planned_at: Mapped[int]
    ended_at: Mapped[int | None]
    void_reason: Mapped[str | None] = mapped_column(Text)
    place: Mapped[int | None]


class SetTable(Base):
    """A table of a set. ``entrant_id``: whose seats they all are; null: each seat plays for itself."""

    __tablename__ = "set_table"
    __table_args__ = (UniqueConstraint("set_id", "number"),)
    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    set_id: Mapped[str] = mapped_column(ForeignKey("game_set.id"))
    number: Mapped[int]
    entrant_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    version_id: Mapped[int | None] = mapped_column(ForeignKey("player_version.id"))
