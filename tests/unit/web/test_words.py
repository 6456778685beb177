"""Times, names and numbers as pages show them."""

import pytest

from web import words

NOON = 1_796_040_000_000  # 30 Nov 2026, 12:00:00 UTC


@pytest.mark.parametrize(
    ("offset", "text"),
    [
        (0, "just now"),
        (-9_999, "just now"),
        (5_000, "in a moment"),
        (-10_000, "10 seconds ago"),
        (-60_000, "1 minute ago"),
        (-119_999, "1 minute ago"),
        (-3_600_000, "1 hour ago"),
        (7_200_000, "in 2 hours"),
        (-26 * 3_600_000, "1 day ago"),
        (-15 * 86_400_000, "2 weeks ago"),
        (-40 * 86_400_000, "21 Oct 2026"),
    ],
)
def test_relative_time(offset: int, text: str) -> None:
    assert words.relative_time(NOON + offset, NOON) == text


def test_times_are_utc_and_never_fail() -> None:
    assert words.machine_time(NOON) == "2026-11-30T12:00:00Z"
    assert words.full_time(NOON) == "30 Nov 2026, 12:00 UTC"
    assert words.machine_time(10**18).startswith("9999-12-31")
    assert words.machine_time(-1) == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("greedy-bold", "greedy-bold"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # escaping is the template's
        ("gre\u202eydeer", "gre\ufffdydeer"),
        ("a\u200b\u200db\x00c", "a\ufffd\ufffdb\ufffdc"),
        ("\ud800x", "\ufffdx"),
        ("Z" + "\u0301" * 50, "Z\u0301\u0301"),
        ("豆の木", "豆の木"),
        ("x" * 500, "x" * 89 + "…"),
    ],
)
def test_shown_name(name: str, shown: str) -> None:
    assert words.shown_name(name) == shown


def test_messages_are_sentences() -> None:
    assert words.shown_message("there is no table 'x\u202e'") == "There is no table 'x\ufffd'."
    assert words.shown_message("Gone.") == "Gone."


def test_clean_query() -> None:
    assert words.clean_query("  bo\x00t\u202e" + "y" * 80) == "bot" + "y" * 37


@pytest.mark.parametrize(
    ("value", "figure", "change"),
    [(23.44, "23.4", "+23.4"), (-1.25, "−1.2", "−1.2"), (-0.04, "0.0", "±0.0"), (0.0, "0.0", "±0.0")],
)
def test_figures(value: float, figure: str, change: str) -> None:
    assert (words.figure(value), words.change(value)) == (figure, change)


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (121, "121st")],
)
def test_ordinal(number: int, text: str) -> None:
    assert words.ordinal(number) == text


def test_small_words() -> None:
    assert [words.listing(list("abc"[:size])) for size in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [words.count(1, "match", "matches"), words.count(1200, "table")] == ["1 match", "1,200 tables"]
    assert [words.duration(ms) for ms in (38, 2400, 65_000)] == ["38 ms", "2.4 s", "1 min 5 s"]
