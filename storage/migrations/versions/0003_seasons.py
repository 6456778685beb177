"""Divisions of a league, registration, the final standings of a season."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for name, default in (("division_size", "0"), ("movers", "0"), ("registration_ms", "0")):
        op.add_column("league", sa.Column(name, sa.BigInteger(), nullable=False, server_default=default))
    op.add_column("league", sa.Column("join_rounds", sa.BigInteger(), nullable=True))
    op.add_column("league", sa.Column("repeats", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("season", sa.Column("registration_until", sa.BigInteger(), nullable=True))
    op.add_column("season_entrant", sa.Column("division", sa.BigInteger(), nullable=True))
    op.create_table(
        "season_finish",
        sa.Column("season_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("division", sa.BigInteger(), nullable=False),
        sa.Column("rank", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("possible", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.BigInteger(), nullable=False),
        sa.Column("tables", sa.BigInteger(), nullable=False),
        sa.Column("opponents", sa.Text(), nullable=False),
        sa.Column("mutual", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_season_finish_season_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_season_finish_player_id")),
        sa.PrimaryKeyConstraint("season_id", "player_id", name=op.f("pk_season_finish")),
    )
