"""Figures that stand in the database and in Redis, read when somebody scrapes.

They are read by a thread of the worker's main process, which forks its children. Whatever lock a
thread holds at a fork, SQLite's own among them, the child finds locked for ever; and a connection
that it inherits is none that it may use or close. So no fork falls into a scrape, and no scrape
leaves a connection behind.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import redis
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from scheduler import events, ladders, leagues, no_shows
from scheduler.domain.fairness import OF_TABLES
from scheduler.playing import ABSENT
from scheduler.runtime import depths
from scheduler.sandbox import NONE
from scheduler.settings import SchedulerSettings
from service.logging import get
from service.presence import Presence, PresenceError, Present
from storage import figures, findings, set_records, sets, tables, webhooks
from storage import ladders as ladder_rows
from storage.database import Database, Transaction
from storage.errors import StorageError
from storage.redealing import ANEW, OFTEN_ENOUGH

VOIDS = {
    "infra": "infra",
    ABSENT: "absent",
    leagues.NO_SHOW: "no_show",
    no_shows.NO_SHOW: "no_show",
    events.OVERTAKEN: "overtaken",
    events.CALLED_OFF: "called_off",
    "every seat was forfeited": "forfeited",
    ANEW: "dealt_anew",
    OFTEN_ENOUGH: "infra",
}
UNEVEN = {
    "seat_spread": "The most that a player of ours sat more often at one seat than at another.",
    "size_spread": "The most by which shares of a table size differ between players of ours.",
    "repeats": "The share of meetings that followed at once on one of the same two players.",
}
EVERYWHERE = 1_000_000  # tables at once: whoever is here counts, however busy
_log = get("scheduler")

_scraping = threading.Lock()
os.register_at_fork(
    before=_scraping.acquire, after_in_parent=_scraping.release, after_in_child=_scraping.release
)


class ProcessSums(Collector):
    """The sums over the files of all the worker's processes, those that have gone too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Metric]:
        # A file that a child is about to make is empty for a moment, which the package cannot read.
        files = [str(file) for file in self._folder.glob("*.db") if file.stat().st_size]
        yield from MultiProcessCollector.merge(files, accumulate=True)  # type: ignore[no-untyped-call]  # the package's


class SchedulerCollector(Collector):
    """Tables, faults, jobs, ladders and queues. A source that cannot be read leaves its figures out,
    and ``mamenoki_scrape_failed`` says so."""

    def __init__(self, settings: SchedulerSettings) -> None:
        self._database_url = settings.database_url
        self._shuts_in = settings.sandbox != NONE
        self._presence = Presence(settings.redis_url, settings.presence_ttl_ms)
        self._redis: Any = redis.Redis.from_url(
            settings.redis_url, socket_timeout=2, socket_connect_timeout=2
        )

    def collect(self) -> Iterator[Metric]:
        with _scraping:
            metrics = list(self._scrape())
        yield from metrics

    def _scrape(self) -> Iterator[Metric]:
        failed = GaugeMetricFamily(
            "mamenoki_scrape_failed", "1: this source could not be read.", labels=["source"]
        )
        for source, read in (("database", self._from_database), ("redis", self._from_redis)):
            try:
                metrics = read()
            except (StorageError, redis.RedisError, OSError) as error:
                _log.warning("scrape_failed", source=source, why=str(error)[:200])
                metrics = []
            failed.add_metric([source], 0.0 if metrics else 1.0)
            yield from metrics
        yield failed
        yield _gauge("sandbox", "1: this worker runs uploaded bots.", None, float(self._shuts_in))

    def _from_redis(self) -> list[Metric]:
        return [_gauge("queue_depth", "Messages that wait.", "queue", depths(self._redis))]

    def _from_database(self) -> list[Metric]:
        database = Database(self._database_url, pool_size=1)
        try:
            with database.reading() as tx:
                return [*_of_tables(tx), *_of_faults(tx), *_of_audit(tx), *_of_ladders(tx, self._present())]
        finally:
            database.close()

    def _present(self) -> Mapping[int, Present]:
        try:
            return self._presence.read()
        except PresenceError:  # the queues' figures fail for the same reason, and say so
            return {}


