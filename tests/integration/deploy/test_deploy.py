"""The deployment's files: rendered, checked, and true to the code."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families

from scheduler import metrics as worker_metrics
from scheduler.auditing import audit_nightly
from scheduler.collecting import SchedulerCollector
from scheduler.settings import SchedulerSettings, read
from storage.database import Database
from tests.fixtures.engine import MakeEngine
from web.metrics import Metrics

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy"
RULES = DEPLOY / "chart" / "files" / "rules.yml"
METRIC = re.compile(r"\b(?:mamenoki|process)_[a-z_]+")
BY_KIND = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def test_a_cluster_would_take_them() -> None:
    """Rendering, schemas, policies, alerts: see deploy/check.py."""
    path = os.pathsep.join((os.environ["PATH"], "/usr/local/bin"))
    done = subprocess.run(
        [sys.executable, "dev", "deploy"], cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "chart, as it comes" in done.stdout
    if "NOT TRIED" in done.stdout:
        pytest.skip("the alerts were not tried: promtool is not on PATH (Debian: the package prometheus)")
    assert "alerts: tried" in done.stdout


def test_the_dashboards_are_as_made(tmp_path: Path) -> None:
    subprocess.run([sys.executable, DEPLOY / "grafana" / "make.py", tmp_path], check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    committed = {path.name: path.read_bytes() for path in (DEPLOY / "grafana" / "dashboards").iterdir()}
    assert made == committed, "run python deploy/grafana/make.py"


async def test_every_metric_that_is_shown_is_counted(
    make_engine: MakeEngine, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    audit_nightly(sqlite_database, read())  # whose findings are metrics
    engine = await make_engine(sqlite_database, redis_url=valkey, engine_metrics_address="127.0.0.1:0")
    counted = {
        *_of_engine(engine.server.metrics),
        *_of_worker(sqlite_url, valkey),
        *_names(Metrics().registry.collect()),
    }
    shown = {"rules": METRIC.findall(RULES.read_text())}
    for path in (DEPLOY / "grafana" / "dashboards").iterdir():
        panels = json.loads(path.read_text())["panels"]
        shown[path.name] = [
            name for one in panels for target in one["targets"] for name in METRIC.findall(target["expr"])
        ]
    for where, names in shown.items():
        assert names, where
        assert set(names) <= counted, f"{where} shows what nobody counts: {set(names) - counted}"


def test_every_alert_has_its_entry() -> None:
    text = RULES.read_text()
    alerts = re.findall(r"alert: (\w+)", text)
    linked = re.findall(r"runbook: docs/runbook.md#(\w+)", text)
    assert linked == [alert.lower() for alert in alerts]
    entries = re.findall(
        r"^## (\w+)\n\n(.*?)(?=\n## |\Z)", (ROOT / "docs" / "runbook.md").read_text(), re.S | re.M
    )
    assert [name for name, _ in entries] == alerts
    for name, entry in entries:
        assert all(part in entry for part in ("**Means**", "**Look at**")), name
        assert re.search(r"\*\*[Dd]o\*\*", entry), name


def test_every_setting_that_is_set_exists() -> None:
    known = {f"MAMENOKI_{name.upper()}" for name in SchedulerSettings.model_fields} | {
        "MAMENOKI_TAG",
        "MAMENOKI_SKEW_S",
    }
    for path in (*DEPLOY.rglob("*.yaml"), *DEPLOY.rglob("*.tpl"), *DEPLOY.rglob("*.service")):
        used = set(re.findall(r"\bMAMENOKI_[A-Z_]+\b", path.read_text()))
        assert used <= known, f"{path.name}: {used - known}"


def test_the_units_are_sound() -> None:
    units = sorted((DEPLOY / "systemd").iterdir())
    worker = (DEPLOY / "systemd" / "mamenoki-worker.service").read_text()
    assert "ProtectKernelTunables=" not in worker, "bubblewrap has to write to /proc/sys"
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here to try the units")
    said = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False
    ).stderr  # fmt: skip
    elsewhere = "/opt/mamenoki/dev is not executable"  # the program, which is not where it will be
    assert [line for line in said.splitlines() if elsewhere not in line] == []


def _of_engine(address: str) -> Iterator[str]:
    with urlopen(f"http://{address}/metrics", timeout=10) as page:  # our own
        text = page.read().decode()
    yield from _names(text_string_to_metric_families(text))


def _of_worker(database_url: str, redis_url: str) -> Iterator[str]:
    settings = read(database_url=database_url, redis_url=redis_url)
    yield from _names(SchedulerCollector(settings).collect())
    for value in vars(worker_metrics).values():
        if isinstance(value, MetricWrapperBase):
            yield from _names(value.describe())


def _names(families: object) -> Iterator[str]:
    for family in families:  # type: ignore[attr-defined]  # anything that gives metric families
        for suffix in BY_KIND.get(family.type, ("",)):
            yield family.name + suffix
