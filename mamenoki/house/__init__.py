"""House bots: programs that ship with us, for every game.

A program plays one game and takes named settings, so that one program can be
entered as several bots. ``mamenoki/house/<game>.py`` holds a game's own programs
in its table ``PROGRAMS: dict[str, type[Bot]]``; ``random`` plays everything.
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, signature

from mamenoki.house.random_bot import RandomBot
from mamenoki.sdk import BadSettings, Bot, UnknownProgram
from mamenoki.sdk.bot import Json

__all__ = ["make", "programs", "takes"]

ANY_GAME: dict[str, type[Bot]] = {"random": RandomBot}


def programs(game: str) -> list[str]:
    """The names that :func:`make` takes for a game (``mushi``), weakest first; at least ``random``."""
    return list(_programs(game))


def make(game: str, program: str, settings: Mapping[str, Json]) -> Bot:
    """A bot for one seat of one match of ``game``.

    Raises UnknownProgram or BadSettings, naming what there is.
    """
    kind = _find(game, program)
    _check(game, program, settings)
    try:
        return kind(**settings)
    except (TypeError, ValueError) as error:
        raise BadSettings(f"{program} does not take {dict(settings)}: {error}") from error


def takes(game: str, program: str) -> dict[str, Json]:
    """The settings that a program takes, with their defaults."""
    parameters = signature(_find(game, program).__init__).parameters.values()
    return {
        one.name: one.default
        for one in parameters
        if one.name != "self" and one.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    }


def _programs(game: str) -> dict[str, type[Bot]]:
    module = f"{__name__}.{game}"
    if not game.isidentifier() or find_spec(module) is None:
        return ANY_GAME
    own: dict[str, type[Bot]] = getattr(import_module(module), "PROGRAMS", {})
    return ANY_GAME | own


def _find(game: str, program: str) -> type[Bot]:
    known = _programs(game)
    if program not in known:
        raise UnknownProgram(f"no house program {program!r} plays {game}; there are: {', '.join(known)}")
    return known[program]


def _check(game: str, program: str, settings: Mapping[str, Json]) -> None:
    known = takes(game, program)
    for key in settings:
        if key not in known:
            has = f"it takes: {', '.join(known)}" if known else "it takes none"
            raise BadSettings(f"{program} has no setting {key!r}; {has}")
