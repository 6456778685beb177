"""Ladders as they are typed, and this command line as it has to be typed."""

import os
import sys
from pathlib import Path

from mamenoki.cli.places import PROJECT


def ladder_name(typed: str) -> str:
    """``mushi`` is the ladder of its first variant, as it is for ``connect``; other names are as they are."""
    from engine_service.games import GAMES

    game = GAMES.get(typed)
    return typed if game is None else f"{typed}/{game.card.variants[0].name}"


def program() -> str:
    """What to type for this command line here: ``./dev mamenoki`` in a checkout that it was started from."""
    dev = PROJECT / "dev"
    if Path(sys.argv[0]).name != "__main__.py" or not dev.is_file():
        return "mamenoki"
    return f"{'./dev' if Path.cwd() == PROJECT else os.fspath(dev)} mamenoki"


def as_typed(text: str) -> str:
    """A message whose `` `mamenoki VERB` `` can be typed as it stands."""
    return text.replace("`mamenoki ", f"`{program()} ")
