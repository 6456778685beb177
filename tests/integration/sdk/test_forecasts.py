"""``mamenoki turn`` and ``mamenoki league forecast`` against a real engine and a real Valkey."""

import json
from collections.abc import AsyncIterator
from typing import cast

import pytest

from mamenoki.serve.engine import extra
from scheduler.ladder_service import LadderService
from scheduler.league_service import LeagueService
from scheduler.settings import SchedulerSettings
from storage.database import Database
from tests.fixtures.engine import LADDER, MakeEngine, RunningEngine
from tests.fixtures.garden import Garden
from tests.integration.sdk.processes import Begin
from tests.integration.sdk.test_cli import ask


@pytest.fixture
async def server(
    make_engine: MakeEngine, sqlite_database: Database, valkey: str
) -> AsyncIterator[RunningEngine]:
    """Three house bots and a bot of ann's that is not connected; a league of them; one table has been played."""
    garden = Garden(sqlite_database)
    ours = [garden.plant("house", name, "house", 2) for name in ("a", "b", "c")]
    garden.plant("ann", "bot", "remote", 2)
    garden.play(ours)
    garden.found_league(seats=2)
    turns = LadderService(sqlite_database, SchedulerSettings(redis_url=valkey))
    leagues = LeagueService(sqlite_database)
    yield await make_engine(extras=(extra(turns), extra(leagues)), redis_url=valkey)
    turns.close()
    leagues.close()


async def test_a_bot_asks_when_it_plays(server: RunningEngine, begin: Begin) -> None:
    code, lines = await ask(begin, server, "turn", "mushi", "house/b")
    assert (code, len(lines)) == (0, 1)
    assert lines[0].startswith("house/b plays in ")
    assert lines[0].endswith(", place 3 in the ladder's queue")  # it has waited as long as a and c
    code, lines = await ask(begin, server, "turn", LADDER, "ann/bot")
    assert lines == ["ann/bot plays when its bots are connected and have a place free"]
    code, lines = await ask(begin, server, "turn", LADDER, "house/c", "--json")
    told = json.loads("".join(lines))
    assert (told["state"], told["place"], told["table"]) == ("queued", 3, "")
    code, lines = await ask(begin, server, "turn", LADDER, "house/nobody")
    assert code == 2
    assert "there is no player" in lines[-1]


async def test_a_season_is_forecast(server: RunningEngine, begin: Begin) -> None:
    code, lines = await ask(begin, server, "league", "forecast", "Autumn league", "--json")
    told = json.loads("".join(lines))
    assert code == 0
    assert (told["rounds"], told["tables"], told["measured"]) == (8, 4, 1)  # four players, two tables each
    assert told["season"]["tables"] == 32
    code, lines = await ask(begin, server, "league", "forecast", "Autumn league")
    assert lines[0].startswith("next round of Autumn league: 4 tables, begins ")
    assert any("minutes of all workers together, over " in line for line in lines)
    code, lines = await ask(begin, server, "league", "forecast", "No league")
    assert code == 2
    assert "No league" in cast(str, lines[-1])
