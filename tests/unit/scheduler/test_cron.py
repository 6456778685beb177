"""Windows in named zones, across every kind of clock change."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain import cron
from scheduler.domain.cron import CronError, check, due_window, following, next_window, windows

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "UTC")
HOUR = 3_600_000


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def told(instants: list[int], zone: str) -> list[str]:
    return [datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).isoformat("T", "minutes") for at in instants]


CASES = [
    # expression, zone, from, to, windows
    ("0 18 * * *", "Asia/Tokyo", "2024-03-30T00:00+09:00", "2024-04-01T00:00+09:00",
     ["2024-03-30T18:00+09:00", "2024-03-31T18:00+09:00"]),
    # Berlin skips 02:00 to 03:00 on 31 March 2024
    ("30 2 * * *", "Europe/Berlin", "2024-03-30T00:00+01:00", "2024-04-01T12:00+02:00",
     ["2024-03-30T02:30+01:00", "2024-03-31T03:00+02:00", "2024-04-01T02:30+02:00"]),
    ("0,30 2,3 * * *", "Europe/Berlin", "2024-03-31T00:00+01:00", "2024-03-31T12:00+02:00",
     ["2024-03-31T03:00+02:00", "2024-03-31T03:30+02:00"]),
    ("15 * * * *", "Europe/Berlin", "2024-03-31T01:00+01:00", "2024-03-31T04:00+02:00",
     ["2024-03-31T01:15+01:00", "2024-03-31T03:15+02:00"]),
    # and repeats 02:00 to 03:00 on 27 October 2024
    ("30 2 * * *", "Europe/Berlin", "2024-10-27T00:00+02:00", "2024-10-28T00:00+01:00",
     ["2024-10-27T02:30+02:00"]),
    ("30 * * * *", "Europe/Berlin", "2024-10-27T01:00+02:00", "2024-10-27T04:00+01:00",
     ["2024-10-27T01:30+02:00", "2024-10-27T02:30+02:00", "2024-10-27T02:30+01:00", "2024-10-27T03:30+01:00"]),
    # started inside the repeated hour, the first passing has gone by
    ("45 2 * * *", "Europe/Berlin", "2024-10-27T02:10+01:00", "2024-10-29T00:00+01:00",
     ["2024-10-28T02:45+01:00"]),
    # New York: 10 March and 3 November 2024
    ("0 2 * * *", "America/New_York", "2024-03-09T12:00-05:00", "2024-03-11T12:00-04:00",
     ["2024-03-10T03:00-04:00", "2024-03-11T02:00-04:00"]),
    ("0 1 * * SUN", "America/New_York", "2024-11-02T00:00-04:00", "2024-11-04T00:00-05:00",
     ["2024-11-03T01:00-04:00"]),
    ("*/30 1 * * *", "America/New_York", "2024-11-03T00:00-04:00", "2024-11-03T03:00-05:00",
     ["2024-11-03T01:00-04:00", "2024-11-03T01:30-04:00", "2024-11-03T01:00-05:00", "2024-11-03T01:30-05:00"]),
    # Lord Howe moves by half an hour: 02:00 becomes 01:30 on 7 April, 02:30 on 6 October 2024
    ("0 */2 * * *", "Australia/Lord_Howe", "2024-04-06T23:00+11:00", "2024-04-07T05:00+10:30",
     ["2024-04-07T00:00+11:00", "2024-04-07T02:00+10:30", "2024-04-07T04:00+10:30"]),
    ("45 1 * * *", "Australia/Lord_Howe", "2024-04-06T23:00+11:00", "2024-04-07T05:00+10:30",
     ["2024-04-07T01:45+11:00"]),
    ("15 2 * * *", "Australia/Lord_Howe", "2024-10-05T23:00+10:30", "2024-10-07T05:00+11:00",
     ["2024-10-06T02:30+11:00", "2024-10-07T02:15+11:00"]),
    ("0 0 29 2 *", "Europe/Berlin", "2024-03-01T00:00+01:00", "2028-03-01T00:00+01:00",
     ["2028-02-29T00:00+01:00"]),
]  # fmt: skip  # one case a line reads as a table


@pytest.mark.parametrize(("expression", "zone", "start", "end", "expected"), CASES)
def test_windows_follow_the_wall_clock(
    expression: str, zone: str, start: str, end: str, expected: list[str]
) -> None:
    assert told(windows(expression, zone, ms(start), ms(end)), zone) == expected


def test_seconds_come_first_of_six() -> None:
    start = ms("2024-05-01T00:00+00:00")
    assert windows("*/20 * * * * *", "UTC", start, start + 60_000) == [
        start + 20_000,
        start + 40_000,
        start + 60_000,
    ]


def test_bounds_are_open_below_and_closed_above() -> None:
    noon = ms("2024-05-01T12:00+00:00")
    assert windows("0 12 * * *", "UTC", noon - 1, noon) == [noon]
    assert windows("0 12 * * *", "UTC", noon, noon + 1) == []
    assert windows("0 12 * * *", "UTC", noon + 500, noon + HOUR) == []


def test_only_the_last_missed_window_is_caught_up() -> None:
    start = ms("2024-05-01T00:00+00:00")
    later = ms("2024-05-09T13:00+00:00")
    due = due_window("0 12 * * *", "UTC", start, later)
    assert due == ms("2024-05-09T12:00+00:00")
    assert due_window("0 12 * * *", "UTC", due, later) is None, "done once, it is not due again"


def test_nothing_is_due_before_its_time() -> None:
    start = ms("2024-05-01T13:00+00:00")
    assert due_window("0 12 * * *", "UTC", start, start + 22 * HOUR) is None


def test_a_minutely_cron_after_years_asleep_is_answered_at_once() -> None:
    now = ms("2034-05-01T12:00:30+00:00")
    assert due_window("* * * * *", "Europe/Berlin", 0, now) == ms("2034-05-01T12:00+00:00")


def test_a_cron_of_every_second_is_not_read_over_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[datetime] = []
    instants = cron._instants

    def counted(wall: datetime, tz: ZoneInfo, fixed: bool) -> list[datetime]:
        read.append(wall)
        return instants(wall, tz, fixed)

    monkeypatch.setattr(cron, "_instants", counted)
    now = ms("2024-05-01T12:00:30+00:00")
    for since in (now - 5_000, now - 30 * 24 * HOUR):
        assert due_window("* * * * * *", "Europe/Berlin", since, now) == now
    assert next_window("* * * * * *", "Europe/Berlin", now) == now + 1_000
    assert len(read) < 250


def test_the_next_window_may_be_years_away() -> None:
    assert next_window("0 0 29 2 *", "UTC", ms("2096-03-01T00:00+00:00")) == ms("2104-02-29T00:00+00:00")


@pytest.mark.parametrize("expression", ["", "* * * *", "61 * * * *", "0 0 31 2 *", "often"])
def test_an_expression_that_names_no_time_is_refused(expression: str) -> None:
    with pytest.raises(CronError):
        check(expression, "UTC")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "Europe"])
def test_an_unknown_zone_is_refused(zone: str) -> None:
    with pytest.raises(CronError, match="time zone"):
        check("0 12 * * *", zone)


@given(
    zone=st.sampled_from(ZONES),
    day=st.integers(0, 730),
    minute=st.integers(0, 59),
    hour=st.integers(0, 4),
)
@settings(max_examples=60, deadline=None)
def test_a_daily_time_comes_exactly_once_a_day(zone: str, day: int, minute: int, hour: int) -> None:
    tz = ZoneInfo(zone)
    midnight = datetime(2023, 1, 1, tzinfo=tz) + timedelta(days=day)
    start, end = (int(at.timestamp() * 1000) for at in (midnight, midnight + timedelta(days=1)))
    found = windows(f"{minute} {hour} * * *", zone, start - 1, end - 1)
    assert len(found) == 1
    at = datetime.fromtimestamp(found[0] / 1000, tz)
    if at.replace(tzinfo=None) == midnight.replace(hour=hour, minute=minute, tzinfo=None):
        assert at.fold == 0, "in a repeated hour the first passing counts"
    else:
        before = (at.astimezone(UTC) - timedelta(seconds=1)).astimezone(tz)
        assert before.utcoffset() != at.utcoffset(), "a skipped time is due when the clock jumps"


@given(
    zone=st.sampled_from(ZONES),
    expression=st.sampled_from(
        ["30 2 * * *", "*/15 * * * *", "0 */3 * * *", "15 1,2,3 * * *", "5 * * * SUN", "0 0 1 * *"]
    ),
    start=st.integers(1_672_531_200_000, 1_735_689_600_000),
    spans=st.tuples(st.integers(0, 40 * 24 * HOUR), st.integers(0, 40 * 24 * HOUR)),
)
@settings(max_examples=60, deadline=None)
def test_cutting_a_span_anywhere_loses_and_doubles_nothing(
    zone: str, expression: str, start: int, spans: tuple[int, int]
) -> None:
    middle, end = start + spans[0], start + sum(spans)
    whole = windows(expression, zone, start, end)
    assert whole == windows(expression, zone, start, middle) + windows(expression, zone, middle, end)
    assert whole == sorted(set(whole))


@given(zone=st.sampled_from(ZONES), day=st.integers(0, 730), step=st.sampled_from([7, 15, 20, 30]))
@settings(max_examples=40, deadline=None)
def test_an_interval_is_every_instant_whose_wall_time_matches(zone: str, day: int, step: int) -> None:
    tz = ZoneInfo(zone)
    start = datetime(2023, 1, 1, tzinfo=UTC) + timedelta(days=day)
    minutes = [start + timedelta(minutes=count) for count in range(1, 24 * 60 + 1)]
    expected = [int(at.timestamp() * 1000) for at in minutes if at.astimezone(tz).minute % step == 0]
    first = int(start.timestamp() * 1000)
    assert windows(f"*/{step} * * * *", zone, first, first + 24 * HOUR) == expected


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("* * * * * *", 4_000),
        ("*/5 * * * *", 400),
        ("30 2 * * *", 130),
        ("0 18 * * 1", 130),
        ("0 0 1 1 *", 12),
        ("0 0 29 2 *", 4),
    ],
)
def test_those_that_follow_are_the_next_ones(expression: str, count: int) -> None:
    """Over a change of the clock, and from one piece to the next."""
    at = ms("2024-03-31T00:00+01:00")
    followed = list(islice(following(expression, "Europe/Berlin", at), count))
    assert followed[0] == next_window(expression, "Europe/Berlin", at)
    assert followed == windows(expression, "Europe/Berlin", at, followed[-1])
    assert len(followed) == count


def test_a_schedule_without_a_time_is_followed_by_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cron, "windows", lambda *_: [])
    assert list(following("0 18 * * *", "UTC", 0)) == []
