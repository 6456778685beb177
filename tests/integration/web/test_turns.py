"""When somebody plays next, on the pages, with a real Valkey."""

import httpx
import pytest

from service.presence import Presence, Present
from storage.database import Database
from tests.fixtures.garden import Garden
from tests.fixtures.site import serving

LADDER = "/ladders/mushi/standard"


@pytest.fixture
def garden(sqlite_database: Database) -> Garden:
    """Three house bots and one of ann's; a table of the house has been played, and another is planned."""
    garden = Garden(sqlite_database)
    ours = [garden.plant("house", name, "house", 2) for name in ("a", "b", "c")]
    garden.plant("ann", "bot", "remote", 2)
    garden.play(ours)
    garden.plan(ours[:2])
    return garden


def test_a_players_page_and_the_ladders_say_when(garden: Garden, valkey: str) -> None:
    with serving(garden.database, redis_url=valkey) as address, httpx.Client() as browser:

        def page(path: str) -> str:
            return browser.get(f"http://{address}{path}").raise_for_status().text

        assert "A bot that joins now plays its first table in " in page(LADDER)
        assert "This player plays in a moment, place 1 among the planned tables." in page(
            f"{LADDER}/players/house/a"
        )
        assert "place 1 in the ladder&#39;s queue" in page(f"{LADDER}/players/house/c")
        assert "plays when its bots are connected" in page(f"{LADDER}/players/ann/bot")
        guest = garden.players[-1]
        Presence(valkey).publish("engine", [Present(guest.player_id, guest.version.id, 1, "engine")])
        assert "place 1 in the ladder&#39;s queue" in page(f"{LADDER}/players/ann/bot")
