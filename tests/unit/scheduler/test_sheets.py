"""Plain tables: what a spreadsheet makes of them, and what it must not."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.exports.sheets import FORMULA, Sheet, csv_of, records_of

SHEET = Sheet(
    ("rank", "player", "rating", "provisional", "move"),
    [(1, "ann/bot", -1.25, True, None), (2, '=HYPERLINK("x")', 0.5, False, -1)],
)


def test_a_sheet_as_csv() -> None:
    assert csv_of(SHEET) == (
        "rank,player,rating,provisional,move\r\n"
        "1,ann/bot,-1.25,true,\r\n"
        '2,"\'=HYPERLINK(""x"")",0.5,false,-1\r\n'
    )


def test_a_sheet_as_json() -> None:
    first, second = records_of(SHEET)
    assert first == {"rank": 1, "player": "ann/bot", "rating": -1.25, "provisional": True, "move": None}
    assert second["player"] == '=HYPERLINK("x")'  # a program takes no text for a formula


def test_a_row_that_does_not_fit_is_no_row() -> None:
    with pytest.raises(ValueError, match="zip"):
        records_of(Sheet(("a", "b"), [(1,)]))


CELLS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(FORMULA).flatmap(
    lambda first: st.text(max_size=5).map(lambda rest: first + rest)
)


@given(rows=st.lists(st.tuples(CELLS, CELLS | st.integers() | st.floats(allow_nan=False)), max_size=5))
def test_no_text_is_a_formula_and_nothing_is_lost(rows: list[tuple[str, str | int | float]]) -> None:
    read = list(csv.reader(io.StringIO(csv_of(Sheet(("a", "b"), rows)), newline="")))
    assert read[0] == ["a", "b"]
    assert len(read) == 1 + len(rows)
    for cells, values in zip(read[1:], rows, strict=True):
        for cell, value in zip(cells, values, strict=True):
            assert cell.removeprefix("'") == str(value).removeprefix("'")
            assert not (isinstance(value, str) and cell.startswith(FORMULA))
