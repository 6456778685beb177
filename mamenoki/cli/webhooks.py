"""``mamenoki webhook``: being told of results by a signed call, asked of a server."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.names import as_typed
from mamenoki.cli.options import AsJson, Server, Token
from mamenoki.cli.screen import emit, note, show_table

if TYPE_CHECKING:
    from mamenoki.cli.calls import Service
    from scheduler.v1 import webhooks_pb2 as pb

verbs = typer.Typer()
webhook = typer.Typer(no_args_is_help=True, help="Webhooks: add, list, test, remove, their deliveries.")
verbs.add_typer(webhook, name="webhook")

Id = Annotated[int, typer.Argument(min=1, metavar="ID", help="The webhook's, as list shows it.")]


@webhook.command()
def add(
    url: Annotated[str, typer.Argument(help="Where to post; https.")],
    league: Annotated[str, typer.Option(help="The results of this league; needs scope organise.")] = "",
    ladder: Annotated[str, typer.Option(help="The results of this ladder; needs scope organise.")] = "",
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Be told of your bots' results, or of a league's or ladder's. The secret is shown this once."""
    from mamenoki.cli.calls import plain
    from mamenoki.cli.errors import UsageError
    from scheduler.v1 import webhooks_pb2 as pb

    if league and ladder:
        raise UsageError("a webhook is for a league or for a ladder; add two")
    subject = f"league {league}" if league else f"ladder {ladder}" if ladder else "bots"
    with _service(server, token) as service:
        answer = service.ask("Add", pb.AddWebhookRequest(subject=subject, url=url))
    if json:
        emit({**plain(answer.webhook), "secret": answer.secret})
        return
    if answer.secret:
        print(answer.secret)
        note(f"webhook {answer.webhook.id} is told of {subject}; its secret, above, is not shown again.")
        note(as_typed(f"try it: `mamenoki webhook test {answer.webhook.id}`"))
    else:
        note(f"webhook {answer.webhook.id} has been there already; its secret is not shown again.")


@webhook.command("list")
def list_webhooks(server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """List your webhooks: whether they work, and if not, why."""
    from mamenoki.cli.calls import plain
    from scheduler.v1 import webhooks_pb2 as pb

    with _service(server, token) as service:
        _, rows = service.pages("List", pb.ListWebhooksRequest(), "webhooks")
    if json:
        emit([plain(row) for row in rows])
        return
    columns = [("id", ">"), ("of", "<"), ("url", "<"), ("state", "<"), ("waiting", ">"), ("why", "<")]
    show_table(
        "webhooks",
        columns,
        [[str(row.id), row.subject, row.url, row.state, str(row.waiting), row.reason] for row in rows],
    )


@webhook.command("test")
def try_now(id: Id, server: Server = None, token: Token = None) -> None:
    """Call a webhook now; one that was disabled works again."""
    from scheduler.v1 import webhooks_pb2 as pb

    with _service(server, token) as service:
        answer = service.ask("Test", pb.TestWebhookRequest(id=id))
    print(as_typed(f"{answer.delivery} is on its way; `mamenoki webhook deliveries {id}` says how it went"))


@webhook.command()
def remove(id: Id, server: Server = None, token: Token = None) -> None:
    """End a webhook, with all that it was still to be told."""
    from scheduler.v1 import webhooks_pb2 as pb

    with _service(server, token) as service:
        service.ask("Remove", pb.RemoveWebhookRequest(id=id))
    print(f"webhook {id} is gone")


@webhook.command("deliveries")
def list_deliveries(
    id: Id,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 20,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """A webhook's latest calls, newest first, and how they went."""
    from mamenoki.cli.calls import plain
    from scheduler.v1 import webhooks_pb2 as pb

    with _service(server, token) as service:
        answer = service.ask("Deliveries", pb.DeliveriesRequest(webhook=id, page_size=limit))
    if json:
        emit([plain(row) for row in answer.deliveries])
        return
    columns = [
        ("delivery", "<"),
        ("results", ">"),
        ("state", "<"),
        ("tries", ">"),
        ("last", "<"),
        ("next try", "<"),
    ]
    show_table(f"webhook {id}", columns, [_row(row) for row in answer.deliveries])


def _service(server: str | None, token: str | None) -> "Service":
    from mamenoki.cli.calls import Service
    from scheduler.v1.webhooks_pb2_grpc import WebhookServiceStub

    return Service(WebhookServiceStub, server, token)


def _row(row: "pb.Delivery") -> list[str]:
    next_at = datetime.fromtimestamp(row.next_at_ms / 1000, UTC) if row.next_at_ms else None
    results = str(len(row.tables)) if row.tables else "test"
    when = next_at.strftime("%Y-%m-%d %H:%M:%S UTC") if next_at else ""
    return [row.id, results, row.state, str(row.attempts), row.detail, when]
