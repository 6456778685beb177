"""Uploaded bundles, and the reports of the seats that their bots sat at."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bundle",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("stored_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_bundle")),
    )
    op.create_table(
        "seat_report",
        sa.Column("table_id", sa.String(length=26), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("level", sa.String(length=20), nullable=False),
        sa.Column("cause", sa.String(length=20), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("code", sa.BigInteger(), nullable=True),
        sa.Column("signal", sa.BigInteger(), nullable=True),
        sa.Column("stderr", sa.Text(), nullable=False),
        sa.Column("times", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_seat_report_table_id")),
        sa.PrimaryKeyConstraint("table_id", "attempt", "seat", name=op.f("pk_seat_report")),
    )
