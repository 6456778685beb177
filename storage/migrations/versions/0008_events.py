"""Events."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("stages", sa.JSON(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("lots", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_event_ladder_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("name", name=op.f("uq_event_name")),
    )
    op.create_table(
        "event_entrant",
        sa.Column("event_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_event_entrant_event_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_event_entrant_player_id")),
        sa.ForeignKeyConstraint(
            ["version_id"], ["player_version.id"], name=op.f("fk_event_entrant_version_id")
        ),
        sa.PrimaryKeyConstraint("event_id", "player_id", name=op.f("pk_event_entrant")),
    )
    op.create_table(
        "event_fact",
        sa.Column("event_id", ID, nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("stage", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_event_fact_event_id")),
        sa.PrimaryKeyConstraint("event_id", "place", name=op.f("pk_event_fact")),
    )
    op.create_table(
        "event_table",
        sa.Column("table_id", sa.String(length=26), nullable=False),
        sa.Column("event_id", ID, nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("stage", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_event_table_event_id")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_event_table_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_event_table")),
        sa.UniqueConstraint("event_id", "key", name=op.f("uq_event_table_event_id_key")),
    )
    op.create_table(
        "event_audit",
        sa.Column("event_id", ID, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.String(length=400), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_event_audit_event_id")),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_event_audit")),
    )
