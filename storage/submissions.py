"""Submitted versions: taking one in, what it may cost its owner, and the states it goes through."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from . import bundles, identity
from .bounds import Bounds, lock_owner
from .database import now_ms
from .errors import Conflict, Stale, found
from .inserting import insert_new
from .names import check_label
from .quotas import Quota, check_quota
from .schema import GameTable, Owner, Player, PlayerVersion, Submission, SubmissionRequest, TableSeat
from .schema import SubmissionStep as Step

UPLOADED = "uploaded"
RECEIVED, CHECKED, QUALIFYING, ACTIVE = "received", "checked", "qualifying", "active"
REFUSED, BENCHED, RETIRED = "refused", "benched", "retired"
LABEL_DIGITS = 16
"""Of a bundle's digest; they are its version's label, so that one bundle is one version of a bot."""


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A judged bundle. ``data``: its archive; ``name``, ``language`` and ``games``: its manifest's."""

    owner_id: int
    request_id: str
    name: str
    language: str
    games: tuple[str, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """A submitted version. ``digest`` None: its bundle has been deleted. ``size``: bytes of its archive.

    ``reason``: why it is in its ``state``, for its owner. ``level``: of the sandbox it qualified in.
    ``table_id``: the table that decided its state. ``faults``: in a row. Times in ms since 1970.
    """

    version_id: int
    player_id: int
    owner_id: int
    owner: str
    name: str
    number: int
    digest: str | None
    size: int
    language: str
    games: tuple[str, ...]
    state: str
    reason: str
    level: str
    table_id: str | None
    faults: int
    submitted_at: int
    changed_at: int

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}@{self.number}"


@dataclass(frozen=True, slots=True)
class StepRow:
    """A state that a version came to, why, and when (ms since 1970)."""

    state: str
    reason: str
    at: int


def submit(tx: Session, new: NewSubmission, quota: Quota, bounds: Bounds) -> tuple[SubmissionRow, bool]:
    """Takes a judged bundle in, as ``received``; its row, and whether this call did it.

    The same request, and the same bundle under another one, give the version that is there.
    Conflict if the request id came with another bundle, or the bot's name is taken by one of
    another kind. Full, saying what is left and when there is more, beyond the quota.
    """
    check_label("a request id", new.request_id, 64)
    lock_owner(tx, new.owner_id)
    digest = bundles.address_of(new.data)
    before = requested(tx, new.owner_id, new.request_id, digest)
    if before is not None:
        return before, False
    player = identity.ensure_player(tx, new.owner_id, new.name, UPLOADED, bounds)
    program = bundles.program_of(digest)
    version = identity.ensure_version(tx, player.id, digest[:LABEL_DIGITS], program, bounds=bounds)
    is_taken = not version.is_new and of_version(tx, version.id).digest is not None
    if not is_taken:
        check_quota(tx, new.owner_id, len(new.data), quota)
        bundles.store(tx, new.data)
        _insert(tx, new, version.id, digest)
    _note_request(tx, new, digest, version.id)
    return of_version(tx, version.id), not is_taken


def requested(tx: Session, owner_id: int, request_id: str, digest: str) -> SubmissionRow | None:
    """What came of that request of the owner's; None if it is new. Conflict if it had another bundle."""
    where = (SubmissionRequest.owner_id == owner_id, SubmissionRequest.request_id == request_id)
    known = tx.execute(select(SubmissionRequest).where(*where)).scalar_one_or_none()
    if known is None:
        return None
    if known.digest != digest:
        raise Conflict(
            f"request {request_id!r} brought the bundle {known.digest[:12]}… before; "
            "use a new request id for another bundle"
        )
    return of_version(tx, known.version_id)


def of_version(tx: Session, version_id: int) -> SubmissionRow:
    """NotFound if that version was not submitted."""
    row = tx.execute(_select().where(Submission.version_id == version_id)).first()
    return _row(found(row, f"version {version_id} was not uploaded"))


def versions(tx: Session, player_id: int, below: int | None, limit: int) -> list[SubmissionRow]:
    """A bot's submitted versions, newest first; only those with a number below ``below``."""
    statement = _select().where(PlayerVersion.player_id == player_id)
    if below is not None:
        statement = statement.where(PlayerVersion.number < below)
    return [_row(row) for row in tx.execute(statement.order_by(PlayerVersion.number.desc()).limit(limit))]


def latest(tx: Session, owner_id: int, after: str, limit: int) -> list[SubmissionRow]:
    """The newest version of each of an owner's bots, by the bots' names; those whose name follows ``after``."""
    newest = (
        select(func.max(Submission.version_id))
        .join(PlayerVersion, PlayerVersion.id == Submission.version_id)
        .where(Submission.owner_id == owner_id)
        .group_by(PlayerVersion.player_id)
    )
    where = (Submission.version_id.in_(newest), Player.name > after)
    return [_row(row) for row in tx.execute(_select().where(*where).order_by(Player.name).limit(limit))]


