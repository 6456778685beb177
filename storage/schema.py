"""The tables. Times are whole milliseconds since 1970 (UTC), taken from the database's clock.

Constraints carry what must never happen twice: one result a table, one ledger
entry a place and a table, one run a (job, window), one round a (season, number),
one set a table.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base, Id
from .bundle_schema import Bundle, SeatReport
from .event_schema import Event, EventAudit, EventEntrant, EventFact, EventTable
from .league_schema import League, LeagueRound, Season, SeasonEntrant, SeasonFinish
from .operation_schema import Finding, OperatorAction
from .set_schema import GameSet, SetRule, SetTable
from .submission_schema import Submission, SubmissionRequest, SubmissionStep
from .team_schema import TeamMember
from .webhook_schema import Webhook, WebhookDelivery, WebhookItem

__all__ = [
    "Attempt",
    "Base",
    "Bundle",
    "Event",
    "EventAudit",
    "EventEntrant",
    "EventFact",
    "EventTable",
    "Finding",
    "GameSet",
    "GameTable",
    "Job",
    "Ladder",
    "LadderEntrant",
    "League",
    "LeagueRound",
    "LedgerEntry",
    "OperatorAction",
    "Owner",
    "Player",
    "PlayerVersion",
    "Rating",
    "RatingChange",
    "Result",
    "Season",
    "SeasonEntrant",
    "SeasonFinish",
    "SeatReport",
    "SetRule",
    "SetTable",
    "Submission",
    "SubmissionRequest",
    "SubmissionStep",
    "TableSeat",
    "TeamMember",
    "Token",
    "Webhook",
    "WebhookDelivery",
    "WebhookItem",
    "Window",
]


class Owner(Base):
    """Whose bots they are. The owner ``house`` is ours."""

    __tablename__ = "owner"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(40), unique=True)
    created_at: Mapped[int]


class Token(Base):
    """A bearer token; only the SHA-256 of it is kept."""

    __tablename__ = "token"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"), index=True)
    label: Mapped[str] = mapped_column(String(80))
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), unique=True)
    scopes: Mapped[list[Any]]
    created_at: Mapped[int]
    expires_at: Mapped[int | None]
    revoked_at: Mapped[int | None]


class Player(Base):
    """A bot or a person: what stands on a ladder. Its full name is ``owner/name``."""

    __tablename__ = "player"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owner.id"))
    name: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(10))  # house, uploaded, remote, person, team
    created_at: Mapped[int]
    retired_at: Mapped[int | None]


class PlayerVersion(Base):
    """One immutable version of a player; a table records the exact ones that sat at it."""

    __tablename__ = "player_version"
    __table_args__ = (
        UniqueConstraint("player_id", "number"),
        UniqueConstraint("player_id", "label"),
    )
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    number: Mapped[int]
    label: Mapped[str] = mapped_column(String(80))
    program: Mapped[str] = mapped_column(String(80))  # house: "strong"; else empty
    settings: Mapped[dict[str, Any]]
    created_at: Mapped[int]


class Ladder(Base):
    """One rated game variant. ``next_place`` is the ledger's; the row's lock orders the ledger."""

    __tablename__ = "ladder"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)  # mushi/standard
    game: Mapped[str] = mapped_column(String(30))
    variant: Mapped[str] = mapped_column(String(30))
    config: Mapped[dict[str, Any]]
    may_tie: Mapped[bool] = mapped_column(Boolean, default=True)  # can this variant end level?
    open: Mapped[bool] = mapped_column(Boolean, default=True)  # the continuous ladder plans tables
    next_place: Mapped[int] = mapped_column(default=0)
    folded_place: Mapped[int] = mapped_column(default=0)  # entries below it are in `rating`
    fold_epoch: Mapped[int] = mapped_column(default=0)  # rises when `rating` is written anew
    created_at: Mapped[int]


class LadderEntrant(Base):
    """A player on a ladder, with the version that plays next."""

    __tablename__ = "ladder_entrant"
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("player_version.id"))
    active: Mapped[bool] = mapped_column(Boolean, default=True)
    joined_at: Mapped[int]


class GameTable(Base):
    """One scheduled game with its seats: planned, running, done or void.

    ``attempt`` counts fresh tries at playing it, ``fence`` every claim. Whoever
    writes names the fence it claimed under; a lower one writes nothing.
    """

    __tablename__ = "game_table"
    __table_args__ = (
        CheckConstraint("state in ('planned', 'running', 'done', 'void')", name="state"),
        Index("ix_game_table_due", "state", "not_before"),
        Index("ix_game_table_lease", "state", "lease_until"),
        Index("ix_game_table_ladder", "ladder_id", "ended_at", "id"),
        Index("ix_game_table_planned", "ladder_id", "planned_at", "id"),
        Index("ix_game_table_ended", "ended_at", "id"),
        Index("ix_game_table_commitment", "commitment"),  # tables that share a deal
    )
    id: Mapped[str] = mapped_column(String(26), primary_key=True)
    ladder_id: Mapped[int | None] = mapped_column(ForeignKey("ladder.id"))
    round_id: Mapped[int | None] = mapped_column(ForeignKey("league_round.id"), index=True)
    game: Mapped[str] = mapped_column(String(30))
    variant: Mapped[str] = mapped_column(String(30))
    config: Mapped[dict[str, Any]]
    seats: Mapped[int]
    rated: Mapped[bool] = mapped_column(Boolean)
    clock: Mapped[dict[str, Any]]  # first_ms, move_ms, bank_ms, grace_ms; null: unlimited
    state: Mapped[str] = mapped_column(String(10))
    attempt: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    lease_owner: Mapped[str | None] = mapped_column(String(120))
    lease_until: Mapped[int | None]
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))  # secret until the table has ended
    commitment: Mapped[str] = mapped_column(String(64))
    not_before: Mapped[int]
    planned_at: Mapped[int]
    sent_at: Mapped[int | None]
    claimed_at: Mapped[int | None]
    ended_at: Mapped[int | None]
    void_reason: Mapped[str | None] = mapped_column(Text)


class TableSeat(Base):
    __tablename__ = "table_seat"
    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("player_version.id"))


class Attempt(Base):
    """How a try at a table that was not its result ended, for the operator and the metrics."""

    __tablename__ = "attempt"
    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    fence: Mapped[int] = mapped_column(primary_key=True)
    attempt: Mapped[int]
    cause: Mapped[str] = mapped_column(String(30))  # lease, bridge, engine, abort, seats
    detail: Mapped[str] = mapped_column(Text)
    ended_at: Mapped[int]


class Result(Base):
    """What came of a table: at most one row each."""

    __tablename__ = "result"
    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id"), primary_key=True)
    attempt: Mapped[int]
    end: Mapped[str] = mapped_column(String(20))
    scores: Mapped[list[Any]]
    ranks: Mapped[list[Any]]  # by the rules alone
    placements: Mapped[list[Any]]  # with forfeited seats last
    forfeits: Mapped[dict[str, Any]]  # seat -> reason
    strikes: Mapped[list[Any]]
    moves: Mapped[int]
    replay: Mapped[bytes]  # zlib
    finished_at: Mapped[int]


class LedgerEntry(Base):
    """One thing that moves ratings on a ladder; append-only, places without gaps."""

    __tablename__ = "ledger_entry"
    __table_args__ = (UniqueConstraint("ladder_id", "table_id"),)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))  # result, new_version, season_reset, correction
    table_id: Mapped[str | None] = mapped_column(ForeignKey("game_table.id"))
    supersedes: Mapped[int | None]
    content: Mapped[dict[str, Any]]
    at: Mapped[int]


class Rating(Base):
    """The fold of a ladder's ledger below ``ladder.folded_place``, one row a player."""

    __tablename__ = "rating"
    __table_args__ = (Index("ix_rating_shown", "ladder_id", "shown", "player_id"),)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    mean: Mapped[float]
    deviation: Mapped[float]
    shown: Mapped[float]  # mean - 3 deviations
    games: Mapped[int]
    last_place: Mapped[int]


