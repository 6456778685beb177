"""A table in play on a real engine: its page shows how it stands, and nothing that is hidden."""

import asyncio
import re

from service.settings import Settings
from tests.fixtures.engine import SERVICE_TOKEN, RunningEngine
from tests.integration.engine.clients import open_bridge
from tests.unit.web.conftest import Client
from web.app import create

SAID = re.compile(r"<li[^>]*>([^<]+?) *(?:<span class=\"pieces\"|</li>)")


async def test_a_table_in_play_shows_how_it_stands(engine: RunningEngine) -> None:
    table = engine.plan(engine.house("one"), engine.house("two"))
    bridge = await open_bridge(engine, await engine.start(table))
    await bridge.until(lambda client: client.latest)
    settings = Settings(internal_address=engine.internal, service_token=SERVICE_TOKEN)
    client = Client(create(settings, engine.database))
    page = await asyncio.to_thread(client.get, f"/tables/{table}")
    assert page.status_code == 200
    facts = dict(re.findall(r'<dt>([^<]*)</dt><dd>.*?<span class="words">([^<]*)</span></dd>', page.text))
    assert sum(int(part.split()[0]) for part in facts["Hub (deck 70)"].split(", ")) == 10
    assert sum(int(part.split()[0]) for part in facts["Yard of one (heap 0)"].split(", ")) == 4
    said = SAID.findall(page.text)
    assert any("hub" in sentence for sentence in said)
    again = await asyncio.to_thread(client.get, f"/tables/{table}")
    assert SAID.findall(again.text) == said
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
    assert 'id="said"' not in page.text
    assert "<dt>Hub" not in page.text
