"""``mamenoki.toml``: what a bundle is and how it is started.

::

    name = "climber"
    language = "python"
    entry = "bot.py:Climber"
    games = ["mushi/standard"]
"""

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass

from bot_runner.errors import BundleRefused, printable
from bot_runner.languages import LANGUAGES

FILE = "mamenoki.toml"
LONGEST = 16 << 10
KEYS = ("name", "language", "entry", "games")
MOST_GAMES = 32

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_GAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}/[a-z0-9][a-z0-9-]{0,39}")
_ENTRY = re.compile(r"(?P<file>[^:]+)(?::(?P<kind>[A-Za-z_]\w{0,99}))?")


@dataclass(frozen=True, slots=True)
class Manifest:
    """``games`` are ``game/variant``, without repeats. ``entry`` is a path in the bundle;
    ``kind`` the class in it that is the bot (Python only; None: the file runs by itself)."""

    name: str
    language: str
    entry: str
    kind: str | None
    games: tuple[str, ...]


def parse(data: bytes, games: Collection[str] | None = None) -> Manifest:
    """Read a manifest. ``games``: those that can be played here; None: any.

    Raises BundleRefused, whose message says what may stand in the place of what does.
    """
    table = _table(data)
    unknown = sorted(set(table) - set(KEYS))
    if unknown:
        raise _refused(f"it has no key {printable(unknown[0])}; its keys are {', '.join(KEYS)}")
    entry, kind = _entry(_text(table, "entry"))
    manifest = Manifest(_name(table), _language(table), entry, kind, _games(table, games))
    if kind is not None and manifest.language != "python":
        raise _refused("entry names a class; only Python bots have one")
    return manifest


def _table(data: bytes) -> dict[str, object]:
    if len(data) > LONGEST:
        raise _refused(f"longer than {LONGEST} bytes")
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise _refused(f"not TOML in UTF-8: {printable(str(error))}") from error


def _text(table: dict[str, object], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise _refused(f"{key} must be a text" if key in table else f"{key} is missing; it is a text")
    return value


def _name(table: dict[str, object]) -> str:
    name = _text(table, "name")
    if not _NAME.fullmatch(name):
        raise _refused(
            f"name {printable(name, 60)} is not 1 to 40 of A-Z a-z 0-9 . _ -, the first a letter or digit"
        )
    return name


def _language(table: dict[str, object]) -> str:
    language = _text(table, "language")
    if language not in LANGUAGES:
        raise _refused(f"language {printable(language, 60)} is none of {', '.join(LANGUAGES)}")
    return language


def _entry(entry: str) -> tuple[str, str | None]:
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise _refused(f"entry {printable(entry, 60)} is not FILE, or FILE:CLASS for Python")
    return match["file"], match["kind"]


def _games(table: dict[str, object], known: Collection[str] | None) -> tuple[str, ...]:
    games = table.get("games")
    if not isinstance(games, list) or not 1 <= len(games) <= MOST_GAMES:
        raise _refused(f'games must list 1 to {MOST_GAMES} ladders, such as ["mushi/standard"]')
    for game in games:
        if not isinstance(game, str) or not _GAME.fullmatch(game):
            raise _refused(f"games holds {printable(str(game), 60)}; it lists GAME/VARIANT")
        if known is not None and game not in known:
            raise _refused(f"games holds {printable(game)}; here are played {', '.join(sorted(known))}")
    if len(set(games)) != len(games):
        raise _refused("games lists one twice")
    return tuple(games)


def _refused(message: str) -> BundleRefused:
    return BundleRefused("manifest", message, FILE)
