"""Writes the dashboards: ``python deploy/grafana/make.py [FOLDER]``. What is committed is what this writes.

A panel is a title, its queries with their legends, and the unit of its axis.
"""

import json
import sys
from pathlib import Path
from typing import Any

Panel = tuple[str, list[tuple[str, str]], str]

WIDTH, HEIGHT, ACROSS = 12, 8, 2


def quantile(q: float, metric: str, by: str = "") -> str:
    """The quantile of a histogram over five minutes."""
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({q}, sum by ({labels}) (rate({metric}_bucket[5m])))"


def rate(metric: str, by: str = "") -> str:
    """A counter's growth a second, summed over whoever counts."""
    return f"sum by ({by}) (rate({metric}[5m]))" if by else f"sum(rate({metric}[5m]))"


DASHBOARDS: dict[str, tuple[str, list[Panel]]] = {
    "play": ("mamenoki: matches", [
        ("Matches ended, by game", [(rate("mamenoki_matches_finished_total", "game, variant"), "{{game}}/{{variant}}")], "ops"),
        ("How they ended", [(rate("mamenoki_matches_finished_total", "end"), "{{end}}")], "ops"),
        ("Moves, by game", [(rate("mamenoki_moves_total", "game"), "{{game}}")], "ops"),
        ("Time to answer, median and 99 %", [
            (quantile(0.5, "mamenoki_move_seconds", "game"), "{{game}} median"),
            (quantile(0.99, "mamenoki_move_seconds", "game"), "{{game}} 99 %"),
        ], "s"),
        ("Open matches", [("sum(mamenoki_open_matches)", "matches")], "short"),
        ("Attempts that came to nothing", [(rate("mamenoki_attempts_ended_total", "cause"), "{{cause}}")], "ops"),
        ("Seats forfeited", [(rate("mamenoki_seats_forfeited_total", "why"), "{{why}}")], "ops"),
        ("Tables without a result", [("max by (reason) (mamenoki_voids_total)", "{{reason}}")], "short"),
    ]),
    "queue": ("mamenoki: queue and work", [
        ("Tables", [("max by (state) (mamenoki_tables)", "{{state}}")], "short"),
        ("Longest wait of a due table", [("max(mamenoki_table_wait_seconds)", "wait")], "s"),
        ("Messages that wait", [("max by (queue) (mamenoki_queue_depth)", "{{queue}}")], "short"),
        ("From sending to beginning, 99 %", [(quantile(0.99, "mamenoki_queue_seconds", "task"), "{{task}}")], "s"),
        ("Tasks", [(rate("mamenoki_tasks_total", "task, end"), "{{task}} {{end}}")], "ops"),
        ("Time in a task, 99 %", [(quantile(0.99, "mamenoki_task_seconds", "task"), "{{task}}")], "s"),
        ("Share of playing tasks that is play", [
            (f"{rate('mamenoki_play_seconds_total')} / {rate('mamenoki_play_task_seconds_total')}", "play"),
        ], "percentunit"),
        ("Tables asked of the engine", [(rate("mamenoki_tables_asked_total", "outcome"), "{{outcome}}")], "ops"),
        ("Sent by the dispatcher", [(rate("mamenoki_sent_total", "task"), "{{task}}")], "ops"),
        ("Follow-up jobs not done", [("max by (kind) (mamenoki_jobs)", "{{kind}}")], "short"),
        ("Batches that found no engine", [(rate("mamenoki_engine_away_total"), "batches")], "ops"),
        ("Sources that cannot be read", [("max by (source) (mamenoki_scrape_failed)", "{{source}}")], "short"),
    ]),
    "engine": ("mamenoki: engine", [
        ("Up", [('up{job="engine"}', "{{instance}}")], "short"),
        ("Writing fails", [("mamenoki_database_away", "{{instance}}")], "short"),
        ("From end to commit, median and 99 %", [
            (quantile(0.5, "mamenoki_result_lag_seconds"), "median"),
            (quantile(0.99, "mamenoki_result_lag_seconds"), "99 %"),
        ], "s"),
        ("Streams", [("sum by (kind) (mamenoki_open_streams)", "{{kind}}")], "short"),
        ("Places of players who are here", [("sum by (state) (mamenoki_places)", "{{state}}")], "short"),
        ("Answers that did not count", [(rate("mamenoki_answers_refused_total", "reason"), "{{reason}}")], "ops"),
        ("Calls", [(rate("mamenoki_grpc_calls_total", "method, code"), "{{method}} {{code}}")], "ops"),
        ("Time in calls", [(rate("mamenoki_grpc_seconds_total", "method"), "{{method}}")], "s"),
        ("Stood still", [("increase(mamenoki_engine_stalls_total[5m])", "{{instance}}")], "short"),
        ("Presence not taken, spectators' gaps", [
            (rate("mamenoki_presence_failures_total"), "presence"), (rate("mamenoki_watch_gaps_total"), "gaps"),
        ], "ops"),
        ("Memory", [('process_resident_memory_bytes{job=~"engine|web"}', "{{job}} {{instance}}")], "bytes"),
        ("Open files", [('process_open_fds{job=~"engine|web"}', "{{job}} {{instance}}")], "short"),
    ]),
    "bots": ("mamenoki: bots", [
        ("Workers that run uploaded bots", [("sum(mamenoki_sandbox)", "workers")], "short"),
        ("Messages with uploaded bots that wait", [('max(mamenoki_queue_depth{queue="sandbox"})', "messages")], "short"),
        ("House seats filled", [(rate("mamenoki_house_seats_total", "end"), "{{end}}")], "ops"),
        ("Moves by house bots", [(rate("mamenoki_house_moves_total"), "moves")], "ops"),
        ("Tables void because of us", [('max(mamenoki_voids_total{reason="infra"})', "void")], "short"),
        ("Why attempts ended", [("max by (cause) (mamenoki_attempts_total)", "{{cause}}")], "short"),
    ]),
    "ratings": ("mamenoki: ratings and fairness", [
        ("Results that the ratings lack", [("max by (ladder) (mamenoki_ladder_unfolded)", "{{ladder}}")], "short"),
        ("Players who are here", [("max by (ladder) (mamenoki_ladder_entrants)", "{{ladder}}")], "short"),
        ("Longest wait of those who are here", [("max by (ladder) (mamenoki_ladder_longest_wait_seconds)", "{{ladder}}")], "s"),
        ("Most games over fewest", [("max by (ladder) (mamenoki_ladder_games_spread)", "{{ladder}}")], "short"),
        ("Promises of the data broken", [("max by (promise) (mamenoki_promise_broken)", "{{promise}}")], "short"),
        ("Since the last audit", [("min(mamenoki_audit_age_seconds)", "age")], "s"),
    ]),
    "web": ("mamenoki: web", [
        ("Requests", [(rate("mamenoki_web_requests_total", "route, status"), "{{route}} {{status}}")], "ops"),
        ("Time to answer, median and 95 %", [
            (quantile(0.5, "mamenoki_web_request_seconds"), "median"),
            (quantile(0.95, "mamenoki_web_request_seconds"), "95 %"),
        ], "s"),
        ("Slowest routes, 95 %", [(f"topk(10, {quantile(0.95, 'mamenoki_web_request_seconds', 'route')})", "{{route}}")], "s"),
        ("Failed", [('sum by (route) (rate(mamenoki_web_requests_total{status=~"5.."}[5m]))', "{{route}}")], "ops"),
    ]),
}  # fmt: skip


def panel(number: int, title: str, queries: list[tuple[str, str]], unit: str) -> dict[str, Any]:
    """One graph, in its place on a grid of two columns."""
    column, row = number % ACROSS, number // ACROSS
    source = {"type": "prometheus", "uid": "prometheus"}
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": title,
        "datasource": source,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": source, "expr": query, "legendFormat": legend}
            for at, (query, legend) in enumerate(queries)
        ],
    }


def dashboard(name: str) -> dict[str, Any]:
    """One page of graphs, as Grafana reads it."""
    title, panels = DASHBOARDS[name]
    return {
        "uid": f"mamenoki-{name}",
        "title": title,
        "tags": ["mamenoki"],
        "schemaVersion": 39,
        "version": 1,
        "editable": False,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "links": [{"type": "dashboards", "title": "mamenoki", "tags": ["mamenoki"], "asDropdown": True}],
        "panels": [panel(number, *one) for number, one in enumerate(panels)],
    }


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in DASHBOARDS:
        text = json.dumps(dashboard(name), indent=2, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "dashboards")
