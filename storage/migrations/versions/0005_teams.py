"""Teams: players that are made of several bots."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "team_member",
        sa.Column("team_id", ID, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("agreed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["team_id"], ["player.id"], name=op.f("fk_team_member_team_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_team_member_player_id")),
        sa.PrimaryKeyConstraint("team_id", "number", name=op.f("pk_team_member")),
        sa.UniqueConstraint("team_id", "player_id", name=op.f("uq_team_member_team_id_player_id")),
    )
    op.create_index(op.f("ix_team_member_player_id"), "team_member", ["player_id"], unique=False)
