"""The house bots that the ladders start with: programs under names of their own.

Each game's are in ``mamenoki/house/<game>/roster.py``.
"""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from mamenoki import house
from mamenoki.house.entry import Entry

__all__ = ["ROSTER", "Entry"]


def _gather() -> list[Entry]:
    entries: list[Entry] = []
    for game in sorted(module.name for module in iter_modules(house.__path__) if module.ispkg):
        name = f"{house.__name__}.{game}.roster"
        if find_spec(name) is not None:
            entries += import_module(name).ROSTER
    return entries


ROSTER: list[Entry] = _gather()
"""Game by game; within a ladder weakest first, roughly."""
