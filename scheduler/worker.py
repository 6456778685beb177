"""``python -m scheduler.worker``: a Celery worker for all queues that it can serve, with its children and its metrics."""

import os
import shutil
import tempfile
from pathlib import Path

from scheduler.sandbox import NONE, probed
from scheduler.settings import SchedulerSettings, read
from service import logging

FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def main() -> None:
    """Works until SIGTERM (then ends what it has begun) or a second one."""
    settings = read()
    logging.configure(settings.log_level, settings.log_json)
    folder = _counting_folder(settings)
    os.environ[FOLDER] = str(folder)
    try:
        _work(settings)
    finally:
        if not settings.multiprocess_dir:
            shutil.rmtree(folder, ignore_errors=True)


def _work(settings: SchedulerSettings) -> None:
    from scheduler import lifecycle  # counts into the folder from its import on
    from scheduler.app import app

    settings = probed(settings)
    lifecycle.connect(settings)
    app.worker_main(
        [
            "worker",
            f"--queues={','.join(queues(settings))}",
            f"--concurrency={settings.worker_processes}",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
            "--loglevel=WARNING",
        ]
    )


def queues(settings: SchedulerSettings) -> list[str]:
    """What a worker takes: without a sandbox that holds, no uploaded bot's table."""
    ours = ["ticks", "control", "play"]
    return ours if settings.sandbox == NONE else [*ours, "sandbox"]


def _counting_folder(settings: SchedulerSettings) -> Path:
    """An empty folder: what a predecessor counted is not ours to tell."""
    if not settings.multiprocess_dir:
        return Path(tempfile.mkdtemp(prefix="mamenoki-counts-"))
    folder = Path(settings.multiprocess_dir)
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.db"):
        file.unlink()
    return folder


if __name__ == "__main__":
    main()
