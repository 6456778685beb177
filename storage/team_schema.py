"""The table of teams; ``schema`` gives it with the others."""

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class TeamMember(Base):
    """A bot of a team, which is a player of its own; ``agreed_at`` null: its owner has not agreed (yet)."""

    __tablename__ = "team_member"
    __table_args__ = (UniqueConstraint("team_id", "player_id"),)
    team_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    agreed_at: Mapped[int | None]
