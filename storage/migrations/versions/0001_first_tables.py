"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=30), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("kind", "key", name=op.f("uq_job_kind_key")),
    )
    op.create_table(
        "ladder",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("game", sa.String(length=30), nullable=False),
        sa.Column("variant", sa.String(length=30), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("may_tie", sa.Boolean(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("next_place", sa.BigInteger(), nullable=False),
        sa.Column("folded_place", sa.BigInteger(), nullable=False),
        sa.Column("fold_epoch", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder")),
        sa.UniqueConstraint("name", name=op.f("uq_ladder_name")),
    )
    op.create_table(
        "owner",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner")),
        sa.UniqueConstraint("name", name=op.f("uq_owner_name")),
    )
    op.create_table(
        "window",
        sa.Column("job", sa.String(length=80), nullable=False),
        sa.Column("start", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("job", "start", name=op.f("pk_window")),
    )
    op.create_table(
        "league",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("cron", sa.String(length=80), nullable=False),
        sa.Column("zone", sa.String(length=60), nullable=False),
        sa.Column("seats", sa.BigInteger(), nullable=False),
        sa.Column("tables_each", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.BigInteger(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_league_ladder_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("name", name=op.f("uq_league_name")),
    )
    op.create_table(
        "player",
        sa.Column("id", ID, nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("retired_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_player_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_player_owner_id_name")),
    )
    op.create_table(
        "token",
        sa.Column("id", ID, nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("label", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.LargeBinary(length=32), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_token_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_token_digest")),
    )
    op.create_index(op.f("ix_token_owner_id"), "token", ["owner_id"], unique=False)
    op.create_table(
        "player_version",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(length=80), nullable=False),
        sa.Column("program", sa.String(length=80), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_player_version_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player_version")),
        sa.UniqueConstraint("player_id", "label", name=op.f("uq_player_version_player_id_label")),
        sa.UniqueConstraint("player_id", "number", name=op.f("uq_player_version_player_id_number")),
    )
    op.create_table(
        "rating",
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("mean", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("shown", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("last_place", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_rating_ladder_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_rating_player_id")),
        sa.PrimaryKeyConstraint("ladder_id", "player_id", name=op.f("pk_rating")),
    )
    op.create_index("ix_rating_shown", "rating", ["ladder_id", "shown", "player_id"], unique=False)
    op.create_table(
        "rating_change",
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("mean_before", sa.Double(), nullable=False),
        sa.Column("deviation_before", sa.Double(), nullable=False),
        sa.Column("mean_after", sa.Double(), nullable=False),
        sa.Column("deviation_after", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_rating_change_ladder_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_rating_change_player_id")),
        sa.PrimaryKeyConstraint("ladder_id", "place", "player_id", name=op.f("pk_rating_change")),
    )
    op.create_index(
        "ix_rating_change_player", "rating_change", ["ladder_id", "player_id", "place"], unique=False
    )
    op.create_table(
        "season",
        sa.Column("id", ID, nullable=False),
        sa.Column("league_id", ID, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["league_id"], ["league.id"], name=op.f("fk_season_league_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("league_id", "number", name=op.f("uq_season_league_id_number")),
    )
    op.create_table(
        "ladder_entrant",
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_ladder_entrant_ladder_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_ladder_entrant_player_id")),
        sa.ForeignKeyConstraint(
            ["version_id"], ["player_version.id"], name=op.f("fk_ladder_entrant_version_id")
        ),
        sa.PrimaryKeyConstraint("ladder_id", "player_id", name=op.f("pk_ladder_entrant")),
    )
    op.create_table(
        "league_round",
        sa.Column("id", ID, nullable=False),
        sa.Column("season_id", ID, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("window_start", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_league_round_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_round")),
        sa.UniqueConstraint("season_id", "number", name=op.f("uq_league_round_season_id_number")),
        sa.UniqueConstraint("season_id", "window_start", name=op.f("uq_league_round_season_id_window_start")),
    )
    op.create_table(
        "season_entrant",
        sa.Column("season_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_season_entrant_player_id")),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_season_entrant_season_id")),
        sa.PrimaryKeyConstraint("season_id", "player_id", name=op.f("pk_season_entrant")),
    )
    op.create_table(
        "game_table",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("ladder_id", ID, nullable=True),
        sa.Column("round_id", ID, nullable=True),
        sa.Column("game", sa.String(length=30), nullable=False),
        sa.Column("variant", sa.String(length=30), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("seats", sa.BigInteger(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("lease_owner", sa.String(length=120), nullable=True),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("planned_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "state in ('planned', 'running', 'done', 'void')", name=op.f("ck_game_table_state")
        ),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_game_table_ladder_id")),
        sa.ForeignKeyConstraint(["round_id"], ["league_round.id"], name=op.f("fk_game_table_round_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_table")),
    )
    op.create_index("ix_game_table_commitment", "game_table", ["commitment"], unique=False)
    op.create_index("ix_game_table_due", "game_table", ["state", "not_before"], unique=False)
    op.create_index("ix_game_table_ended", "game_table", ["ended_at", "id"], unique=False)
    op.create_index("ix_game_table_ladder", "game_table", ["ladder_id", "ended_at", "id"], unique=False)
    op.create_index("ix_game_table_planned", "game_table", ["ladder_id", "planned_at", "id"], unique=False)
    op.create_index("ix_game_table_lease", "game_table", ["state", "lease_until"], unique=False)
    op.create_index(op.f("ix_game_table_round_id"), "game_table", ["round_id"], unique=False)
    op.create_table(
        "attempt",
        sa.Column("table_id", sa.String(length=26), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("cause", sa.String(length=30), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_attempt_table_id")),
        sa.PrimaryKeyConstraint("table_id", "fence", name=op.f("pk_attempt")),
    )
    op.create_table(
        "ledger_entry",
        sa.Column("ladder_id", ID, nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("table_id", sa.String(length=26), nullable=True),
        sa.Column("supersedes", sa.BigInteger(), nullable=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"], name=op.f("fk_ledger_entry_ladder_id")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_ledger_entry_table_id")),
        sa.PrimaryKeyConstraint("ladder_id", "place", name=op.f("pk_ledger_entry")),
        sa.UniqueConstraint("ladder_id", "table_id", name=op.f("uq_ledger_entry_ladder_id_table_id")),
    )
    op.create_table(
        "result",
        sa.Column("table_id", sa.String(length=26), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("end", sa.String(length=20), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("ranks", sa.JSON(), nullable=False),
        sa.Column("placements", sa.JSON(), nullable=False),
        sa.Column("forfeits", sa.JSON(), nullable=False),
        sa.Column("strikes", sa.JSON(), nullable=False),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.Column("replay", sa.LargeBinary(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_result_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_result")),
    )
    op.create_table(
        "table_seat",
        sa.Column("table_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_table_seat_player_id")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_table_seat_table_id")),
        sa.ForeignKeyConstraint(["version_id"], ["player_version.id"], name=op.f("fk_table_seat_version_id")),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_table_seat")),
    )
    op.create_index(op.f("ix_table_seat_player_id"), "table_seat", ["player_id"], unique=False)
    # ### end Alembic commands ###
