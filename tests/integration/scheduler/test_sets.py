"""What is played together, by the real parts: rounds in sets, whatever dies, and a bot at home among house bots."""

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from mamenoki.house import make
from mamenoki.sdk.client import Client, Profile
from scheduler import ladders, leagues, seasons
from scheduler.auditing import audit
from storage import figures, folding, ledger, results, set_records
from storage import ladders as ladder_rows
from storage.database import Database
from storage.ladders import LadderRow
from tests.fixtures.stack import EVERY_SECOND, HouseBot, MakeStack, Stack
from tests.integration.scheduler.test_faults import children, running
from tests.integration.scheduler.test_leagues import follow

BOTS = [(f"greedy-{memory}", "greedy", {"memory": memory}) for memory in (0, 2, 4, 8, 16)]


def together(stack: Stack, *, is_open: bool) -> LadderRow:
    """The ladder of a short game that is played together, with house bots on it."""
    with stack.database.transaction() as tx:
        ladder = ladders.open_ladder(
            tx, "morumori/coop", set_size=3, seats=2, settings={"houses": 6, "lives": 2}
        )
        ladder_rows.set_open(tx, ladder.id, is_open)
        ladders.enter_house(tx, ladder, [HouseBot(*bot) for bot in BOTS])
    return ladder


def season_of(stack: Stack, ladder: LadderRow, each: int) -> int:
    with stack.database.transaction() as tx:
        league = leagues.create_league(
            tx, "together", ladder.name, cron_line=EVERY_SECOND, zone="UTC", seats=3, tables_each=each
        )
        players = [one.player_id for one in ladder_rows.entrants(tx, ladder.id)]
        return seasons.open_season(tx, league, players).id


def assert_all_once(stack: Stack, ladder: LadderRow, season: int, each: int) -> None:
    """Each set has one entry with all its entrants, and each entrant as many games as sets."""
    with stack.database.reading() as tx:
        entries = [one for one in ledger.entries(tx, ladder.id, 0, 1000) if one.kind == "result"]
        placed = set_records.season_sets(tx, season)
        assert sorted(one.content["set"] for one in entries) == sorted(one.set_id for one in placed)
        assert {one.games for one in folding.standings(tx, ladder.id)} == {each}
        (lines,) = seasons.standings(tx, season)
        assert [line.tables for line in lines] == [each] * len(BOTS)
        assert figures.jobs_waiting(tx) == {}
        played = results.recent(tx, ladder.id, None, 1000)
        assert all(results.get(tx, row.table_id).replay is not None for row in played)
    assert [one for one in audit(stack.database) if one.count] == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the worker's children in /proc")
async def test_a_round_of_sets_is_entered_once_though_children_are_killed(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    ladder = together(stack, is_open=False)
    season = season_of(stack, ladder, each=12)
    worker = stack.worker()
    stack.beat()
    await stack.until(lambda: running(stack) > 0)
    for child in children(worker.pid):
        os.kill(child, signal.SIGKILL)
    await follow(stack, season)
    assert_all_once(stack, ladder, season, each=12)


async def test_a_bot_at_home_plays_sets_with_house_bots(
    make_stack: MakeStack, sqlite_database: Database, sqlite_url: str, valkey: str
) -> None:
    stack = await make_stack(sqlite_url, sqlite_database, valkey)
    ladder = together(stack, is_open=True)
    profile = Profile("bugbot", places=1, ladders=("morumori/coop",))
    client = Client(
        lambda seat: make(seat.game, "greedy", {}),
        profile,
        stack.engine.public,
        stack.engine.token("ann"),
        tls=False,
    )
    playing = asyncio.create_task(client.run())
    try:
        stack.worker()
        stack.beat()
        await stack.until(lambda: games(stack, ladder)["ann/bugbot"] >= 2)
    finally:
        client.drain()
        await playing
    with stack.database.reading() as tx:
        mine = [row for row in results.recent(tx, ladder.id, None, 1000) if row.players[0].startswith("ann/")]
    assert {row.players for row in mine} == {("ann/bugbot@1",) * 2}
    ladder_closed(stack, ladder)
    await stack.until(lambda: running(stack) == 0)


def games(stack: Stack, ladder: LadderRow) -> Counter[str]:
    with stack.database.reading() as tx:
        names = {one.player_id: f"{one.owner}/{one.name}" for one in ladder_rows.entrants(tx, ladder.id)}
        entries = ledger.entries(tx, ladder.id, 0, 1000)
        return Counter(names[seat["player_id"]] for one in entries for seat in one.content.get("seats", ()))


def ladder_closed(stack: Stack, ladder: LadderRow) -> None:
    with stack.database.transaction() as tx:
        ladder_rows.set_open(tx, ladder.id, False)
