"""Follow-up jobs, and the windows of periodic ones."""

from storage import jobs, windows
from storage.database import Database, Transaction, now_ms
from tests.fixtures.records import race

LONG = 30_000


def due(tx: Transaction, resend_after_ms: int = LONG) -> list[jobs.JobRow]:
    return jobs.due(tx, 10, resend_after_ms)


def test_a_job_is_due_until_it_is_deleted(database: Database) -> None:
    with database.transaction() as tx:
        jobs.add(tx, jobs.FOLD, 7)
        (job,) = due(tx)
        assert (job.kind, job.key) == ("fold", "7")
        assert 0 <= job.waited_ms < LONG
        assert jobs.find(tx, job.id) is not None
        assert jobs.delete(tx, job.id)
        assert not jobs.delete(tx, job.id)
        assert due(tx) == []
        assert jobs.find(tx, job.id) is None


def test_a_sent_job_comes_again_after_its_time(database: Database) -> None:
    with database.transaction() as tx:
        jobs.add(tx, jobs.FOLD, 7)
        jobs.mark_sent(tx, [job.id for job in due(tx)])
        jobs.mark_sent(tx, [])
        assert due(tx) == []
        assert len(due(tx, resend_after_ms=0)) == 1


def test_a_job_waits_for_its_time(database: Database) -> None:
    with database.transaction() as tx:
        jobs.add(tx, jobs.ROUND, 7, not_before=now_ms(tx) + LONG)
        assert due(tx) == []


def test_the_same_job_is_there_once(database: Database) -> None:
    with database.transaction() as tx:
        jobs.add(tx, jobs.FOLD, 7)
        jobs.add(tx, jobs.FOLD, 7)
        jobs.add(tx, jobs.FOLD, 8)
        jobs.add(tx, jobs.ROUND, 7)
        assert sorted((job.kind, job.key) for job in due(tx)) == [
            ("fold", "7"),
            ("fold", "8"),
            ("round", "7"),
        ]


def test_what_is_added_while_its_task_runs_is_not_lost(database: Database) -> None:
    with database.transaction() as tx:
        jobs.add(tx, jobs.FOLD, 7)
        (sent,) = due(tx)
        jobs.mark_sent(tx, [sent.id])
    with database.transaction() as tx:
        jobs.add(tx, jobs.FOLD, 7)  # another result, after the task looked at the ledger
    with database.transaction() as tx:
        assert not jobs.delete(tx, sent.id)
        (again,) = due(tx)
        assert again.id != sent.id


def test_the_oldest_comes_first(database: Database) -> None:
    with database.transaction() as tx:
        for key in range(4):
            jobs.add(tx, jobs.FOLD, key)
            now = now_ms(tx)
            while now_ms(tx) == now:
                pass
        jobs.add(tx, jobs.FOLD, 0)  # its age stays
        assert [job.key for job in jobs.due(tx, 3, LONG)] == ["0", "1", "2"]


def test_racers_add_one_job(database: Database) -> None:
    race(database, 6, lambda tx: jobs.add(tx, jobs.FOLD, 7))
    with database.reading() as tx:
        assert len(due(tx)) == 1


def test_a_window_is_had_once(database: Database) -> None:
    with database.transaction() as tx:
        assert windows.once(tx, "rounds", 60_000)
        assert not windows.once(tx, "rounds", 60_000)
        assert windows.once(tx, "rounds", 120_000)
        assert windows.once(tx, "ladder", 60_000)


def test_of_racers_one_has_the_window(database: Database) -> None:
    assert sorted(race(database, 6, lambda tx: windows.once(tx, "rounds", 60_000))) == [False] * 5 + [True]


def test_a_window_whose_work_failed_is_free(database: Database) -> None:
    class WorkFailed(Exception):
        pass

    def fail() -> None:
        with database.transaction() as tx:
            assert windows.once(tx, "rounds", 60_000)
            raise WorkFailed

    try:
        fail()
    except WorkFailed:
        with database.transaction() as tx:
            assert windows.once(tx, "rounds", 60_000)
    else:
        raise AssertionError("the failure got lost")


def test_old_windows_are_forgotten(database: Database) -> None:
    with database.transaction() as tx:
        for start in (1, 2, 3):
            windows.once(tx, "rounds", start)
        windows.forget(tx, "rounds", 3)
        assert not windows.once(tx, "rounds", 3)
        assert windows.once(tx, "rounds", 2)


def test_marking_does_not_wait_for_who_holds_a_job(postgresql_url: str) -> None:
    """Two that lock several jobs in different orders would wait in a circle."""
    database = Database(postgresql_url)
    with database.transaction() as tx:
        jobs.add(tx, jobs.FOLD, 7)
        jobs.add(tx, jobs.FOLD, 8)
        ids = [job.id for job in due(tx)]
    with database.transaction() as holder:
        jobs.add(holder, jobs.FOLD, 7)
        with database.transaction() as tx:
            jobs.mark_sent(tx, ids)
    with database.reading() as tx:
        assert [job.key for job in due(tx)] == ["7"]
    database.close()
