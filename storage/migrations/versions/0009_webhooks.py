"""Webhooks."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", ID, nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("secret", sa.String(length=80), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("busy_until", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state in ('active', 'disabled', 'removed')", name=op.f("ck_webhook_state")),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_webhook_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
        sa.UniqueConstraint("owner_id", "subject", "url", name=op.f("uq_webhook_owner_id_subject_url")),
    )
    op.create_index("ix_webhook_state", "webhook", ["state", "id"])
    op.create_table(
        "webhook_item",
        sa.Column("webhook_id", ID, nullable=False),
        sa.Column("table_id", sa.String(length=26), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_webhook_item_table_id")),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name=op.f("fk_webhook_item_webhook_id")),
        sa.PrimaryKeyConstraint("webhook_id", "table_id", name=op.f("pk_webhook_item")),
    )
    op.create_table(
        "webhook_delivery",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("webhook_id", ID, nullable=False),
        sa.Column("tables", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state in ('waiting', 'delivered', 'failed')", name=op.f("ck_webhook_delivery_state")
        ),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name=op.f("fk_webhook_delivery_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_delivery")),
    )
    op.create_index("ix_webhook_delivery_hook", "webhook_delivery", ["webhook_id", "id"])
