"""``mamenoki connect``: an author's bot on a server, until interrupted."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.screen import note

if TYPE_CHECKING:
    from mamenoki.sdk import Bot
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
    ladder: Annotated[
        list[str] | None,
        typer.Option(help="Where it plays, such as seimi; may be given again. None: mushi/standard."),
    ] = None,
    tls: Annotated[bool | None, typer.Option(help="None: unless the server is this machine.")] = None,
) -> None:
    """Play on a server with a bot that runs here. Keeps connected by itself.

    ^C once: the matches in play are finished, no new one begins. Twice: leave at once.
    A changed file is a new version of the bot. If the bot raises, its traceback is shown
    and that match resigned; after three in a row, or three forfeited for illegal answers,
    it is taken off.
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
    profile = Profile(name or kind.__name__, label, places, tuple(ladder or [_first_ladder()]))
    print(
        f"connecting to {server_address(server)} as {profile.bot}, version {profile.version}, "
        f"for {', '.join(profile.ladders)}; ^C ends",
        flush=True,
    )
    _run(make, profile, _address(server), token, tls)


def _address(server: str | None) -> "Callable[[], str]":
    """Where to dial now: a demo that is started again has other ports. While none runs, where it was."""
    from mamenoki.cli.places import server_address

    last = server_address(server)

    def address() -> str:
        nonlocal last
        with suppress(CommandError):
            last = server_address(server)
        return last

    return address


def _run(
    make: "partial[Bot]", profile: "Profile", address: "Callable[[], str]", token: str, tls: bool | None
) -> None:
    from mamenoki.sdk.blocking import connect as stay
    from mamenoki.sdk.errors import SdkError

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


def _first_ladder() -> str:
    """A bot that does not say what it plays is taken for one of the first game's: few play them all."""
    from engine_service.games import GAMES

    game = next(iter(GAMES.values()))
    return f"{game.card.id}/{game.card.variants[0].name}"


def say(event: "Event") -> None:
    """One line for each thing that happens; trouble goes to stderr."""
    from mamenoki.sdk.telling import Trouble, sentence

    if isinstance(event, Trouble):
        note(sentence(event))
    else:
        print(sentence(event), flush=True)
