"""The operator's tables: findings of the invariants checker, actions done by hand."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "finding",
        sa.Column("promise", sa.String(length=40), nullable=False),
        sa.Column("broken", sa.BigInteger(), nullable=False),
        sa.Column("examples", sa.JSON(), nullable=False),
        sa.Column("looked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("promise", name=op.f("pk_finding")),
    )
    op.create_table(
        "operator_action",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=120), nullable=False),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_action")),
    )
    op.create_index("ix_operator_action_at", "operator_action", ["at", "id"], unique=False)
