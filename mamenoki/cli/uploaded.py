"""``mamenoki bots`` and ``mamenoki logs``: the bots that one has handed in."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.connect import UNKNOWN_AUTHOR
from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.options import AsJson, Server, Token
from mamenoki.cli.screen import emit, show_table
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from mamenoki.cli.calls import Service
    from scheduler.v1 import bots_pb2 as pb

verbs = typer.Typer()
bots = typer.Typer(help="Bots that you handed in: list, show, versions, activate, retire, delete, download.")
verbs.add_typer(bots, name="bots")

Bot = Annotated[str, typer.Argument(metavar="BOT", help="Its name, bot or owner/bot.")]
COLUMNS = [("bot", "<"), ("state", "<"), ("language", "<"), ("games", "<"), ("bytes", ">"), ("since", "<"), ("why", "<")]  # fmt: skip


def bots_of(server: str | None, token: str | None) -> "Service":
    """The bot service of a server. UsageError if nobody said who asks."""
    from mamenoki.cli.calls import Service
    from scheduler.v1.bots_pb2_grpc import BotServiceStub

    if not token:
        raise UsageError(UNKNOWN_AUTHOR.replace("--owner NAME", "--owner NAME --scopes submit"))
    return Service(BotServiceStub, server, token)


def plain(message: Any) -> dict[str, Any]:
    """A message as JSON has it; states in small letters."""
    from mamenoki.cli import calls

    return {key: _short(value) if key == "state" else value for key, value in calls.plain(message).items()}


def describe(version: "pb.Version") -> str:
    """A version in one line."""
    row = plain(version)
    return f"{row['bot']}@{row['number']} is {row['state']}{reason_of(version)}; it plays {', '.join(row['games'])}"


def reason_of(version: "pb.Version") -> str:
    return f": {version.reason}" if version.reason else ""


@bots.callback(invoke_without_command=True)
def default(context: typer.Context, server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """Without a verb: list."""
    if context.invoked_subcommand is None:
        list_bots(server, token, json)


@bots.command("list")
def list_bots(server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """Your bots, each with its newest version."""
    from scheduler.v1 import bots_pb2 as pb

    with bots_of(server, token) as service:
        _, rows = service.pages("List", pb.ListBotsRequest(), "newest")
    _show("your bots", rows, json)


@bots.command()
def show(bot: Bot, server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """A bot's newest version and how it came to its state."""
    from scheduler.v1 import bots_pb2 as pb

    with bots_of(server, token) as service:
        answer = service.ask("Get", pb.GetBotRequest(bot=bot))
    steps = [plain(step) for step in answer.steps]
    if json:
        emit({"newest": plain(answer.newest), "steps": steps, "quota": plain(answer.quota)})
        return
    print(describe(answer.newest))
    rows = [[step["state"], _time(step["at_ms"]), step["reason"]] for step in steps]
    show_table("its life", [("state", "<"), ("since", "<"), ("why", "<")], rows)


