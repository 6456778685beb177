"""Calendars that other programs subscribe to (iCalendar, RFC 5545).

Every time is an instant, written in UTC: a round at 18:00 in Berlin stands an hour earlier from March to October, and
whoever reads it shows it in a time zone of its own. ``X-WR-TIMEZONE`` names the league's.
An entry's UID names the thing that it tells of and never changes; a round that is put off keeps it, and so moves in the
reader's calendar. Nothing depends on when it is asked: the same entries give the same bytes.

Pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from icalendar import Calendar, Event

PRODUCT = "-//mamenoki//calendar//EN"
DOMAIN = "mamenoki"
"""Behind every UID: the service has no host name that would last as long as they do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Times are ms since 1970. ``name``: of what it tells of, within this service. ``changed_at``: when what
    stands here became so."""

    name: str
    title: str
    text: str
    begins_at: int
    ends_at: int | None
    changed_at: int


def calendar_of(title: str, zone: str, entries: Iterable[Entry]) -> str:
    """The calendar as text, with CRLF. ``zone``: an IANA name, the one in which its owner thinks."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("x-wr-calname", _line(title))
    calendar.add("x-wr-timezone", _line(zone))
    for entry in entries:
        calendar.add_component(_event(entry))
    text: str = calendar.to_ical().decode()
    return text


def _event(entry: Entry) -> Event:
    event = Event()
    event.add("uid", f"{entry.name}@{DOMAIN}")
    event.add("dtstamp", _moment(entry.changed_at))
    event.add("dtstart", _moment(entry.begins_at))
    if entry.ends_at is not None and _moment(entry.ends_at) > _moment(entry.begins_at):
        event.add("dtend", _moment(entry.ends_at))  # else it is a moment, for an end has to be later
    event.add("summary", _line(entry.title))
    event.add("description", _line(entry.text))
    event.add("transp", "TRANSPARENT")  # nobody is busy because bots play
    return event


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms // 1000, UTC)


def _line(text: str) -> str:
    """Nothing that could end the line it stands in."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
