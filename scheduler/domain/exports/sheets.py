"""Plain tables for spreadsheets and programs: one content, as CSV and as JSON.

CSV is RFC 4180's: a heading, commas, CRLF, UTF-8. A spreadsheet takes a cell that begins with ``=``, ``+``, ``-``,
``@``, a tab or a line's end for a formula, whoever wrote it; a *text* that does so gets an
apostrophe before it, as OWASP's "CSV Injection" advises. Numbers are never changed, and JSON has every
text as it is.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

Value = str | int | float | bool | None

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a cell begins that some spreadsheet computes; the last four are full-width, which some take as the first."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """``columns``: names in snake case; ``rows``: a value for each of them, None where there is none."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Value]]


def csv_of(sheet: Sheet) -> str:
    """The sheet as CSV. None is an empty cell, a truth value ``true`` or ``false``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(sheet.columns)
    writer.writerows([_cell(value) for value in row] for row in sheet.rows)
    return out.getvalue()


def records_of(sheet: Sheet) -> list[dict[str, Value]]:
    """The sheet as JSON has it: an object a row."""
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def _cell(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA) else value
    return "" if value is None else str(value)
