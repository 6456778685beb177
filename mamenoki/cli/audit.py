"""``mamenoki audit``: every promise of the data, looked at now; ``mamenoki actions``: who did what by hand."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.screen import emit, note, show_table
from mamenoki.cli.stores import opened

if TYPE_CHECKING:
    from storage.invariants import Broken

verbs = typer.Typer()
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


@verbs.command()
def audit(
    replays: Annotated[int, typer.Option(min=0, help="How many of the latest replays to play again.")] = 200,
    late: Annotated[
        float, typer.Option(min=0, help="Seconds after which a lost lease counts as forgotten.")
    ] = 600,
    json: AsJson = False,
) -> None:
    """Check that nothing was lost, counted twice or changed: exit 1 if any promise is broken.

    Changes nothing but the findings that the metrics show. Safe on a running service.
    """
    from scheduler.auditing import audit as look
    from scheduler.auditing import keep

    with opened() as database:
        found = look(database, late_ms=int(late * 1000), replays=replays, note=lambda what: note(f"{what} …"))
        keep(database, found)
    if json:
        emit([{"promise": one.promise, "broken": one.count, "examples": one.examples} for one in found])
    else:
        _tell(found)
    if any(one.count for one in found):
        raise typer.Exit(1)


@verbs.command()
def actions(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many of the latest.")] = 50,
    json: AsJson = False,
) -> None:
    """List what operators did by hand, newest first: who, when, what, to what."""
    from storage.actions import recent

    with opened() as database, database.reading() as tx:
        rows = recent(tx, limit)
    if json:
        emit(
            [
                {"at": row.at, "actor": row.actor, "action": row.action, "subject": row.subject, **row.detail}
                for row in rows
            ]
        )
        return
    columns = [("when (UTC)", "<"), ("who", "<"), ("what", "<"), ("to what", "<"), ("more", "<")]
    show_table(
        "operators' actions",
        columns,
        [
            [
                datetime.fromtimestamp(row.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S"),
                row.actor,
                row.action,
                row.subject,
                ", ".join(f"{key} {value}" for key, value in row.detail.items()),
            ]
            for row in rows
        ],
    )


def _tell(found: "list[Broken]") -> None:
    from scheduler.auditing import PROMISES

    for one in found:
        print(f"{'BROKEN' if one.count else 'holds '}  {PROMISES[one.promise]}{_how(one)}")
    broken = sum(1 for one in found if one.count)
    print(
        f"{broken} of {len(found)} promises broken: see docs/runbook.md#promisebroken"
        if broken
        else "all hold"
    )


def _how(one: "Broken") -> str:
    if not one.count:
        return ""
    more = ", …" if one.count > len(one.examples) else ""
    return f": {one.count} ({', '.join(one.examples)}{more})"
