"""Submitted versions, the requests that they came with, and the steps of their lives."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
STATES = "'received', 'checked', 'qualifying', 'active', 'refused', 'benched', 'retired'"


def upgrade() -> None:
    op.create_table(
        "submission",
        sa.Column("version_id", ID, nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("level", sa.String(length=40), nullable=False),
        sa.Column("table_id", sa.String(length=26), nullable=True),
        sa.Column("faults", sa.BigInteger(), nullable=False),
        sa.Column("submitted_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(f"state in ({STATES})", name=op.f("ck_submission_state")),
        sa.ForeignKeyConstraint(["version_id"], ["player_version.id"], name=op.f("fk_submission_version_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_submission_owner_id")),
        sa.ForeignKeyConstraint(["digest"], ["bundle.digest"], name=op.f("fk_submission_digest")),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_submission")),
    )
    op.create_index("ix_submission_state", "submission", ["state", "changed_at"], unique=False)
    op.create_index("ix_submission_owner", "submission", ["owner_id", "submitted_at"], unique=False)
    op.create_index(op.f("ix_submission_digest"), "submission", ["digest"], unique=False)
    op.create_table(
        "submission_request",
        sa.Column("id", ID, nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("request_id", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_submission_request_owner_id")),
        sa.ForeignKeyConstraint(
            ["version_id"], ["player_version.id"], name=op.f("fk_submission_request_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission_request")),
        sa.UniqueConstraint("owner_id", "request_id", name=op.f("uq_submission_request_owner_id_request_id")),
    )
    op.create_table(
        "submission_step",
        sa.Column("id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"], ["player_version.id"], name=op.f("fk_submission_step_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission_step")),
    )
    op.create_index(op.f("ix_submission_step_version_id"), "submission_step", ["version_id"], unique=False)
