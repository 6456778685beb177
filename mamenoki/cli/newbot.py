"""``mamenoki new-bot``: a bot to start from, which runs as it is."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.names import program

verbs = typer.Typer()

OURS = {"bot_runner", "engine_service", "mamenoki", "ratings", "scheduler", "service", "storage", "web"}
"""Our own packages."""

TEMPLATE = '''\
"""{kind}, a bot for mamenoki.

Try it here, against house bots:   {mamenoki} play mushi --bots {file}:{kind},random --matches 20
Enter it on a server:              {mamenoki} connect {file}:{kind} --server HOST:PORT
"""

import random

from mamenoki.sdk import Bot, Decision, Result, Seat


class {kind}(Bot):
    """One object sits at one seat of one match: what is kept in self is that seat's memory."""

    def start(self, seat: Seat) -> None:
        # seat.seat is your place (from 0), seat.players everybody's names, seat.config the
        # rules' settings. Take your dice from seat.seed: then a match can be played again.
        self.me = seat.seat
        self.dice = random.Random(seat.seed)

    def choose(self, decision: Decision) -> str:
        # decision.legal    every move you may make, as texts; answer with one of them
        # decision.view     what you can see now: print it once to get to know it
        # decision.sightings  what you were shown since your last decision
        # decision.left_ms  your time, None without a limit
        if "stop" in decision.legal:  # a first idea for mushi: be content with what is caught
            return "stop"
        return self.dice.choice(decision.legal)

    def finish(self, result: Result) -> None:
        # result.placements[self.me] is your place, 0 the best. Nothing has to be done here.
        pass
'''


@verbs.command("new-bot")
def new_bot(
    name: Annotated[str, typer.Argument(help="What to call it, such as my_bot; the file is NAME.py.")],
    language: Annotated[
        str | None,
        typer.Option(
            help="python, javascript, c, rust or go: a folder to build and upload. None: a Python file."
        ),
    ] = None,
    game: Annotated[
        str, typer.Option(help="What it plays, such as mushi/standard (with --language).")
    ] = "mushi",
) -> None:
    """Write a bot to start from: a commented file that plays as it is, or a folder to upload."""
    if language is not None:
        _write_folder(name, language, game)
        return
    path = Path(name if name.endswith(".py") else f"{name}.py")
    if not re.fullmatch(r"[A-Za-z_]\w*", path.stem):
        raise UsageError(f"{path.stem!r} is no Python name; use letters, digits and _, such as my_bot")
    taken = _taken(path.stem)
    if taken:
        raise UsageError(f"{path.stem!r} is {taken}; choose another name, such as my_{path.stem}")
    kind = "".join(word[:1].upper() + word[1:] for word in path.stem.split("_")) or "Bot"
    _write(path, TEMPLATE.format(kind=kind, file=path.name, mamenoki=program()))
    print(f"wrote {path}; try it: {program()} play mushi --bots {path}:{kind},random --matches 20")


def _write_folder(name: str, language: str, game: str) -> None:
    """A bundle's folder: manifest, source and README."""
    from mamenoki.cli.starters import STARTERS, files

    if language not in STARTERS:
        raise UsageError(f"language {language!r} is none of {', '.join(STARTERS)}")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", name):
        raise UsageError(
            f"{name!r} is no name of a bot: 1 to 40 of A-Z a-z 0-9 . _ -, the first a letter or digit"
        )
    texts = files(language, name, _ladder(game))
    try:
        Path(name).mkdir()
    except FileExistsError as error:
        raise CommandError(f"{name} is there already; choose another name") from error
    except OSError as error:
        raise CommandError(f"{name} cannot be made: {error.strerror}") from error
    for file, text in texts.items():
        _write(Path(name) / file, text)
    print(
        f"wrote {name}/ with {', '.join(sorted(texts))}; {name}/README.md says how to build it and hand it in"
    )


def _ladder(game: str) -> str:
    """``mushi`` and ``mushi/standard`` alike, by its full name."""
    from engine_service.core.game import ConfigError
    from engine_service.games import find

    try:
        kind, variant = find(game)
    except ConfigError as error:
        raise UsageError(str(error)) from error
    return f"{kind.card.id}/{variant.name}"


def _taken(name: str) -> str | None:
    """What else is called so and would be hidden by the file, or be mistaken for it."""
    if name in sys.stdlib_module_names:
        return "a module of Python's own, which a file of that name would hide"
    if name in OURS:
        return "a package of mamenoki itself, which a file of that name would hide"
    return "a house bot" if name in _house_bots() else None


def _house_bots() -> set[str]:
    from engine_service.games import GAMES
    from mamenoki.house import programs
    from mamenoki.house.roster import ROSTER

    return {bot.name for bot in ROSTER} | {name for game in GAMES for name in programs(game)}


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise CommandError(f"{path} is there already; choose another name") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
