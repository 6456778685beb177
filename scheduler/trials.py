"""Trials: an uploaded version plays house bots, shut in and under real limits, on every game it names.

Nothing is kept but what the tables hold: who looks again sees how far a trial has come. A version
that crashes at table after table, or whose tables come to nothing in our workers, is benched, and
tried again after a pause.
"""

from collections.abc import Sequence

from engine_service.games import find
from scheduler import bots
from scheduler.domain.versions import MOST_FAULTS
from scheduler.ladders import HOUSE
from scheduler.tables import new_table
from storage import bundles, identity, ladders, results, submissions, tables, trials
from storage.bundles import ReportRow
from storage.database import Transaction, now_ms
from storage.ladders import LadderRow
from storage.new_tables import new_ids
from storage.submissions import ACTIVE, BENCHED, CHECKED, QUALIFYING, SubmissionRow
from storage.trials import TrialRow

AT_ONCE = 20
"""Versions looked at in each state by one look."""
REPORT_MS = 30_000
"""A worker tells of a seat right after its match; one that died never does."""
PAUSE_MS = 600_000
"""How long a benched version waits until it is tried again."""


def anything_due(tx: Transaction) -> bool:
    """Whether a look would find a version to try, or one that is being tried."""
    return any(submissions.in_state(tx, state, 1) for state in (CHECKED, QUALIFYING, BENCHED))


def begin(tx: Transaction) -> list[str]:
    """Plans the trials of the versions that wait for one; the tables' ids."""
    now = now_ms(tx)
    for benched in submissions.in_state(tx, BENCHED, AT_ONCE):
        if benched.changed_at + PAUSE_MS <= now:
            bots.probe(tx, benched.version_id)
    return [id for row in submissions.in_state(tx, CHECKED, AT_ONCE) for id in _begin(tx, row)]


def decide(tx: Transaction) -> list[SubmissionRow]:
    """Ends the trials whose tables have all ended; the versions, as they are now."""
    return [decided for row in submissions.in_state(tx, QUALIFYING, AT_ONCE) if (decided := _decide(tx, row))]


def bench(tx: Transaction) -> list[SubmissionRow]:
    """Benches the versions that crashed at their latest tables, so many in a row, or whose tables came to
    nothing; those versions."""
    benched = []
    for row in submissions.in_state(tx, ACTIVE):
        if trials.faults_in_a_row(tx, row.version_id, row.changed_at, MOST_FAULTS) >= MOST_FAULTS:
            why = (
                f"it crashed at each of its last {MOST_FAULTS} tables, or they came to nothing; "
                f"it is tried again in {PAUSE_MS // 60_000} minutes"
            )
            benched.append(bots.bench(tx, row.version_id, why))
    return benched


def _begin(tx: Transaction, row: SubmissionRow) -> list[str]:
    games = {ladder.name: ladder for ladder in ladders.ladders(tx) if ladder.name in row.games}
    missing = [game for game in row.games if game not in games]
    if missing:
        bots.refuse(tx, row.version_id, f"{', '.join(missing)} is not played here any more")
        return []
    bots.begin_trial(tx, row.version_id)  # its time comes first: trials are the tables planned since
    return [_plan(tx, row, games[game]) for game in row.games]


def _plan(tx: Transaction, row: SubmissionRow, ladder: LadderRow) -> str:
    _, variant = find(f"{ladder.game}/{ladder.variant}")
    (id,) = new_ids(now_ms(tx), 1)
    mine = (row.player_id, row.version_id)
    seats = (mine, *_opponents(tx, ladder, max(variant.min_seats, 2) - 1))
    table = new_table(ladder, id, seats, rated=False)
    tables.plan(tx, [table])
    return id


def _opponents(tx: Transaction, ladder: LadderRow, count: int) -> list[tuple[int, int]]:
    """House bots of the ladder, in their order; the random one where it has too few."""
    here = [(one.player_id, one.version_id) for one in ladders.entrants(tx, ladder.id) if one.kind == HOUSE]
    if len(here) < count:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, HOUSE), "trial", HOUSE)
        version = identity.ensure_version(tx, player.id, "random", "random")
        here += [(player.id, version.id)] * (count - len(here))
    return here[:count]


def _decide(tx: Transaction, row: SubmissionRow) -> SubmissionRow | None:
    """None: it is not decided yet."""
    found = trials.of_version(tx, row.version_id, row.changed_at)
    void = [trial for trial in found if trial.state == tables.VOID]
    if void:
        return _came_to_nothing(tx, row, void[0])
    if not all(trial.state == tables.DONE and _is_told(tx, trial) for trial in found):
        return None
    for trial in found:
        forfeit = results.get(tx, trial.table_id).played.forfeits.get(trial.seat)
        if forfeit is not None:
            return _refuse(tx, row, trial, forfeit)
    level = next((one.level for trial in found for one in _reports(tx, trial)), "")
    return bots.qualify(tx, row.version_id, level, found[-1].table_id if found else None)


def _came_to_nothing(tx: Transaction, row: SubmissionRow, trial: TrialRow) -> SubmissionRow:
    why = f"the trial {trial.table_id} came to nothing ({trial.void_reason})"
    if row.faults + 1 >= MOST_FAULTS:
        return bots.refuse(tx, row.version_id, f"{why}, as {row.faults} before it", table_id=trial.table_id)
    submissions.note_faults(tx, row, row.faults + 1)
    return bots.resume_trial(tx, row.version_id, f"{why}; it is tried again")


def _refuse(tx: Transaction, row: SubmissionRow, trial: TrialRow, forfeit: str) -> SubmissionRow:
    reports = _reports(tx, trial)
    details = "".join(f": {one.why}" for one in reports[-1:] if one.why)
    level = reports[-1].level if reports else ""
    reason = f"it forfeited {trial.game}/{trial.variant} by {forfeit}{details}"
    return bots.refuse(tx, row.version_id, reason, level, trial.table_id)


def _is_told(tx: Transaction, trial: TrialRow) -> bool:
    """Whether the seat's report is there, or will not come any more."""
    return bool(_reports(tx, trial)) or (trial.ended_at or 0) + REPORT_MS <= now_ms(tx)


def _reports(tx: Transaction, trial: TrialRow) -> Sequence[ReportRow]:
    return [one for one in bundles.reports(tx, trial.table_id) if one.seat == trial.seat]
