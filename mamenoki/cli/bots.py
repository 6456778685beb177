"""What ``--bots`` names: house programs, house bots, and authors' files.

``random`` · ``greedy:boldness=2,rerolls=1`` · ``my_bot.py:MyBot`` · ``my_bot.py:MyBot:depth=3``
"""

import inspect
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from mamenoki.cli.errors import CommandError, UsageError
from mamenoki.cli.loading import load_bot
from mamenoki.sdk import Bot, BotError

Settings = dict[str, Any]
_CONTINUES = re.compile(r"[A-Za-z_]\w*=")
_CLASS = re.compile(r"[A-Za-z_]\w*(:.*)?")
_FILE = re.compile(r"(?P<path>.*?\.py)(?::(?P<name>[A-Za-z_]\w*))?(?::(?P<settings>[A-Za-z_]\w*=.*))?")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot to be entered: its name in replays, ``owner/bot@version``, and how to make one for a seat."""

    name: str
    make: Callable[[], Bot]


def entrants(text: str, game: str, variant: str) -> list[Entrant]:
    """The bots of a comma-separated list, for one game. Equal ones are numbered apart.

    UsageError or CommandError, naming the bot, if one cannot be made; every one is made
    once to be sure.
    """
    specs = split(text)
    if not specs:
        raise UsageError("--bots names no bot; try --bots random,greedy,strong")
    made = [_entrant(spec, game, variant) for spec in specs]
    for spec, entrant in zip(specs, made, strict=True):
        _try_out(spec, entrant)
    return _told_apart(made)


def split(text: str) -> list[str]:
    """``greedy:a=1,b=2,random`` is two bots: a setting goes on the bot before it."""
    specs: list[str] = []
    for item in filter(None, (part.strip() for part in text.split(","))):
        if specs and _CONTINUES.match(item):
            specs[-1] += f",{item}"
        else:
            specs.append(item)
    return specs


def read_settings(text: str) -> Settings:
    """``a=1,b=true,c=word``: JSON values where they are JSON, else texts."""
    settings: Settings = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals or not key:
            raise UsageError(f"{item!r} is no setting; write key=value")
        settings[key.strip()] = read_value(value.strip())
    return settings


def read_value(text: str) -> Any:
    """A JSON value, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def file_bot(spec: str) -> tuple[type[Bot], Settings]:
    """The class and settings of ``my_bot.py:MyBot:depth=3``."""
    match = _FILE.fullmatch(spec)
    if match is None:
        raise UsageError(f"{spec!r} is no bot; {_as_file(spec)}")
    kind = load_bot(Path(match["path"]), match["name"])
    settings = read_settings(match["settings"] or "")
    _check_settings(spec, kind, settings)
    return kind, settings


def _check_settings(spec: str, kind: type[Bot], settings: Settings) -> None:
    unknown = _unknown(kind, settings)
    if unknown:
        known = ", ".join(_named_settings(kind))
        has = f"it takes: {known}" if known else "it takes none"
        raise UsageError(
            f"{spec}: {kind.__name__} has no setting {unknown[0]!r}; {has}. "
            f"Name it in the class: def __init__(self, {unknown[0]}=...)"
        )
    try:
        inspect.signature(kind).bind(**settings)
    except TypeError as error:
        raise UsageError(f"{spec}: {kind.__name__}{inspect.signature(kind)}: {error}") from error


def _as_file(spec: str) -> str:
    """How to name a class of a file, if that is what was meant."""
    module, _, rest = spec.partition(":")
    if ".py" in spec or not _CLASS.fullmatch(rest):
        return "write FILE.py:CLASS, such as my_bot.py:MyBot"
    return f"for a class of a file write {module.replace('.', '/')}.py:{rest}"


def _unknown(kind: type[Bot], settings: Settings) -> list[str]:
    """Those that the class does not name. Bot's own ``**settings`` is there to be inherited and names none."""
    parameters = inspect.signature(kind).parameters.values()
    if kind.__init__ is not Bot.__init__ and any(one.kind is one.VAR_KEYWORD for one in parameters):
        return []
    return [key for key in settings if key not in _named_settings(kind)]


def _named_settings(kind: type[Bot]) -> list[str]:
    parameters = inspect.signature(kind).parameters.values()
    return [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]


def _entrant(spec: str, game: str, variant: str) -> Entrant:
    if ".py" in spec:
        kind, settings = file_bot(spec)
        return Entrant(_named("local", kind.__name__, settings), partial(kind, **settings))
    program, _, rest = spec.partition(":")
    if _CLASS.fullmatch(rest):
        raise UsageError(f"{spec!r} is no bot; {_as_file(spec)}")
    return _house(program, read_settings(rest), game, variant)


def _house(program: str, settings: Settings, game: str, variant: str) -> Entrant:
    from mamenoki import house

    if program in house.programs(game):
        return Entrant(_named("house", program, settings), partial(house.make, game, program, settings))
    for name, of_program, own in _roster(game, variant):
        if name == program:
            make = partial(house.make, game, of_program, own | settings)
            return Entrant(_named("house", name, settings), make)
    bots = list(dict.fromkeys([*house.programs(game), *(name for name, _, _ in _roster(game, variant))]))
    meant = "".join(f"did you mean {name}? " for name in get_close_matches(program, bots, 1))
    raise UsageError(
        f"there is no house bot {program!r} for {game}; {meant}there are: {', '.join(bots)}; "
        "or give FILE.py:CLASS"
    )


def _roster(game: str, variant: str) -> list[tuple[str, str, Settings]]:
    from mamenoki.house.roster import ROSTER

    return [
        (entry.name, entry.program, dict(entry.settings))
        for entry in ROSTER
        if (entry.game, entry.variant) == (game, variant)
    ]


def _named(owner: str, bot: str, settings: Settings) -> str:
    words = [bot, *(f"{key}-{value}" for key, value in settings.items())]
    return f"{owner}/{_NOT_IN_A_NAME.sub('-', '-'.join(words))}@1"


def _try_out(spec: str, entrant: Entrant) -> None:
    try:
        entrant.make()
    except BotError as error:
        raise UsageError(str(error)) from error
    except Exception as error:
        raise CommandError(f"{spec} cannot be made: {type(error).__name__}: {error}") from error


def _told_apart(entrants: Sequence[Entrant]) -> list[Entrant]:
    total = Counter(entrant.name for entrant in entrants)
    count: Counter[str] = Counter()
    named: list[Entrant] = []
    for entrant in entrants:
        count[entrant.name] += 1
        bot, _, version = entrant.name.partition("@")
        name = f"{bot}-{count[entrant.name]}@{version}" if total[entrant.name] > 1 else entrant.name
        named.append(Entrant(name, entrant.make))
    return named
