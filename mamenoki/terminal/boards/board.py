"""How a seat's view is written in a terminal. This class writes any game's, key by key."""

from collections.abc import Mapping, Sequence
from typing import Any

View = Mapping[str, Any]
Config = Mapping[str, Any]
WIDTH = 60
"""No line is wider, so that a narrow terminal shows a whole board."""

EVERYWHERE = ("seat", "state", "decides", "end", "ranks")
"""Keys that say nothing that a person does not see anyhow."""


class Board:
    """A game without a board of its own: what its view says, as it says it."""

    def draw(self, view: View, names: Sequence[str], config: Config) -> list[str]:
        """The lines for one seat; ``names`` by seat; ``config`` the match's complete one."""
        lines = []
        for key, value in view.items():
            if key not in EVERYWHERE:
                lines += _folded(f"{key}: ", _told(value))
        return lines


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows as aligned columns, two spaces between them; those in ``right`` lean to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def wrapped(label: str, words: Sequence[str]) -> list[str]:
    """A label and words, on as many lines as they need; ``-`` where there are none."""
    lines, line = [], label
    for word in words or ["-"]:
        if len(line) + len(word) + 1 > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = " " * len(label)
        line += f"{word} "
    return [*lines, line.rstrip()]


def _told(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_told(one) for one in value)}]"
    return "-" if value is None else str(value)


def _folded(label: str, text: str) -> list[str]:
    return wrapped(label, text.split())
