"""What a game's moves and views are as numbers. A game's own stands in a module of its name, as ``SPACE``."""

from importlib import import_module
from importlib.util import find_spec

from mamenoki.learn.spaces.space import Space


def space_of(game: str) -> Space:
    """The game's space; LookupError, saying what to write, where it has none."""
    module = f"{__name__}.{game}"
    if not game.isidentifier() or find_spec(module) is None:
        raise LookupError(f"{game} has no numbers to learn from: write {module.replace('.', '/')}.py")
    space: Space = import_module(module).SPACE
    return space
