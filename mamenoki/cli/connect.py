"""``mamenoki connect``: an author's bot on a server, until interrupted."""

import hashlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import note

if TYPE_CHECKING:
    from mamenoki.sdk import Bot, Result, Seat
    from mamenoki.sdk.client import Profile
    from mamenoki.sdk.events import Event

verbs = typer.Typer()

UNKNOWN_AUTHOR = (
    "no token: make one with `mamenoki token create --owner NAME`, then set MAMENOKI_TOKEN or pass --token"
)


@verbs.command()
def connect(
    bot: Annotated[str, typer.Argument(help="FILE.py:CLASS, or FILE.py:CLASS:key=value,...")],
    server: Annotated[str | None, typer.Option(help="HOST:PORT; none: the running demo's.")] = None,
    token: Annotated[str | None, typer.Option(envvar="MAMENOKI_TOKEN", help="Who you are.")] = None,
    name: Annotated[str | None, typer.Option(help="The bot's name; none: its class's.")] = None,
    version: Annotated[
        str | None, typer.Option(help="Its version; none: a label made from the file.")
    ] = None,
    places: Annotated[int, typer.Option(min=1, max=64, help="Matches at once.")] = 4,
    ladder: Annotated[list[str] | None, typer.Option(help="Where it plays; may be given again.")] = None,
    tls: Annotated[bool | None, typer.Option(help="None: unless the server is this machine.")] = None,
) -> None:
    """Play on a server with a bot that runs here. Keeps connected by itself.

    ^C once: the matches in play are finished, no new one begins. Twice: leave at once.
    A changed file is a new version of the bot. If the bot raises, its traceback is shown
    and that match resigned; after three in a row it is taken off.
    """
    from mamenoki.cli.bots import file_bot
    from mamenoki.cli.places import server_address
    from mamenoki.sdk.client import Profile

    kind, settings = file_bot(bot)
    make = partial(kind, **settings)
    _try_out(bot, make)
    if not token:
        raise UsageError(UNKNOWN_AUTHOR)
    label = version or _label(bot)
    profile = Profile(name or kind.__name__, label, places, tuple(ladder or _ladders()))
    _run(make, profile, server_address(server), token, tls)


def _run(make: "partial[Bot]", profile: "Profile", address: str, token: str, tls: bool | None) -> None:
    from mamenoki.sdk.blocking import connect as stay
    from mamenoki.sdk.errors import SdkError

    print(f"connecting to {address} as {profile.bot}, version {profile.version}; ^C ends", flush=True)
    try:
        stay(lambda _seat: make(), profile, address, token, tell=say, tls=tls)
    except SdkError as error:
        raise CommandError(str(error)) from error
    print("disconnected")


def _try_out(spec: str, make: "partial[Bot]") -> None:
    try:
        make()
    except Exception as error:
        raise CommandError(f"{spec} cannot be made: {type(error).__name__}: {error}") from error


def _label(spec: str) -> str:
    """The same file and settings are the same version; a change is a new one."""
    path, _, rest = spec.partition(".py")
    source = Path(f"{path}.py").read_bytes()
    return f"file-{hashlib.sha256(source + rest.encode()).hexdigest()[:10]}"


def _ladders() -> list[str]:
    from engine_service.games import GAMES

    return [f"{game.card.id}/{variant.name}" for game in GAMES.values() for variant in game.card.variants]


def say(event: "Event") -> None:
    """One line for each thing that happens; trouble goes to stderr."""
    from mamenoki.sdk import events

    match event:
        case events.Connected(player, places):
            print(f"connected as {player}, {places} matches at once", flush=True)
        case events.MatchStarted(seat, resumed):
            print(_started(seat, resumed), flush=True)
        case events.MatchEnded(seat, result):
            print(f"match {seat.match} ended: {_ended(seat, result)}", flush=True)
        case events.Draining(retry_s):
            print(f"the server is going down; back in {retry_s:.0f} s", flush=True)
        case events.Leaving(matches):
            print(f"leaving when {matches} matches in play have ended" if matches else "leaving", flush=True)
        case events.Disconnected(why, retry_s):
            note(f"connection lost: {why}; next try in {retry_s:.1f} s")
        case events.AnswerRefused(seat, message, tries):
            note(f"match {seat.match}: {message}" + (f" ({tries} tries left)" if tries else ""))
        case events.BotRaised(seat, trace):
            note(f"match {seat.match}: the bot raised, the seat is resigned\n{trace.rstrip()}")


def _started(seat: "Seat", resumed: bool) -> str:
    verb = "goes on" if resumed else "begins"
    others = ", ".join(player for place, player in enumerate(seat.players) if place != seat.seat)
    return f"match {seat.match} {verb}: {seat.game}/{seat.variant}, seat {seat.seat} against {others}"


def _ended(seat: "Seat", result: "Result") -> str:
    if not result.placements:
        return result.end
    place = result.placements[seat.seat] + 1
    scores = " ".join(map(str, result.scores))
    given_up = f", seat forfeited ({result.forfeit})" if result.forfeit else ""
    return f"place {place} of {len(result.placements)}, scores {scores}{given_up}"