@bots.command()
def versions(bot: Bot, server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """All versions of a bot, newest first."""
    from scheduler.v1 import bots_pb2 as pb

    with bots_of(server, token) as service:
        _, rows = service.pages("Versions", pb.VersionsRequest(bot=bot), "versions")
    _show(f"versions of {bot}", rows, json)


@bots.command()
def activate(
    bot: Bot,
    number: Annotated[int, typer.Argument(min=1, help="The version that shall play.")],
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Let a version play that has qualified before; the one that plays now retires."""
    from scheduler.v1 import bots_pb2 as pb

    with bots_of(server, token) as service:
        _tell(service.ask("Activate", pb.ActivateRequest(bot=bot, number=number)), json)


@bots.command()
def retire(bot: Bot, server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """Take a bot off its ladders. Its rating stays, and `activate` brings it back."""
    from scheduler.v1 import bots_pb2 as pb

    with bots_of(server, token) as service:
        _tell(service.ask("Retire", pb.RetireRequest(bot=bot)), json)


@bots.command()
def delete(
    bot: Bot,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Retire a bot and delete all of its bundles from the server. What it has played stays."""
    from scheduler.v1 import bots_pb2 as pb

    if not yes:
        typer.confirm(f"delete all bundles of {bot}? they cannot be had back", abort=True, err=True)
    with bots_of(server, token) as service:
        answer = service.ask("Delete", pb.DeleteRequest(bot=bot))
    if json:
        emit(plain(answer))
    else:
        print(f"{counted(answer.bundles, 'bundle')} of {bot} deleted; what it has played stays")


@bots.command()
def download(
    bot: Bot,
    to: Annotated[Path, typer.Option(help="The file to write; it must not be there yet.")],
    number: Annotated[int, typer.Option(min=0, help="Its version; 0: the newest.")] = 0,
    server: Server = None,
    token: Token = None,
) -> None:
    """Get a bundle back as it was handed in."""
    from scheduler.v1 import bots_pb2 as pb

    with bots_of(server, token) as service:
        parts = service.ask("Download", pb.DownloadRequest(bot=bot, number=number))
        data = b"".join(part.chunk for part in parts)
    try:
        with to.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise CommandError(f"{to} is there already; name another file") from error
    except OSError as error:
        raise CommandError(f"{to} cannot be written: {error.strerror}") from error
    print(f"wrote {to}, {counted(len(data), 'byte')}")


@verbs.command()
def logs(
    bot: Bot,
    match: Annotated[str, typer.Argument(help="A match's id; none: the latest matches.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many seats at most.")] = 20,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """How your bot did at its seats; with a match: its stderr, times, and every strike with what it saw."""
    from scheduler.v1 import bots_pb2 as pb

    with bots_of(server, token) as service:
        answer = service.ask("Logs", pb.LogsRequest(bot=bot, match=match, limit=limit))
    seats = [plain(seat) for seat in answer.seats]
    if json:
        emit(seats)
    elif match:
        for seat in seats:
            _show_seat(seat)
    else:
        _show_seats(bot, seats)


def _tell(version: "pb.Version", json: bool) -> None:
    if json:
        emit(plain(version))
    else:
        print(describe(version))


def _show(title: str, rows: "list[pb.Version]", json: bool) -> None:
    told = [plain(row) for row in rows]
    if json:
        emit(told)
        return
    if not told:
        raise CommandError("you have no bots here; `mamenoki submit DIR` hands one in")
    show_table(title, COLUMNS, [_row(row) for row in told])


def _row(row: dict[str, Any]) -> list[str]:
    return [
        f"{row['bot']}@{row['number']}", row["state"], row["language"], ", ".join(row["games"]), row["size"],
        _time(row["changed_at_ms"]), row["reason"],
    ]  # fmt: skip


def _show_seats(bot: str, seats: list[dict[str, Any]]) -> None:
    columns = [("match", "<"), ("seat", ">"), ("version", ">"), ("slowest ms", ">"), ("ended", "<")]
    rows = [[s["match"], str(s["seat"]), str(s["version"]), _slowest(s), s["why"] or "well"] for s in seats]
    show_table(f"the latest seats of {bot}; `mamenoki logs {bot} MATCH` tells one", columns, rows)


def _show_seat(seat: dict[str, Any]) -> None:
    print(f"match {seat['match']}, attempt {seat['attempt']}, seat {seat['seat']}, version {seat['version']}")
    print(
        f"ended: {seat['why'] or 'well'}; sandbox: {seat['isolation']}; slowest answer: {_slowest(seat)} ms"
    )
    for strike in seat["strikes"]:
        print(f"strike at {strike['event']} ({strike['reason']}): the clock played {strike['move']}")
        print(f"  it saw {strike['view']}")
    print("stderr:")
    print(seat["stderr"] or "  (nothing)")


def _slowest(seat: dict[str, Any]) -> str:
    slowest = max((int(one["microseconds"]) for one in seat["times"]), default=0)
    return f"{slowest / 1000:.1f}"


def _short(state: str) -> str:
    return state.removeprefix("STATE_").lower()


def _time(ms: str) -> str:
    return datetime.fromtimestamp(int(ms) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
