"""A table in play on a real engine: its page shows how it stands, and nothing that is hidden."""

import asyncio
import re

from service.settings import Settings
from tests.fixtures.engine import SERVICE_TOKEN, RunningEngine
from tests.integration.engine.clients import open_bridge
from tests.unit.web.conftest import Client
from web.app import create


async def test_a_table_in_play_shows_how_it_stands(engine: RunningEngine) -> None:
    table = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(table))
    await bridge.until(lambda client: client.latest)
    settings = Settings(internal_address=engine.internal, service_token=SERVICE_TOKEN)
    client = Client(create(settings, engine.database))
    page = await asyncio.to_thread(client.get, f"/tables/{table}")
    assert page.status_code == 200
    facts = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", page.text))
    assert (facts["deck"], facts["hub"]) == ("70", "10")
    assert facts["one"] == "heap 0, yard 4"
    await bridge.play_on(done=2)
    page = await asyncio.to_thread(client.get, f"/tables/{table}")
    assert "playing now" not in page.text
    assert "The match, move by move" in page.text


async def test_without_an_engine_the_page_is_there(engine: RunningEngine) -> None:
    table = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(table))
    await bridge.until(lambda client: client.latest)
    settings = Settings(internal_address="127.0.0.1:1", service_token=SERVICE_TOKEN)
    page = await asyncio.to_thread(Client(create(settings, engine.database)).get, f"/tables/{table}")
    assert page.status_code == 200
    assert "playing now" in page.text
    assert "<dt>deck</dt>" not in page.text
