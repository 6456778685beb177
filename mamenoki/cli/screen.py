"""Where a command writes: results to stdout, everything else to stderr."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from scheduler.domain.exports.sheets import Sheet

Column = tuple[str, str]
"""A heading, and ``<`` or ``>`` for the side that the column leans on."""


WIDE = 160
"""The width of a table in a file or a pipe."""


def out() -> "Console":
    """Results."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)


def note(text: str) -> None:
    """Something by the way, on stderr."""
    print(text, file=sys.stderr, flush=True)


def emit(data: Any) -> None:
    """A result for programs: one JSON document on stdout."""
    print(json.dumps(data, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))


def emit_csv(data: "Sheet") -> None:
    """A result for spreadsheets on stdout; see scheduler.domain.exports.sheets."""
    from scheduler.domain.exports.sheets import csv_of

    sys.stdout.write(csv_of(data))


def show_table(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout; nothing in it is taken for markup, and no cell is cut short."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD)
    for heading, side in columns:
        table.add_column(heading, justify="right" if side == ">" else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = out()
    console.print(Text(title))
    console.print(table)


def progress() -> "Progress":
    """A bar on stderr, there only on a terminal and gone when done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
