"""What the beat sets off: each window is done once, however many beats and workers tick."""

import secrets
from collections.abc import Mapping

from ratings.follow import fold_ladder
from scheduler import events, ladders, leagues, no_shows, trials
from scheduler.settings import SchedulerSettings
from service.logging import get
from service.presence import Present
from storage import jobs, windows
from storage import ladders as ladder_rows
from storage import leagues as league_rows
from storage.database import Database, now_ms

TRIALS = "trials"
_log = get("scheduler")


def plan_ladders(database: Database, settings: SchedulerSettings, present: Mapping[int, Present]) -> int:
    """Plans the next tables of every open ladder, once a window of ``plan_ms``; how many."""
    limits = ladders.Limits(settings.planned_most, settings.tables_at_once, settings.longest_wait_ms)
    with database.reading() as tx:
        window = now_ms(tx) // settings.plan_ms * settings.plan_ms
        opened = [ladder for ladder in ladder_rows.ladders(tx) if ladder.open]
    planned = 0
    for ladder in opened:
        with database.transaction() as tx:
            is_ours = windows.once(tx, _window_name(ladder.id), window)
            seed = secrets.randbits(64)
            ids = ladders.plan_next(tx, ladder, present, limits, seed) if is_ours else []
        if ids:  # said when it is committed, as everything that a table goes through is
            _log.info("planned", ladder=ladder.name, tables=ids)
        planned += len(ids)
    return planned


def open_rounds(database: Database) -> list[leagues.Opened]:
    """Opens the rounds whose windows have come, each once; those that were opened by this call."""
    with database.reading() as tx:
        due = [
            (league, *found)
            for league in league_rows.leagues(tx)
            if (found := leagues.due_window(tx, league)) is not None
        ]
    opened = []
    for league, season, window in due:
        with database.transaction() as tx:
            leagues.end_no_shows(tx, season)
            one = leagues.open_round(tx, league, season, window, secrets.randbits(64))
        if one is not None:
            opened.append(one)
            _log.info("round_opened", league=league.name, number=one.round.number, tables=one.tables)
    return opened


def end_no_shows(database: Database, present: Mapping[int, Present]) -> list[str]:
    """Ends the tables of events that have waited for somebody long enough; their ids."""
    with database.transaction() as tx:
        ended = no_shows.end_no_shows(tx, present)
    if ended:
        _log.info("no_show", tables=ended)
    return ended


def try_uploads(database: Database, settings: SchedulerSettings) -> int:
    """Ends and begins trials of uploaded versions, once a window of ``plan_ms``; how many tables it planned."""
    with database.reading() as tx:
        window = now_ms(tx) // settings.plan_ms * settings.plan_ms
        if not trials.anything_due(tx):
            return 0
    with database.transaction() as tx:
        is_ours = windows.once(tx, TRIALS, window)
        decided = trials.decide(tx) if is_ours else []
        ids = trials.begin(tx) if is_ours else []
    for row in decided:
        _log.info("trial_ended", bot=row.full_name, state=row.state)
    if ids:
        _log.info("planned", ladder=None, tables=ids)
    return len(ids)


def follow_up(database: Database, job_id: int) -> bool:
    """Does a job and ends it; False if it has been done, or was added again under another id."""
    with database.reading() as tx:
        job = jobs.find(tx, job_id)
    if job is None:
        return False
    if job.kind == jobs.FOLD:
        fold_ladder(database, int(job.key))  # it ends the job itself, when nothing is left to fold
    elif job.kind == jobs.ROUND:
        with database.transaction() as tx:
            leagues.close_round(tx, int(job.key))
            jobs.delete(tx, job_id)
    elif job.kind == jobs.EVENT:
        with database.transaction() as tx:
            planned = events.advance(tx, int(job.key))
            jobs.delete(tx, job_id)
        _log.info("event_advanced", id=job.key, tables=len(planned))
    else:
        raise ValueError(f"job {job_id} is of a kind that nobody does here: {job.kind!r}")
    return True


def tidy(database: Database, settings: SchedulerSettings) -> None:
    """Forgets windows that are long over, and benches uploaded versions whose tables come to nothing."""
    with database.transaction() as tx:
        before = now_ms(tx) - settings.windows_kept_ms
        windows.forget(tx, TRIALS, before)
        for ladder in ladder_rows.ladders(tx):
            windows.forget(tx, _window_name(ladder.id), before)
        benched = trials.bench(tx)
    for row in benched:
        _log.warning("benched", bot=row.full_name, why=row.reason)


def _window_name(ladder_id: int) -> str:
    return f"ladder/{ladder_id}"
