"""What happens when the worker, its children and their tasks begin and end."""

import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from celery import signals
from prometheus_client import CollectorRegistry

from scheduler import metrics
from scheduler.app import SENT_HEADER
from scheduler.collecting import ProcessSums, SchedulerCollector
from scheduler.runtime import close_runtime, open_runtime
from scheduler.settings import SchedulerSettings
from service.logging import get
from service.metrics import serve

PR_SET_PDEATHSIG = 1
PLAYING = frozenset({"mamenoki.play_batch", "mamenoki.play_uploaded"})
_log = get("worker")


class Lifecycle:
    """Celery's signals, answered for one worker. Celery holds its receivers weakly: keep this."""

    def __init__(self, settings: SchedulerSettings) -> None:
        self._settings = settings
        self._main = os.getpid()
        self._server: Any = None
        self._began: dict[str, float] = {}

    def worker_begins(self, **_: object) -> None:
        """In the main process, before it has children."""
        if self._settings.worker_metrics_address:
            registry = CollectorRegistry()
            registry.register(ProcessSums(Path(os.environ[metrics.FOLDER])))
            registry.register(SchedulerCollector(self._settings))
            address, self._server = serve(self._settings.worker_metrics_address, registry)
            _log.info("worker_metrics", address=address)

    def child_begins(self, **_: object) -> None:
        """In a child, before its first task."""
        self._die_with_main()
        if self._server is not None:
            self._server.socket.close()  # the main process's, which a child must not hold open
        open_runtime(self._settings)

    def child_ends(self, **_: object) -> None:
        """In a child that ends by itself."""
        close_runtime(self._settings.end_beside_ms / 1000)

    def task_begins(self, task_id: str, task: Any, **_: object) -> None:
        """Before a task."""
        self._began[task_id] = time.monotonic()
        sent = (task.request.headers or {}).get(SENT_HEADER)
        if sent is not None:
            metrics.QUEUE_SECONDS.labels(_name(task)).observe(max(0.0, time.time() - sent / 1000))

    def task_ends(self, task_id: str, task: Any, state: str | None = None, **_: object) -> None:
        """After a task, however it ended."""
        seconds = time.monotonic() - self._began.pop(task_id, time.monotonic())
        metrics.TASKS.labels(_name(task), (state or "unknown").lower()).inc()
        metrics.TASK_SECONDS.labels(_name(task)).observe(seconds)
        if task.name in PLAYING:
            metrics.PLAY_TASK_SECONDS.inc(seconds)

    def _die_with_main(self) -> None:
        """No child outlives a main process that was killed; its tables are played again anyway."""
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != self._main:
                os._exit(1)


def connect(settings: SchedulerSettings) -> Lifecycle:
    """Listens to Celery's signals in this process and its children."""
    life = Lifecycle(settings)
    signals.worker_init.connect(life.worker_begins, weak=False)
    signals.worker_process_init.connect(life.child_begins, weak=False)
    signals.worker_process_shutdown.connect(life.child_ends, weak=False)
    signals.task_prerun.connect(life.task_begins, weak=False)
    signals.task_postrun.connect(life.task_ends, weak=False)
    return life


def _name(task: Any) -> str:
    return str(task.name).removeprefix("mamenoki.")
