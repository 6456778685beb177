"""``mamenoki event``: tournaments of a server, for organisers and for the owners of bots."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mamenoki.cli.errors import UsageError
from mamenoki.cli.event_sheets import show_change, show_entrants, show_sheet, show_tables
from mamenoki.cli.names import as_typed, ladder_name
from mamenoki.cli.options import AsJson, Server, Token
from mamenoki.cli.screen import emit, show_table
from mamenoki.sdk.telling import counted

if TYPE_CHECKING:
    from mamenoki.cli.calls import Service
    from scheduler.v1 import events_pb2 as pb

event = typer.Typer(no_args_is_help=True, help="Events: create, enter, seed, start, look at, correct.")
verbs = typer.Typer()
verbs.add_typer(event, name="event")

Name = Annotated[str, typer.Argument(metavar="EVENT", help="The event's name.")]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="Such as ann/my-bot.")]
TableId = Annotated[
    str, typer.Argument(metavar="TABLE", help="The table's id; `mamenoki event tables` lists them.")
]


@event.command("list")
def list_events(server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """List the events, newest first."""
    from scheduler.v1 import events_pb2 as pb

    with _events(server, token) as service:
        _, rows = service.pages("List", pb.ListEventsRequest(), "events")
    if json:
        emit([_plain(row) for row in rows])
        return
    columns = [("event", "<"), ("state", "<"), ("ladder", "<"), ("entrants", ">"), ("stages", "<")]
    show_table("events", columns, [
        [row.name, row.state, row.ladder, str(row.entrants), ", ".join(one.format for one in row.stages)]
        for row in rows
    ])  # fmt: skip


@event.command()
def create(
    name: Name,
    ladder: Annotated[
        str,
        typer.Argument(
            parser=ladder_name, metavar="LADDER", help="Where it is rated, such as mushi/standard."
        ),
    ],
    stages: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file with a [[stage]] for each; see docs/events.md. Instead of the options below."
        ),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(help="round-robin, swiss, single-elimination, double-elimination or gauntlet."),
    ] = None,
    seats: Annotated[int, typer.Option(min=2, max=6, help="The wanted table.")] = 2,
    advance: Annotated[int, typer.Option(min=1, help="How many of a knock-out's table go on.")] = 1,
    best_of: Annotated[int, typer.Option(min=1, help="Games of a match.")] = 1,
    rounds: Annotated[int, typer.Option(min=0, help="Of a Swiss, or of a round robin of more than two.")] = 0,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Create an event of one stage, or of those in a file. Harmless if it exists as described."""
    from scheduler.v1 import events_pb2 as pb

    if (stages is None) == (format is None):
        raise UsageError("give either --format for an event of one stage, or --stages FILE for several")
    one = {"format": format, "seats": seats, "advance": advance, "best_of": best_of, "rounds": rounds}
    wanted = [one] if stages is None else _read(stages)
    messages = [_stage(number, settings) for number, settings in enumerate(wanted, 1)]
    with _events(server, token) as service:
        made = service.ask("Create", pb.CreateEventRequest(name=name, ladder=ladder, stages=messages))
    if json:
        emit(_plain(made))
    else:
        print(
            as_typed(
                f"event {name} is {made.state}; `mamenoki event enter {quote(name)} PLAYER` enters somebody"
            )
        )


@event.command()
def enter(
    name: Name,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Such as ann/my-bot.")],
    server: Server = None,
    token: Token = None,
) -> None:
    """Enter bots of your own, or anybody's for an organiser, with the versions that they play now."""
    from scheduler.v1 import events_pb2 as pb

    with _events(server, token) as service:
        for player in players:
            changed = service.ask("Enter", pb.EventEntryRequest(event=name, player=player)).changed
            print(f"{player} is in {name}" if changed else f"{player} has been in {name} already")


@event.command()
def withdraw(name: Name, player: PlayerName, server: Server = None, token: Token = None) -> None:
    """Take a bot out, of the rest of it if it has begun; what it has played stands."""
    from scheduler.v1 import events_pb2 as pb

    with _events(server, token) as service:
        changed = service.ask("Withdraw", pb.EventEntryRequest(event=name, player=player)).changed
    print(f"{player} plays no more in {name}" if changed else f"{player} was not in {name} any more")


