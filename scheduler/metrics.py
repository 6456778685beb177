"""What the worker's processes count.

Where :data:`FOLDER` is set, as :mod:`scheduler.worker` does before it imports this, each process
counts into a file of its own there and the main process serves the sums: nothing is lost when a
child is replaced or killed. Children take turns in numbered slots, so that there are as many
files as children at once, however many there have been.
"""

import os

from billiard import current_process
from prometheus_client import Counter, Histogram, values

from scheduler.playing import Report

FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def slot() -> str:
    """This process's file: ``main``, or the number of a pool's child, which a successor takes over."""
    index = getattr(current_process(), "index", None)
    return "main" if index is None else str(index)


if FOLDER in os.environ:
    # Replaced before any metric is made below: the package's own choice, one file for each process
    # that ever was, fills the disk as children come and go.
    values.ValueClass = values.MultiProcessValue(slot)  # type: ignore[no-untyped-call]  # the package's

TASKS = Counter("mamenoki_tasks", "Tasks that ended, by name and end.", ["task", "end"])
TASK_SECONDS = Histogram(
    "mamenoki_task_seconds",
    "Time in a task.",
    ["task"],
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000),
)
QUEUE_SECONDS = Histogram(
    "mamenoki_queue_seconds",
    "From sending a message to beginning its task, by the wall clocks of both.",
    ["task"],
    buckets=(0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300),
)
PLAY_SECONDS = Counter(
    "mamenoki_play_seconds", "Time in tasks that play that went into playing: the rest is overhead."
)
PLAY_TASK_SECONDS = Counter("mamenoki_play_task_seconds", "Time in tasks that play, from receipt to end.")
TABLES = Counter("mamenoki_tables_asked", "Tables asked of the engine, by its answer.", ["outcome"])
SEATS = Counter("mamenoki_house_seats", "House seats filled, by how that ended.", ["end"])
MOVES = Counter("mamenoki_house_moves", "Moves by house bots.")
AWAY = Counter("mamenoki_engine_away", "Batches that found no engine.")
SENT = Counter("mamenoki_sent", "Tables and jobs sent, by task.", ["task"])


def count_answers(report: Report) -> None:
    """Counts what came of a batch."""
    for outcome, tables in report.outcomes.items():
        TABLES.labels(outcome).inc(tables)
    for end, seats in report.seats.items():
        SEATS.labels(end).inc(seats)
    MOVES.inc(report.moves)
    AWAY.inc(report.away)
