"""WebhookService: webhooks over gRPC, each for its owner.

Errors are those of ``service.errors`` and ``storage.errors``; the server's guard puts them on
the wire. Queries run in threads, so that SQL never blocks the loop.
"""

from typing import Any

from scheduler import hooks
from scheduler.domain.hooks import Network, networks
from scheduler.settings import SchedulerSettings
from scheduler.v1 import webhooks_pb2 as pb
from scheduler.v1.webhooks_pb2_grpc import WebhookServiceServicer
from service.auth import ANY_TOKEN, Policy, Principal, caller
from service.errors import BadRequest, Denied, Missing
from service.transactions import Transactions, page_size
from storage import actions, deliveries, webhooks
from storage.database import Database, Transaction
from storage.deliveries import WAITING, DeliveryRow
from storage.errors import NotFound
from storage.webhooks import BOTS, REMOVED, HookRow

NAME = "scheduler.v1.WebhookService"
METHODS = ("Add", "List", "Test", "Remove", "Deliveries")
POLICY: Policy = {f"/{NAME}/{method}": ANY_TOKEN for method in METHODS}
ORGANISE = "organise"
PAGE, MOST = 50, 200
DELIVERIES, MOST_DELIVERIES = 20, 100
LONGEST = 2**63 - 1


class WebhookService(WebhookServiceServicer):
    """Serves ``proto/scheduler/v1/webhooks.proto`` from a database. ``settings`` are the workers', who call.
    Close it when its server has stopped."""

    # N802 below: the names are the proto's.

    def __init__(self, database: Database, settings: SchedulerSettings) -> None:
        self._transactions = Transactions(database, "webhooks")
        self._exceptions = networks(settings.webhook_networks)

    def close(self) -> None:
        self._transactions.close()

    async def Add(self, request: pb.AddWebhookRequest, context: Any) -> pb.AddWebhookResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: add(tx, request, who, self._exceptions))

    async def List(self, request: pb.ListWebhooksRequest, context: Any) -> pb.ListWebhooksResponse:  # noqa: N802
        who = caller()
        return await self._transactions.read(lambda tx: list_webhooks(tx, request, who))

    async def Test(self, request: pb.TestWebhookRequest, context: Any) -> pb.TestWebhookResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(
            lambda tx: pb.TestWebhookResponse(delivery=hooks.try_now(tx, own(tx, request.id, who).id))
        )

    async def Remove(self, request: pb.RemoveWebhookRequest, context: Any) -> pb.RemoveWebhookResponse:  # noqa: N802
        who = caller()
        return await self._transactions.write(lambda tx: remove(tx, request, who))

    async def Deliveries(self, request: pb.DeliveriesRequest, context: Any) -> pb.DeliveriesResponse:  # noqa: N802
        who = caller()
        return await self._transactions.read(lambda tx: list_deliveries(tx, request, who))


def add(
    tx: Transaction, request: pb.AddWebhookRequest, who: Principal, exceptions: list[Network]
) -> pb.AddWebhookResponse:
    """Registers a webhook, or finds it. Denied for a league's or ladder's results without the scope for it."""
    if request.subject != BOTS and ORGANISE not in who.scopes:
        raise Denied(
            f"results of {request.subject or 'nothing'} are for a token of scope organise; any token may ask for 'bots'"
        )
    row, is_new = hooks.add(tx, _owner(who), request.subject, request.url, exceptions)
    if is_new:
        actions.record(tx, who.name, "webhook add", str(row.id), of=request.subject, url=row.url)
    return pb.AddWebhookResponse(webhook=_told(tx, row), secret=row.secret if is_new else "")


def list_webhooks(
    tx: Transaction, request: pb.ListWebhooksRequest, who: Principal
) -> pb.ListWebhooksResponse:
    """A page of the caller's webhooks by id; a token is the last id of the page before."""
    size = page_size(request.page_size, PAGE, MOST)
    rows = webhooks.of_owner(tx, _owner(who), _after(request.page_token), size + 1)
    return pb.ListWebhooksResponse(
        webhooks=[_told(tx, row) for row in rows[:size]],
        next_page_token=str(rows[size - 1].id) if len(rows) > size else "",
    )


def remove(tx: Transaction, request: pb.RemoveWebhookRequest, who: Principal) -> pb.RemoveWebhookResponse:
    """Ends a webhook, with all that it was still to be told."""
    row = own(tx, request.id, who)
    webhooks.remove(tx, row.id)
    actions.record(tx, who.name, "webhook remove", str(row.id), url=row.url)
    return pb.RemoveWebhookResponse()


def list_deliveries(tx: Transaction, request: pb.DeliveriesRequest, who: Principal) -> pb.DeliveriesResponse:
    """A page of a webhook's calls; a token is the last id of the page before."""
    row = own(tx, request.webhook, who)
    size = page_size(request.page_size, DELIVERIES, MOST_DELIVERIES)
    rows = deliveries.recent(tx, row.id, request.page_token or None, size + 1)
    return pb.DeliveriesResponse(
        deliveries=[_delivery(one) for one in rows[:size]],
        next_page_token=rows[size - 1].id if len(rows) > size else "",
    )


def own(tx: Transaction, hook_id: int, who: Principal) -> HookRow:
    """The caller's webhook. Missing, in the same words, for another's and for none."""
    nothing = f"there is no webhook {hook_id} of {who.name}"
    if hook_id > LONGEST:
        raise Missing(nothing)
    try:
        row = webhooks.get(tx, hook_id)
    except NotFound:
        raise Missing(nothing) from None
    if row.owner_id != who.owner_id or row.state == REMOVED:
        raise Missing(nothing)
    return row


def _owner(who: Principal) -> int:
    if who.owner_id is None:
        raise Denied("a webhook is an owner's; call with an owner's token")
    return who.owner_id


def _after(token: str) -> int:
    if token and not (token.isascii() and token.isdigit() and len(token) < 19):
        raise BadRequest("page_token is none of this service's; take it from the answer before")
    return int(token or 0)


def _told(tx: Transaction, row: HookRow) -> pb.Webhook:
    return pb.Webhook(
        id=row.id,
        subject=hooks.told_subject(tx, row.subject),
        url=row.url,
        state=row.state,
        reason=row.reason,
        waiting=row.waiting,
        created_at_ms=row.created_at,
        changed_at_ms=row.changed_at,
    )


def _delivery(row: DeliveryRow) -> pb.Delivery:
    return pb.Delivery(
        id=row.id,
        state=row.state,
        tables=row.tables,
        attempts=row.attempts,
        status=row.status or 0,
        detail=row.detail,
        created_at_ms=row.created_at,
        next_at_ms=row.next_at if row.state == WAITING else 0,
        ended_at_ms=row.ended_at or 0,
    )
