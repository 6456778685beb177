"""Where a worker runs uploaded bots, and whether it can."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot_runner.bundles.shelf import Load
from bot_runner.errors import BundleCorrupt, SandboxMissing
from bot_runner.places import default_folder
from bot_runner.runner import Runner, RunnerSettings
from scheduler.settings import SchedulerSettings
from service.logging import get
from storage import bundles
from storage.database import Database
from storage.errors import NotFound

NONE: Final = "none"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_log = get("worker")


def probed(settings: SchedulerSettings) -> SchedulerSettings:
    """The settings as this machine can keep them: one that cannot shut bots in runs none, and says why.

    Nothing weaker than what was asked for is taken instead.
    """
    if settings.sandbox == NONE:
        return settings
    try:
        runner = Runner(runner_settings(settings), _load_nothing)
    except (SandboxMissing, OSError) as error:
        _log.error(
            "no_sandbox", why=str(error), todo="see `mamenoki doctor`; uploaded bots wait for another worker"
        )
        return settings.model_copy(update={"sandbox": NONE})
    _log.info(
        "sandbox", kind=runner.level.value, unlimited=runner.level.unlimited, languages=runner.languages()
    )
    runner.close_now()
    return settings


def open_runner(settings: SchedulerSettings, database: Database) -> Runner | None:
    """This process's runner; None where no uploaded bot is run. Call it in the thread of the event loop."""
    if settings.sandbox == NONE:
        return None
    try:
        return Runner(runner_settings(settings), loader(database))
    except (SandboxMissing, OSError) as error:
        _log.error("no_sandbox", why=str(error))
        return None


def runner_settings(settings: SchedulerSettings) -> RunnerSettings:
    """Where and how bots are shut in. ValueError for the level none."""
    if settings.sandbox == NONE:
        raise ValueError("no bots are run here")
    return RunnerSettings(settings.sandbox, folder(settings))


def folder(settings: SchedulerSettings) -> Path:
    """What a runner writes is below it."""
    return Path(settings.bots_folder) if settings.bots_folder else default_folder()


def loader(database: Database) -> Load:
    """Gives bundles from the database; one that is not there is our fault, and says so."""

    def load(digest: str) -> bytes:
        try:
            with database.reading() as tx:
                return bundles.data(tx, digest)
        except NotFound as error:
            raise BundleCorrupt(str(error)) from error

    return load


@contextmanager
def room(settings: SchedulerSettings) -> Iterator[bool]:
    """Room for one match between uploaded bots, if there is: a machine has as much as it has cores, so that
    no bot waits for another's thinking. Held by a lock, which the kernel lets go when its holder dies."""
    lock = _take_any(folder(settings))
    try:
        yield lock is not None
    finally:
        if lock is not None:
            os.close(lock)


def _take_any(where: Path) -> int | None:
    places = where / "matches"
    places.mkdir(mode=0o700, exist_ok=True)
    for number in range(os.cpu_count() or 1):
        lock = os.open(places / str(number), _FLAGS, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return lock
    return None


def _load_nothing(digest: str) -> bytes:
    raise BundleCorrupt(f"a machine is being tried; there is no bundle {digest} yet")