@event.command()
def seed(
    name: Name,
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="By hand: the best first.")
    ] = None,
    by_rating: Annotated[bool, typer.Option("--by-rating", help="By what the ladder shows.")] = False,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Seed the entrants: by hand, by rating, or else all by lot. Who is not named follows by lot."""
    from scheduler.v1 import events_pb2 as pb

    request = pb.SeedEventRequest(event=name, by_rating=by_rating, players=players or [])
    with _events(server, token) as service:
        sheet = service.ask("Seed", request)
    if json:
        emit(_plain(sheet))
    else:
        show_entrants(sheet)


@event.command()
def start(name: Name, server: Server = None, token: Token = None) -> None:
    """Begin; who has no seed yet gets one by lot."""
    _step(name, "START", server, token)


@event.command()
def pause(name: Name, server: Server = None, token: Token = None) -> None:
    """Begin no more tables; those that were planned are played."""
    _step(name, "PAUSE", server, token)


@event.command()
def resume(name: Name, server: Server = None, token: Token = None) -> None:
    """Go on with a paused event."""
    _step(name, "RESUME", server, token)


@event.command()
def cancel(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = None,
    token: Token = None,
) -> None:
    """End an event without a winner. What was played stays rated."""
    if not yes:
        typer.confirm(f"call off {name}? it cannot be begun again", abort=True, err=True)
    _step(name, "CANCEL", server, token)


@event.command()
def show(name: Name, server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """An event: its entrants, rounds and standings, with what decides them."""
    sheet = _sheet(name, server, token)
    if json:
        emit(_plain(sheet))
    else:
        show_sheet(sheet)


@event.command()
def tables(name: Name, server: Server = None, token: Token = None, json: AsJson = False) -> None:
    """The tables of an event, in the order of its rounds, with who sits there."""
    show_tables(_sheet(name, server, token), json)


@event.command()
def correct(
    name: Name,
    table: TableId,
    places: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PLAYER]...", help="How it ended: the best first, level ones joined by =."),
    ] = None,
    replay: Annotated[bool, typer.Option("--replay", help="It counts for nothing; play it again.")] = False,
    void: Annotated[
        bool, typer.Option("--void", help="It counts for nothing, and is not played again.")
    ] = False,
    reason: Annotated[str, typer.Option(help="Why; everybody reads it.")] = "",
    preview: Annotated[
        bool, typer.Option("--preview", help="Say what it would change; change nothing.")
    ] = False,
    server: Server = None,
    token: Token = None,
    json: AsJson = False,
) -> None:
    """Put a table's ending right, whenever it was. Only what depends on it is played again.

    For example: correct Cup 01J… ann/bot bob/bot=cid/bot --reason 'the wrong way round'.
    """
    from scheduler.v1 import events_pb2 as pb

    if [bool(places), replay, void].count(True) != 1:
        raise UsageError("say one of: the players in their order, --replay, --void")
    kind = "REPLACE" if places else "REPLAY" if replay else "VOID"
    request = pb.CorrectEventRequest(
        event=name,
        table=table,
        kind=pb.CorrectEventRequest.Kind.Value(f"KIND_{kind}"),
        places=[pb.Place(player=player, place=place) for player, place in _places(places or [])],
        reason=reason,
        preview=preview,
    )
    with _events(server, token) as service:
        answer = service.ask("Correct", request)
    if json:
        emit(_plain(answer))
    else:
        show_change(answer)


def _places(said: list[str]) -> list[tuple[str, int]]:
    """``["a", "b=c", "d"]`` is a first, b and c second, d fourth; places from 0."""
    placed: list[tuple[str, int]] = []
    for group in said:
        place = len(placed)
        placed += [(player, place) for player in group.split("=")]
    return placed


def _read(path: Path) -> list[dict[str, Any]]:
    import tomllib

    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("stage")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}") from error
    if not isinstance(found, list) or not found or not all(isinstance(one, dict) for one in found):
        raise UsageError(f"{path} has no [[stage]]; write one for each stage, see docs/events.md")
    return found


def _stage(number: int, settings: dict[str, Any]) -> "pb.Stage":
    from scheduler.v1 import events_pb2 as pb

    known = list(pb.Stage.DESCRIPTOR.fields_by_name)
    strange = sorted(set(settings) - set(known))
    if strange:
        raise UsageError(f"stage {number} has {', '.join(strange)}; there are {', '.join(known)}")
    try:
        return pb.Stage(**settings)
    except (TypeError, ValueError) as error:
        raise UsageError(f"stage {number}: {error}") from error


def _step(name: str, verb: str, server: str | None, token: str | None) -> None:
    from scheduler.v1 import events_pb2 as pb

    request = pb.EventStepRequest(event=name, verb=pb.EventStepRequest.Verb.Value(f"VERB_{verb}"))
    with _events(server, token) as service:
        found = service.ask("Step", request)
    print(f"event {name} is {found.state} with {counted(found.entrants, 'entrant')}")


def _sheet(name: str, server: str | None, token: str | None) -> "pb.EventSheet":
    from scheduler.v1 import events_pb2 as pb

    with _events(server, token) as service:
        sheet: pb.EventSheet = service.ask("Get", pb.GetEventRequest(event=name))
    return sheet


def _events(server: str | None, token: str | None) -> "Service":
    from mamenoki.cli.calls import Service
    from scheduler.v1.events_pb2_grpc import EventServiceStub

    return Service(EventServiceStub, server, token)


def _plain(message: Any) -> dict[str, Any]:
    from mamenoki.cli.calls import plain

    return plain(message)
