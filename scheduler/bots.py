"""Use cases of uploaded bots: handed in, tried, let play, benched, retired, deleted.

Every change of state is one step of ``scheduler.domain.versions``. Each takes the owner's lock first,
so that of two changes to one owner's bots the second sees the first.
"""

from collections.abc import Iterable

from scheduler.domain.versions import NotNow, after
from storage import identity, ladders, submissions
from storage.bounds import Bounds, lock_owner
from storage.database import Transaction
from storage.errors import Conflict, NotFound
from storage.identity import PlayerRow
from storage.quotas import Quota
from storage.submissions import ACTIVE, UPLOADED, NewSubmission, SubmissionRow

EVERY = 1_000_000
"""More versions than a bot may have."""


def hand_in(tx: Transaction, new: NewSubmission, quota: Quota, bounds: Bounds) -> tuple[SubmissionRow, bool]:
    """Takes in a bundle that keeps all rules; its version, ``checked``, and whether it is new.

    Errors as ``submissions.submit``.
    """
    row, is_new = submissions.submit(tx, new, quota, bounds)
    return (_step(tx, row, "check") if is_new else row), is_new


def find_own(tx: Transaction, owner: str, name: str) -> PlayerRow:
    """The owner's uploaded bot of that name, ``bot`` or ``owner/bot``.

    NotFound in the same words whether there is no such bot, or it is somebody else's.
    """
    missing = NotFound(f"you have no uploaded bot {name!r}; `mamenoki bots` lists yours")
    try:
        player = identity.find_player(tx, name if "/" in name else f"{owner}/{name}")
    except NotFound as error:
        raise missing from error
    if player.owner != owner or player.kind != UPLOADED:
        raise missing
    return player


def begin_trial(tx: Transaction, version_id: int) -> SubmissionRow:
    """A checked version is being tried."""
    return _step(tx, _locked(tx, version_id), "begin")


def resume_trial(tx: Transaction, version_id: int, reason: str) -> SubmissionRow:
    """A trial came to nothing by a fault of ours: the version waits for another."""
    return _step(tx, _locked(tx, version_id), "resume", reason)


def qualify(tx: Transaction, version_id: int, level: str, table_id: str | None = None) -> SubmissionRow:
    """A trial was passed, in a sandbox of that level: the version plays on its ladders from now on."""
    row = _step(tx, _locked(tx, version_id), "qualify", level=level, table_id=table_id, faults=0)
    return _let_play(tx, row)


def refuse(
    tx: Transaction, version_id: int, reason: str, level: str = "", table_id: str | None = None
) -> SubmissionRow:
    """A version will never play; ``reason`` tells its owner why."""
    return _step(tx, _locked(tx, version_id), "refuse", reason, level=level, table_id=table_id)


def activate(tx: Transaction, version_id: int) -> SubmissionRow:
    """A version that has qualified once plays again. Conflict if it has not, or cannot now."""
    row = _locked(tx, version_id)
    if row.digest is None:
        raise Conflict(f"the bundle of {row.full_name} has been deleted; submit it again")
    if row.state == ACTIVE:
        return row
    if ACTIVE not in {step.state for step in submissions.steps(tx, version_id)}:
        raise Conflict(f"{row.full_name} is {row.state} and has not qualified; submit it again")
    return _let_play(tx, _step(tx, row, "activate", faults=0))


def bench(tx: Transaction, version_id: int, reason: str) -> SubmissionRow:
    """A version that plays is taken off its ladders; ``reason`` tells its owner why."""
    benched = _step(tx, _locked(tx, version_id), "bench", reason)
    _leave(tx, benched.player_id)
    return benched


def probe(tx: Transaction, version_id: int) -> SubmissionRow:
    """A benched version waits for another trial, which reinstates it."""
    return _step(tx, _locked(tx, version_id), "probe", "it is tried again")


def retire(tx: Transaction, player: PlayerRow, reason: str = "retired by its owner") -> SubmissionRow:
    """The bot leaves its ladders, and no version of it plays or is tried; its newest version.

    Tables that are planned are played with the versions they name. Twice is once.
    """
    lock_owner(tx, player.owner_id)
    rows = submissions.versions(tx, player.id, None, EVERY)
    for row in rows:
        if row.state not in ("refused", "retired"):
            _step(tx, row, "retire", reason)
    _leave(tx, player.id)
    return submissions.versions(tx, player.id, None, 1)[0]


def delete(tx: Transaction, player: PlayerRow) -> int:
    """Retires the bot and deletes its bundles; how many. Conflict while a table waits for one of them."""
    retire(tx, player, "deleted by its owner")
    kept = [row for row in submissions.versions(tx, player.id, None, EVERY) if row.digest is not None]
    submissions.forget(tx, [row.version_id for row in kept])
    return len(kept)


def _let_play(tx: Transaction, row: SubmissionRow) -> SubmissionRow:
    """The version plays next wherever it says it can; whichever did before retires."""
    for other in _others_active(tx, row):
        _step(tx, other, "retire", f"version {row.number} plays now")
    for ladder in ladders.ladders(tx):
        if ladder.name in row.games:
            ladders.enter(tx, ladder.id, row.player_id, row.version_id)
        else:
            ladders.leave(tx, ladder.id, row.player_id)
    return row


def _others_active(tx: Transaction, row: SubmissionRow) -> Iterable[SubmissionRow]:
    versions = submissions.versions(tx, row.player_id, None, EVERY)
    return [one for one in versions if one.state == ACTIVE and one.version_id != row.version_id]


def _leave(tx: Transaction, player_id: int) -> None:
    for ladder in ladders.ladders(tx):
        ladders.leave(tx, ladder.id, player_id)


def _locked(tx: Transaction, version_id: int) -> SubmissionRow:
    """The version as it is once its owner's lock is held."""
    lock_owner(tx, submissions.of_version(tx, version_id).owner_id)
    return submissions.of_version(tx, version_id)


def _step(
    tx: Transaction,
    row: SubmissionRow,
    event: str,
    reason: str = "",
    *,
    level: str | None = None,
    table_id: str | None = None,
    faults: int | None = None,
) -> SubmissionRow:
    try:
        state = after(row.state, event)
    except NotNow as error:
        raise Conflict(f"{row.full_name}: {error}") from error
    return submissions.move(tx, row, state, reason, level=level, table_id=table_id, faults=faults)