def _of_tables(tx: Transaction) -> list[Metric]:
    backlog = tables.backlog(tx)
    states = {"planned": backlog.planned, "waiting": backlog.waiting, "running": backlog.running}
    return [
        _gauge("tables", "Tables planned, planned and due, and in play.", "state", states),
        _gauge(
            "table_wait_seconds", "How long the longest due table has waited.", None, backlog.oldest_ms / 1000
        ),
        _gauge("webhooks", "Webhooks, active and disabled.", "state", webhooks.states(tx)),
        _gauge("jobs", "Follow-up jobs not done.", "kind", figures.jobs_waiting(tx)),
    ]


def _of_faults(tx: Transaction) -> list[Metric]:
    faults = figures.faults(tx)
    voids: dict[str, int] = dict.fromkeys([*VOIDS.values(), "other"], 0)
    for reason, count in faults.voids.items():  # an operator's reason is free text: no label
        voids[VOIDS.get(reason, "other")] += count
    return [
        _counter("attempts", "Tries at tables that came to nothing.", "cause", faults.attempts),
        _counter("voids", "Tables that ended without a result.", "reason", voids),
    ]


def _of_audit(tx: Transaction) -> list[Metric]:
    found = findings.latest(tx)
    broken = {one.promise: float(one.broken) for one in found}
    metrics: list[Metric] = [
        _gauge(
            "promise_broken", "Rows that break a promise of the data, when last audited.", "promise", broken
        )
    ]
    if found:
        age = max(one.age_ms for one in found) / 1000
        metrics.append(_gauge("audit_age_seconds", "Since the last audit.", None, age))
    return metrics


def _of_ladders(tx: Transaction, present: Mapping[int, Present]) -> list[Metric]:
    open_sets = set_records.open_sets(tx)
    sets_family = _gauge(
        "ladder_open_sets", "Sets on one deal with a table that has not ended.", "ladder", {}
    )
    unfolded = _gauge("ladder_unfolded", "Ledger entries that the ratings lack.", "ladder", {})
    there = _gauge("ladder_entrants", "Players on the ladder who are here.", "ladder", {})
    wait = _gauge("ladder_longest_wait_seconds", "The longest wait of those who are here.", "ladder", {})
    spread = _gauge("ladder_games_spread", "Most games over fewest of those who are here.", "ladder", {})
    uneven = {name: _gauge(f"ladder_{name}", text, "ladder", {}) for name, text in UNEVEN.items()}
    for ladder in ladder_rows.ladders(tx):
        seats = ladder_rows.entrants(tx, ladder.id)
        figures_of = ladders.fairness(tx, ladder, seats)
        is_together = sets.find_rule(tx, ladder.id) is not None
        for name, family in uneven.items():
            if not (is_together and name in OF_TABLES):
                family.add_metric([ladder.name], float(getattr(figures_of, name)))
        if is_together:
            sets_family.add_metric([ladder.name], open_sets.get(ladder.id, 0))
        here = [one for one in ladders.standings(tx, ladder, seats, present, EVERYWHERE) if one.places > 0]
        games = [one.games for one in here] or [0]
        unfolded.add_metric([ladder.name], ladder.next_place - ladder.folded_place)
        there.add_metric([ladder.name], len(here))
        wait.add_metric([ladder.name], max((one.waited_ms for one in here), default=0) / 1000)
        spread.add_metric([ladder.name], max(games) - min(games))
    return [sets_family, unfolded, there, wait, spread, *uneven.values()]


def _gauge(name: str, text: str, label: str | None, values: Mapping[str, float] | float) -> GaugeMetricFamily:
    if not isinstance(values, Mapping):
        return GaugeMetricFamily(f"mamenoki_{name}", text, value=values)
    family = GaugeMetricFamily(f"mamenoki_{name}", text, labels=[label or ""])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _counter(name: str, text: str, label: str, values: Mapping[str, float]) -> CounterMetricFamily:
    family = CounterMetricFamily(f"mamenoki_{name}", text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