def in_state(tx: Session, state: str, limit: int | None = None) -> list[SubmissionRow]:
    """Versions in that state, the longest in it first; all, or so many."""
    rows = _select().where(Submission.state == state)
    ordered = rows.order_by(Submission.changed_at, Submission.version_id).limit(limit)
    return [_row(row) for row in tx.execute(ordered)]


def move(
    tx: Session,
    row: SubmissionRow,
    state: str,
    reason: str = "",
    *,
    level: str | None = None,
    table_id: str | None = None,
    faults: int | None = None,
) -> SubmissionRow:
    """Brings a version to another state and writes the step down. What is None stays as it is.

    Stale if it is not in the state that ``row`` has: somebody else was faster; read it again.
    """
    now = now_ms(tx)
    changed = {"level": level, "table_id": table_id, "faults": faults}
    values: dict[str, Any] = {key: value for key, value in changed.items() if value is not None}
    where = (Submission.version_id == row.version_id, Submission.state == row.state)
    statement = update(Submission).where(*where).values(state=state, reason=reason, changed_at=now, **values)
    if tx.execute(statement.returning(Submission.version_id)).first() is None:
        raise Stale(f"{row.full_name} is not {row.state} any more; look at it again")
    tx.add(Step(version_id=row.version_id, state=state, reason=reason, at=now))
    tx.flush()
    return of_version(tx, row.version_id)


def note_faults(tx: Session, row: SubmissionRow, faults: int) -> SubmissionRow:
    """Counts a version's faults, which is no step of its life."""
    tx.execute(update(Submission).where(Submission.version_id == row.version_id).values(faults=faults))
    return of_version(tx, row.version_id)


def steps(tx: Session, version_id: int) -> list[StepRow]:
    """The states that a version has come to, oldest first."""
    rows = tx.execute(select(Step).where(Step.version_id == version_id).order_by(Step.id)).scalars()
    return [StepRow(row.state, row.reason, row.at) for row in rows]


def forget(tx: Session, version_ids: Sequence[int]) -> None:
    """Deletes the bundles of those versions, unless another version has the same one.

    Conflict if one of them has a table that is planned or being played. What they have played stays.
    """
    waiting = (
        select(TableSeat.table_id)
        .join(GameTable, GameTable.id == TableSeat.table_id)
        .where(TableSeat.version_id.in_(version_ids), GameTable.state.in_(("planned", "running")))
    )
    table = tx.execute(waiting.limit(1)).scalar()
    if table is not None:
        raise Conflict(f"table {table} is still to be played with it; try again when that has ended")
    which = Submission.version_id.in_(version_ids)
    digests = tx.execute(select(Submission.digest).where(which)).scalars().all()
    tx.execute(update(Submission).where(which).values(digest=None))
    kept = select(Submission.digest).where(Submission.digest.is_not(None))
    bundles.delete(tx, [one for one in digests if one], kept)


def _insert(tx: Session, new: NewSubmission, version_id: int, digest: str) -> None:
    """Its row as ``received``; one whose bundle had been deleted begins anew."""
    now = now_ms(tx)
    values: dict[str, Any] = {
        "owner_id": new.owner_id, "digest": digest, "size": len(new.data), "language": new.language,
        "games": list(new.games), "state": RECEIVED, "reason": "", "level": "", "table_id": None,
        "faults": 0, "submitted_at": now, "changed_at": now,
    }  # fmt: skip
    if not insert_new(tx, Submission, version_id=version_id, **values):
        tx.execute(update(Submission).where(Submission.version_id == version_id).values(**values))
    tx.add(Step(version_id=version_id, state=RECEIVED, reason="", at=now))
    tx.flush()


def _note_request(tx: Session, new: NewSubmission, digest: str, version_id: int) -> None:
    tx.add(
        SubmissionRequest(
            owner_id=new.owner_id,
            request_id=new.request_id,
            digest=digest,
            version_id=version_id,
            at=now_ms(tx),
        )
    )
    tx.flush()


def _select() -> Any:
    return (
        select(
            Submission, PlayerVersion.player_id, PlayerVersion.number, Player.name, Owner.name.label("owner")
        )
        .join(PlayerVersion, PlayerVersion.id == Submission.version_id)
        .join(Player, Player.id == PlayerVersion.player_id)
        .join(Owner, Owner.id == Player.owner_id)
        .execution_options(populate_existing=True)
    )


def _row(found: Any) -> SubmissionRow:
    row: Submission = found.Submission
    return SubmissionRow(
        row.version_id, found.player_id, row.owner_id, found.owner, found.name, found.number, row.digest,
        row.size, row.language, tuple(row.games), row.state, row.reason, row.level, row.table_id,
        row.faults, row.submitted_at, row.changed_at,
    )  # fmt: skip
