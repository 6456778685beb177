"""``mamenoki token``: who may do what. Works on the database itself, so it needs no token."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from mamenoki.cli.actor import actor
from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import emit, note, show_table
from mamenoki.cli.stores import opened
from mamenoki.sdk.telling import counted

verbs = typer.Typer()
token = typer.Typer(no_args_is_help=True, help="Tokens: make, list, revoke.")
verbs.add_typer(token, name="token")

DAY_MS = 86_400_000
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


@token.command()
def create(
    owner: Annotated[str, typer.Option(help="Whose it is; made if new.")],
    label: Annotated[str, typer.Option(help="What it is for, to tell it from others.")] = "",
    scopes: Annotated[str, typer.Option(help="Comma-separated: play, submit, organise, operate.")] = "play",
    days: Annotated[int, typer.Option(min=1, max=3650, help="How long it is good for.")] = 90,
    json: AsJson = False,
) -> None:
    """Make a token. It is shown this once; the database keeps only its digest."""
    from storage import actions
    from storage.identity import create_token

    wanted = [scope for scope in re.split(r"[,\s]+", scopes) if scope]
    with opened() as database, database.transaction() as tx:
        clear = create_token(tx, owner, label, wanted, days * DAY_MS)
        actions.record(tx, actor(), "token create", owner, label=label, scopes=sorted(wanted), days=days)
    if json:
        emit({"token": clear, "owner": owner, "scopes": sorted(wanted), "days": days})
        return
    print(clear)
    note(
        f"a token of {owner} for {', '.join(wanted)}, good for {counted(days, 'day')}; it is not shown again."
    )
    note("use it with: export MAMENOKI_TOKEN=...")


@token.command("list")
def list_tokens(
    owner: Annotated[str, typer.Option(help="Whose.")],
    json: AsJson = False,
) -> None:
    """List an owner's tokens, dead ones too. None of them can be shown again."""
    from storage.database import now_ms
    from storage.identity import tokens

    with opened() as database, database.reading() as tx:
        rows, now = tokens(tx, owner), now_ms(tx)
    if not rows:
        raise CommandError(f"{owner} has no tokens; `mamenoki token create --owner {owner}` makes one")
    if json:
        emit([_plain(row, now) for row in rows])
        return
    columns = [("id", ">"), ("label", "<"), ("scopes", "<"), ("made", "<"), ("until", "<"), ("state", "<")]
    show_table(f"tokens of {owner}", columns, [_row(row, now) for row in rows])


@token.command()
def revoke(
    id: Annotated[int, typer.Argument(help="The number that `token list` shows.")],
) -> None:
    """End a token. Servers notice within 30 seconds."""
    from storage import actions
    from storage.errors import NotFound
    from storage.identity import revoke_token

    with opened() as database, database.transaction() as tx:
        try:
            revoked = revoke_token(tx, id)
        except NotFound as error:
            raise UsageError(f"{error}; `mamenoki token list --owner NAME` shows them") from error
        if revoked:
            actions.record(tx, actor(), "token revoke", str(id))
    print(f"token {id} is revoked" if revoked else f"token {id} was revoked before")


def _plain(row: Any, now: int) -> dict[str, Any]:
    return {
        "id": row.id,
        "owner": row.owner,
        "label": row.label,
        "scopes": list(row.scopes),
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "state": _state(row, now),
    }


def _row(row: Any, now: int) -> list[str]:
    until = "for ever" if row.expires_at is None else _day(row.expires_at)
    return [str(row.id), row.label, ", ".join(row.scopes), _day(row.created_at), until, _state(row, now)]


def _state(row: Any, now: int) -> str:
    if row.revoked_at is not None:
        return "revoked"
    return "expired" if row.expires_at is not None and row.expires_at <= now else "good"


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d")
