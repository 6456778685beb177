"""A webhook on the whole stack: added on the command line, called by a worker when tables end."""

import json
from collections.abc import AsyncIterator

import orjson
import pytest

from mamenoki.serve.engine import extra
from scheduler.domain.hooks import verify
from scheduler.settings import SchedulerSettings
from scheduler.webhook_service import WebhookService
from storage import figures, identity
from storage.database import Database, now_ms
from tests.fixtures.listener import Listener, certificates, listener
from tests.fixtures.stack import MakeStack
from tests.integration.sdk.processes import Begin, begin

__all__ = ["begin", "certificates", "listener"]

LOOPBACK = "127.0.0.0/8, ::1"


@pytest.fixture
async def service(database: Database) -> AsyncIterator[WebhookService]:
    service = WebhookService(database, SchedulerSettings(webhook_networks=LOOPBACK))
    yield service
    service.close()


async def test_a_leagues_results_are_told_while_it_is_played(
    make_stack: MakeStack, database: Database, database_url: str, valkey: str,
    listener: Listener, certificates: tuple[object, object], service: WebhookService, begin: Begin,
) -> None:  # fmt: skip
    stack = await make_stack(database_url, database, valkey, extras=(extra(service),))
    stack.processes.environment |= {
        "MAMENOKI_WEBHOOK_NETWORKS": LOOPBACK,
        "SSL_CERT_FILE": str(certificates[0]),
    }
    listener.statuses = [500]  # the first call fails: it is a test, and is hurried by another
    season = stack.league(tables_each=2)
    with database.transaction() as tx:
        token = identity.create_token(tx, "boss", "", ["organise"], None)

    async def webhook(*words: str) -> list[str]:
        one = await begin("webhook", *words, "--server", stack.engine.public, MAMENOKI_TOKEN=token)
        assert await one.code() == 0, one.lines
        return one.lines

    made = json.loads("".join(await webhook("add", listener.url(), "--league", "test", "--json")))
    assert made["subject"] == "league test"
    assert any(
        "has been there already" in line for line in await webhook("add", listener.url(), "--league", "test")
    )
    await webhook("test", str(made["id"]))
    stack.worker()
    stack.beat()
    await stack.until(lambda: listener.received)
    await webhook("test", str(made["id"]))

    def told() -> list[str]:
        return [one["table"] for got in listener.received for one in orjson.loads(got.body)["results"]]

    def is_over() -> bool:
        with database.reading() as tx:
            return len(told()) >= 6 and not figures.jobs_waiting(tx)

    await stack.until(is_over)
    played = [row.table_id for row in stack.played()]
    assert sorted(told()) == sorted(played)
    assert len(played) == 6
    assert season
    with database.reading() as tx:
        now_s = now_ms(tx) // 1000
    for got in listener.received:
        verify(made["secret"], got.headers["Mamenoki-Signature"], got.body, now_s)
    rows = json.loads("".join(await webhook("deliveries", str(made["id"]), "--json")))
    assert {row["state"] for row in rows} == {"delivered"}
    assert rows[-1]["attempts"] == 2
    shown = json.loads("".join(await webhook("list", "--json")))
    assert [(row["state"], row["waiting"]) for row in shown] == [("active", 0)]
    assert any("delivered" in line for line in await webhook("deliveries", str(made["id"])))
    assert any("league test" in line for line in await webhook("list"))
    assert await webhook("remove", str(made["id"])) == [f"webhook {made['id']} is gone"]
