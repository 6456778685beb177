"""Calendars, read back by the library's parser: instants, names that last, texts that forge nothing."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.cron import following
from scheduler.domain.exports.calendar import Entry, calendar_of

BERLIN = ZoneInfo("Europe/Berlin")


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def entry(**changes: object) -> Entry:
    values = {"name": "x", "title": "t", "text": "d", "begins_at": 0, "ends_at": None, "changed_at": 0}
    return Entry(**{**values, **changes})  # type: ignore[arg-type]


def test_an_entry_by_hand() -> None:
    text = calendar_of(
        "Autumn",
        "Europe/Berlin",
        [entry(name="round-1", title="A, b; c", begins_at=1_000, ends_at=61_000, changed_at=61_000)],
    )
    assert text == "\r\n".join(
        [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//mamenoki//calendar//EN",
            "CALSCALE:GREGORIAN",
            "X-WR-CALNAME:Autumn",
            "X-WR-TIMEZONE:Europe/Berlin",
            "BEGIN:VEVENT",
            "SUMMARY:A\\, b\\; c",
            "DTSTART:19700101T000001Z",
            "DTEND:19700101T000101Z",
            "DTSTAMP:19700101T000101Z",
            "UID:round-1@mamenoki",
            "DESCRIPTION:d",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
            "END:VCALENDAR",
            "",
        ]
    )


@pytest.mark.parametrize(
    ("since", "hours"),
    [
        (datetime(2026, 10, 24, tzinfo=BERLIN), [16, 17, 17]),  # the clocks go back on the 25th, before 18:00
        (datetime(2026, 3, 28, tzinfo=BERLIN), [17, 16, 16]),
    ],
)
def test_a_round_keeps_its_wall_time_when_the_clocks_change(since: datetime, hours: list[int]) -> None:
    windows = list(islice(following("0 18 * * *", "Europe/Berlin", ms(since)), 3))
    text = calendar_of("x", "Europe/Berlin", [entry(name=str(at), begins_at=at) for at in windows])
    begins = [event.start for event in icalendar.Calendar.from_ical(text).events]
    assert [begin.astimezone(UTC).hour for begin in begins] == hours
    assert [begin.astimezone(BERLIN).hour for begin in begins] == [18, 18, 18]
    assert [(b.astimezone(BERLIN) - begins[0].astimezone(BERLIN)).days for b in begins] == [0, 1, 2]


@given(title=st.text(max_size=200), text=st.text(max_size=200))
def test_no_text_forges_a_line(title: str, text: str) -> None:
    found = icalendar.Calendar.from_ical(calendar_of(title, "UTC", [entry(title=title, text=text)]))
    (event,) = found.events
    assert event["uid"] == "x@mamenoki"
    assert str(event["summary"]) == "".join(letter if letter.isprintable() else " " for letter in title)


@given(begins=st.integers(0, 4_000_000_000_000), lasts=st.integers(-5_000, 5_000_000))
def test_an_end_is_after_its_beginning_or_not_there(begins: int, lasts: int) -> None:
    text = calendar_of("x", "UTC", [entry(begins_at=begins, ends_at=begins + lasts)])
    (event,) = icalendar.Calendar.from_ical(text).events
    assert event.start == datetime.fromtimestamp(begins // 1000, UTC)
    later = (begins + lasts) // 1000 > begins // 1000
    assert ("dtend" in event) == later
    if later:
        assert timedelta(0) <= event.end - event.start <= timedelta(milliseconds=lasts + 1000)