class RatingChange(Base):
    """What one ledger entry did to one player."""

    __tablename__ = "rating_change"
    __table_args__ = (Index("ix_rating_change_player", "ladder_id", "player_id", "place"),)
    ladder_id: Mapped[int] = mapped_column(ForeignKey("ladder.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    mean_before: Mapped[float]
    deviation_before: Mapped[float]
    mean_after: Mapped[float]
    deviation_after: Mapped[float]
    games: Mapped[int]  # rated games, this entry's included


class Job(Base):
    """A follow-up of something committed, done by a task that deletes the row in its own transaction.

    The id is drawn anew whenever the same job is added again, so that the task of
    an earlier sending cannot delete what was added while it ran.
    """

    __tablename__ = "job"
    __table_args__ = (UniqueConstraint("kind", "key"),)
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(30))  # fold, round, event, webhook
    key: Mapped[str] = mapped_column(String(80))
    not_before: Mapped[int]
    created_at: Mapped[int]
    sent_at: Mapped[int | None]


class Window(Base):
    """A periodic job's window that has been done; its primary key is the promise."""

    __tablename__ = "window"
    job: Mapped[str] = mapped_column(String(80), primary_key=True)
    start: Mapped[int] = mapped_column(primary_key=True)
    done_at: Mapped[int]
