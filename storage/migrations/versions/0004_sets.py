"""Sets: tables on one deal, and how a ladder makes them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "set_rule",
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("seats", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_set_rule_ladder_id")),
        sa.PrimaryKeyConstraint("ladder_id", name=op.f("pk_set_rule")),
    )
    op.create_table(
        "game_set",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("round_id", ID, nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("deal", sa.BigInteger(), nullable=False),
        sa.Column("replaces", sa.String(length=26), nullable=True),
        sa.Column("planned_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.Column("place", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state in ('open', 'done', 'void')", name=op.f("ck_game_set_state")),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_game_set_ladder_id")),
        sa.ForeignKeyConstraint(["round_id"], ["league_round.id"], name=op.f("fk_game_set_round_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_set")),
    )
    op.create_index("ix_game_set_planned", "game_set", ["ladder_id", "planned_at", "id"], unique=False)
    op.create_index(op.f("ix_game_set_round_id"), "game_set", ["round_id"], unique=False)
    op.create_table(
        "set_table",
        sa.Column("table_id", sa.String(length=26), nullable=False),
        sa.Column("set_id", sa.String(length=26), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("entrant_id", ID, nullable=True),
        sa.Column("version_id", ID, nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_set_table_table_id")),
        sa.ForeignKeyConstraint(["set_id"], ["game_set.id"], name=op.f("fk_set_table_set_id")),
        sa.ForeignKeyConstraint(["entrant_id"], ["player.id"], name=op.f("fk_set_table_entrant_id")),
        sa.ForeignKeyConstraint(["version_id"], ["player_version.id"], name=op.f("fk_set_table_version_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_set_table")),
        sa.UniqueConstraint("set_id", "number", name=op.f("uq_set_table_set_id_number")),
    )
    op.create_index(op.f("ix_set_table_entrant_id"), "set_table", ["entrant_id"], unique=False)
