"""Loads an author's bot from a file, and says in one line what is wrong with it."""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from mamenoki.cli.errors import CommandError
from mamenoki.sdk import Bot

OURS = frozenset(
    {"bot_runner", "engine_service", "mamenoki", "ratings", "scheduler", "service", "storage", "web"}
)
"""Packages that are nobody's neighbours, though a bot's file may stand beside them in a checkout."""


def load_bot(path: Path, name: str | None) -> type[Bot]:
    """The class ``name`` of a file, or its only bot. CommandError says what to mend."""
    module = _load(path)
    kind = _pick(path, module, name)
    _check_choose(path, kind)
    return kind


@contextmanager
def own_neighbours(path: Path) -> Iterator[None]:
    """For loading a bot beside another whose file's neighbours have the same names: what it has imported from its own
    folder inside the block it keeps, and who comes after it imports anew."""
    before, paths, folder = set(sys.modules), list(sys.path), path.resolve().parent
    try:
        yield
    finally:
        for name in set(sys.modules) - before:
            top = name.partition(".")[0]
            if top not in OURS and ((folder / f"{top}.py").is_file() or (folder / top).is_dir()):
                del sys.modules[name]
        sys.path[:] = paths


def _load(path: Path) -> ModuleType:
    if not path.is_file():
        raise CommandError(
            f"there is no file {path}; `mamenoki new-bot {path.stem}` writes one to start from"
        )
    spec = importlib.util.spec_from_file_location(f"mamenoki_bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise CommandError(f"{path} is not a Python file; a bot's file ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    # So that a bot may import the files beside it. Last: a file random.py there hides nobody's random.
    sys.path.append(str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise CommandError(f"{error.filename or path} line {error.lineno}: {error.msg}") from error
    except Exception as error:
        raise CommandError(f"{path}{_line_of(error, path)}: {type(error).__name__}: {error}") from error
    return module


def _line_of(error: BaseException, path: Path) -> str:
    """`` line 3`` if the error came through the author's file."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve() == path.resolve()
    ]
    return f" line {lines[-1]}" if lines else ""


def _pick(path: Path, module: ModuleType, name: str | None) -> type[Bot]:
    own = _bots(module)
    listed = ", ".join(own) or "none; a bot is a class that derives from mamenoki.sdk.Bot"
    if name is None:
        if len(own) != 1:
            raise CommandError(f"name the bot as {path}:CLASS; bots in this file: {listed}")
        return next(iter(own.values()))
    if name in own:
        return own[name]
    if hasattr(module, name):
        raise CommandError(
            f"{path}: {name} does not derive from mamenoki.sdk.Bot; write `class {name}(Bot):`"
        )
    raise CommandError(f"{path} has no class {name}; bots in it: {listed}")


def _bots(module: ModuleType) -> dict[str, type[Bot]]:
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Bot) and value.__module__ == module.__name__
    }


def _check_choose(path: Path, kind: type[Bot]) -> None:
    if kind.choose is Bot.choose:
        raise CommandError(f"{path}: {kind.__name__} has no choose; write `def choose(self, decision): ...`")
    for name, arguments in (("start", 2), ("choose", 2), ("finish", 2)):
        method = getattr(kind, name)
        try:
            inspect.signature(method).bind(*range(arguments))
        except TypeError as error:
            one = {"start": "seat", "choose": "decision", "finish": "result"}[name]
            given = f"{name}{inspect.signature(method)}"
            raise CommandError(
                f"{path}: {kind.__name__}.{given} must be {name}(self, {one}): {error}"
            ) from error
