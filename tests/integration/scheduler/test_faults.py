"""Nothing is lost and nothing is done twice, whatever dies and however often it is said."""

import os
import signal
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

import pytest
import redis

from mamenoki.serve.valkey import Valkey, prepare
from scheduler import ladders
from scheduler.app import PREFIX, TICKS, make_app
from scheduler.settings import read
from scheduler.tables import plan_tables
from storage import ladders as ladder_rows
from storage import planning, tables
from storage.database import Database
from tests.fixtures.stack import ROSTER, MakeStack, Stack
from tests.integration.scheduler.test_leagues import assert_all_once, follow


def children(pid: int) -> list[int]:
    """The worker's pool, by the kernel's word."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def running(stack: Stack) -> int:
    with stack.database.reading() as tx:
        return tables.backlog(tx).running


def figures(stack: Stack) -> dict[str, float]:
    """The worker's metrics, by name and labels; empty while it does not serve."""
    try:
        with urlopen(f"http://127.0.0.1:{stack.metrics_port}/metrics", timeout=5) as answer:  # our own
            lines = answer.read().decode().splitlines()
    except OSError:
        return {}
    return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the worker's children in /proc")
async def test_children_killed_in_the_middle_lose_nothing(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    season = stack.league(tables_each=20)
    worker = stack.worker()
    stack.beat()
    await stack.until(lambda: running(stack) > 0)
    for child in children(worker.pid):
        os.kill(child, signal.SIGKILL)
    await follow(stack, season)
    assert worker.poll() is None
    assert_all_once(stack, season, each=20, planned=60)


async def test_a_killed_worker_is_replaced_by_another(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    season = stack.league(tables_each=20)
    worker = stack.worker()
    stack.beat()
    await stack.until(lambda: running(stack) > 0)
    pool = children(worker.pid)
    worker.kill()
    worker.wait()
    await stack.until(lambda: not any(Path(f"/proc/{child}").exists() for child in pool), seconds=10)
    stack.worker()
    await follow(stack, season)
    assert_all_once(stack, season, each=20, planned=60)


async def test_a_wiped_valkey_is_filled_again(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, tmp_path: Path
) -> None:
    server = Valkey(prepare(tmp_path / "valkey")).start()
    try:
        stack = await make_stack(sqlite_url, sqlite_database, server.url)
        season = stack.league(tables_each=20)
        stack.worker()
        stack.beat()
        await stack.until(lambda: stack.rounds(season))
        server.kill()
        server.launch.wipe()
        server.start()
        await follow(stack, season)
        assert_all_once(stack, season, each=20, planned=60)
    finally:
        stack.processes.stop()
        server.stop()


async def test_two_beats_and_two_workers_do_every_window_once(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey, open_ladder=True)
    season = stack.league(tables_each=1, rounds=3)
    for _ in range(2):
        stack.worker(MAMENOKI_WORKER_METRICS_ADDRESS="", MAMENOKI_TABLES_AT_ONCE="1")
        stack.beat()
    await stack.until(
        lambda: len(stack.rounds(season)) == 3 and all(one.closed_at for one in stack.rounds(season))
    )
    assert [one.number for one in stack.rounds(season)] == [1, 2, 3]
    assert len({one.window_start for one in stack.rounds(season)}) == 3
    for one in stack.rounds(season):
        played = stack.played(one.id)
        assert Counter(player for row in played for player in row.player_ids) == dict.fromkeys(
            {player for row in played for player in row.player_ids}, 1
        )
        assert len(played) == 3


async def test_a_message_delivered_a_hundred_times_has_one_effect(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    with stack.database.transaction() as tx:
        ladders.enter_house(tx, stack.ladder, ROSTER[:4])
        seats = [(one.player_id, one.version_id) for one in ladder_rows.entrants(tx, stack.ladder.id)]
        ids = plan_tables(tx, stack.ladder, [seats] * 5)
    app = make_app(read(redis_url=valkey))
    for _ in range(100):
        app.send_task("mamenoki.play_batch", (ids,), queue="play")
    stack.worker()
    await stack.until(
        lambda: figures(stack).get('mamenoki_tasks_total{end="success",task="play_batch"}') == 100.0
    )
    assert sorted(row.table_id for row in stack.played()) == sorted(ids)
    with stack.database.reading() as tx:
        assert {record.games for record in planning.records(tx, stack.ladder.id).values()} == {5}
        assert [tables.attempts(tx, id) for id in ids] == [[]] * 5
        assert ladder_rows.get_ladder(tx, stack.ladder.id).next_place == 5


async def test_ticks_that_piled_up_hold_nothing_up(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    """Hours without a worker leave more ticks than messages are ever sent at once."""
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    season = stack.league(tables_each=2)
    app = make_app(read(redis_url=valkey))
    for _ in range(1000):
        for tick in ("open_rounds", "dispatch"):
            app.send_task(f"mamenoki.{tick}", queue=TICKS)
    with redis.from_url(valkey) as client:
        assert client.llen(PREFIX + TICKS) == 2000
        stack.worker()
        stack.beat()
        await follow(stack, season)
        assert client.llen(PREFIX + TICKS) < 2000 // 2
    assert_all_once(stack, season, each=2, planned=6)


async def test_without_an_engine_tables_wait(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    season = stack.league(tables_each=2)
    away = {"MAMENOKI_INTERNAL_ADDRESS": "127.0.0.1:1"}
    worker = stack.worker(**away)
    stack.beat()
    await stack.until(lambda: figures(stack).get("mamenoki_engine_away_total", 0) >= 2)
    assert stack.played() == []
    worker.terminate()
    assert worker.wait(60) == 0
    stack.worker()
    await follow(stack, season)
    assert_all_once(stack, season, each=2, planned=6)


async def test_the_figures_are_complete_over_children_that_come_and_go(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    season = stack.league(tables_each=2, rounds=2)
    worker = stack.worker()
    stack.beat()
    await stack.until(lambda: len(stack.rounds(season)) == 1 and stack.rounds(season)[0].closed_at)
    for child in children(worker.pid):
        os.kill(child, signal.SIGKILL)
    await follow(stack, season)
    found = await stack.until(lambda: figures(stack))
    assert found['mamenoki_tables_asked_total{outcome="started"}'] == 12
    assert found['mamenoki_house_seats_total{end="ended"}'] == 48
    assert found['mamenoki_tables{state="planned"}'] == found['mamenoki_tables{state="running"}'] == 0
    assert found['mamenoki_ladder_unfolded{ladder="test"}'] == 0
    assert found['mamenoki_ladder_games_spread{ladder="test"}'] == 0
    assert found['mamenoki_ladder_entrants{ladder="test"}'] == 12
    assert (
        found['mamenoki_scrape_failed{source="database"}']
        == found['mamenoki_scrape_failed{source="redis"}']
        == 0
    )
    assert {key for key in found if "queue_depth" in key} == {
        f'mamenoki_queue_depth{{queue="{name}"}}' for name in ("play", "control", "sandbox", "ticks")
    }
    assert not any(bot.name in key for key in found for bot in ROSTER), "no player is a label"
