"""Calendars of the site."""

import icalendar
import pytest

from tests.unit.web.conftest import Client


@pytest.mark.parametrize(
    ("path", "name", "events"),
    [("/leagues/1/calendar.ics", "Autumn-league.ics", 8), ("/owners/alpha/calendar.ics", "alpha.ics", 8)],
)
def test_a_calendar_is_for_everybody_and_sent_once(client: Client, path: str, name: str, events: int) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["content-disposition"] == f'inline; filename="{name}"'
    assert len(icalendar.Calendar.from_ical(answer.text).events) >= events
    again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_pages_name_their_calendars(client: Client) -> None:
    assert 'href="/leagues/1/calendar.ics"' in client.get("/leagues/1").text
    page = client.get("/ladders/mushi/standard/players/alpha/bugbot").text
    assert 'href="/owners/alpha/calendar.ics"' in page


@pytest.mark.parametrize(
    "path", ["/leagues/99/calendar.ics", "/owners/nobody/calendar.ics", "/owners/%0D%0Ax/calendar.ics"]
)
def test_what_is_not_there_is_a_page_that_says_so(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Nothing grows here" in answer.text
