"""WebhookService over gRPC, behind the guard that every server of ours has."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import grpc
import pytest
import pytest_asyncio

from scheduler.settings import SchedulerSettings
from scheduler.v1 import webhooks_pb2 as pb
from scheduler.v1.webhooks_pb2_grpc import WebhookServiceStub, add_WebhookServiceServicer_to_server
from scheduler.webhook_service import POLICY, WebhookService
from storage import actions
from storage.database import Database
from tests.fixtures.records import make_world
from tests.fixtures.services import Metadata, bearer, refusal, served

if TYPE_CHECKING:  # only the stub file has it
    from scheduler.v1.webhooks_pb2_grpc import WebhookServiceAsyncStub

URL = "https://example.org/hook"
LADDER = "ladder mushi/standard"
Tokens = dict[str, Metadata]


@pytest.fixture
def tokens(database: Database) -> Tokens:
    """Metadata of an organiser, and of two owners of bots; there is a ladder."""
    with database.transaction() as tx:
        make_world(tx)
    scopes = {"boss": "organise", "ann": "play", "bob": "submit"}
    return {name: bearer(database, name, scope) for name, scope in scopes.items()}


@pytest_asyncio.fixture
async def stub(database: Database) -> AsyncIterator[WebhookServiceAsyncStub]:
    service = WebhookService(database, SchedulerSettings())
    async with (
        served(database, service, POLICY, add_WebhookServiceServicer_to_server) as address,
        grpc.aio.insecure_channel(address) as channel,
    ):
        yield WebhookServiceStub(channel)


async def test_a_webhook_from_its_making_to_its_end(
    stub: WebhookServiceAsyncStub, tokens: Tokens, database: Database
) -> None:
    ann = tokens["ann"]
    asked = pb.AddWebhookRequest(subject="bots", url=URL)
    made = await stub.Add(asked, metadata=ann)
    assert made.secret.startswith("whs_")
    assert (made.webhook.subject, made.webhook.url, made.webhook.state) == ("bots", URL, "active")
    again = await stub.Add(asked, metadata=ann)
    assert (again.webhook, again.secret) == (made.webhook, "")
    tested = await stub.Test(pb.TestWebhookRequest(id=made.webhook.id), metadata=ann)
    told = await stub.Deliveries(pb.DeliveriesRequest(webhook=made.webhook.id), metadata=ann)
    assert [(one.id, one.state, list(one.tables)) for one in told.deliveries] == [
        (tested.delivery, "waiting", [])
    ]
    assert told.deliveries[0].next_at_ms > 0
    listed = await stub.List(pb.ListWebhooksRequest(), metadata=ann)
    assert [one.id for one in listed.webhooks] == [made.webhook.id]
    assert "whs_" not in str(listed)
    await stub.Remove(pb.RemoveWebhookRequest(id=made.webhook.id), metadata=ann)
    assert not (await stub.List(pb.ListWebhooksRequest(), metadata=ann)).webhooks
    with database.reading() as tx:
        done = actions.recent(tx, 5)
    assert [one.action for one in done] == ["webhook remove", "webhook add"]
    assert made.secret not in str(done)


async def test_a_ladders_results_are_for_organisers(stub: WebhookServiceAsyncStub, tokens: Tokens) -> None:
    asked = pb.AddWebhookRequest(subject=LADDER, url=URL)
    code, why = await refusal(stub.Add(asked, metadata=tokens["ann"]))
    assert code is grpc.StatusCode.PERMISSION_DENIED
    assert "scope organise" in why
    made = await stub.Add(asked, metadata=tokens["boss"])
    assert made.webhook.subject == LADDER


@pytest.mark.parametrize("method", ["Test", "Remove", "Deliveries"])
async def test_anothers_webhook_is_not_there(
    stub: WebhookServiceAsyncStub, tokens: Tokens, method: str
) -> None:
    made = await stub.Add(pb.AddWebhookRequest(subject="bots", url=URL), metadata=tokens["ann"])
    requests = {
        "Test": lambda id: pb.TestWebhookRequest(id=id),
        "Remove": lambda id: pb.RemoveWebhookRequest(id=id),
        "Deliveries": lambda id: pb.DeliveriesRequest(webhook=id),
    }
    answers = [
        await refusal(getattr(stub, method)(requests[method](id), metadata=tokens["bob"]))
        for id in (made.webhook.id, made.webhook.id + 1, 2**64 - 1)
    ]
    assert {code for code, _ in answers} == {grpc.StatusCode.NOT_FOUND}
    assert {why.replace(str(made.webhook.id), "N", 1) for _, why in answers[:1]} == {
        "there is no webhook N of bob"
    }
    assert not (await stub.List(pb.ListWebhooksRequest(), metadata=tokens["bob"])).webhooks


@pytest.mark.parametrize("method", ["Add", "List", "Test", "Remove", "Deliveries"])
async def test_nobody_without_a_token(stub: WebhookServiceAsyncStub, method: str) -> None:
    request = {"Add": pb.AddWebhookRequest(), "List": pb.ListWebhooksRequest(), "Test": pb.TestWebhookRequest(),
               "Remove": pb.RemoveWebhookRequest(), "Deliveries": pb.DeliveriesRequest()}[method]  # fmt: skip
    assert (await refusal(getattr(stub, method)(request)))[0] is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://127.0.0.1/", "127.0.0.1 is no public address"),
        ("http://example.org/", "no https URL"),
        ("https://example.org/\x00", "printable ASCII"),
        ("", "printable ASCII"),
    ],
)
async def test_a_url_that_will_not_do_is_refused(
    stub: WebhookServiceAsyncStub, tokens: Tokens, url: str, why: str
) -> None:
    code, told = await refusal(
        stub.Add(pb.AddWebhookRequest(subject="bots", url=url), metadata=tokens["ann"])
    )
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert why in told


async def test_they_come_in_pages_and_are_so_many(stub: WebhookServiceAsyncStub, tokens: Tokens) -> None:
    ann, ids = tokens["ann"], []
    for number in range(20):
        made = await stub.Add(pb.AddWebhookRequest(subject="bots", url=f"{URL}/{number}"), metadata=ann)
        ids.append(made.webhook.id)
    code, _ = await refusal(stub.Add(pb.AddWebhookRequest(subject="bots", url=URL), metadata=ann))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    seen, page = [], ""
    while True:
        answer = await stub.List(pb.ListWebhooksRequest(page_size=7, page_token=page), metadata=ann)
        seen += [one.id for one in answer.webhooks]
        page = answer.next_page_token
        if not page:
            break
    assert seen == ids
    for token in ("x", "٣", "9" * 19):
        code, _ = await refusal(stub.List(pb.ListWebhooksRequest(page_token=token), metadata=ann))
        assert code is grpc.StatusCode.INVALID_ARGUMENT
    for _ in range(2):
        id = (await stub.Test(pb.TestWebhookRequest(id=ids[0]), metadata=ann)).delivery
    first = await stub.Deliveries(pb.DeliveriesRequest(webhook=ids[0], page_size=1), metadata=ann)
    assert [one.id for one in first.deliveries] == [id]
    assert first.next_page_token == ""
