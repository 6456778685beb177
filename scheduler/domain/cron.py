"""Windows: the instants at which something periodic is due, by cron in a named time zone.

The wall clock of the zone decides. Where summer time tears it:

- an *interval* (minute or hour begins with ``*``, or six fields with seconds) is due at
  every instant whose wall time matches: a repeated hour is played twice, a skipped one never;
- a *fixed time* is due once: in a repeated hour at its first passing, in a skipped hour at
  the instant at which the clock jumps.

Instants are whole milliseconds since 1970 (UTC). Of several windows that were missed only
the last is caught up: see :func:`due_window`.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

DAY = timedelta(days=1)
HORIZONS = (  # from near to far, so that a cron of every second is not read over years
    timedelta(minutes=1),
    timedelta(hours=1),
    DAY,
    timedelta(days=31),
    timedelta(days=366),
    timedelta(days=366 * 9),  # the 29th of February may be eight years away, and 2100 has none
)
PIECE = 100
"""Windows of one piece, about."""


class CronError(ValueError):
    """An expression or a zone that does not say when; the message says which and why."""


def check(expression: str, zone: str) -> None:
    """CronError unless ``expression`` (5 fields, or 6 with seconds first) names windows in ``zone``."""
    next_window(expression, zone, 0)


def windows(expression: str, zone: str, after_ms: int, until_ms: int) -> list[int]:
    """Every window in (after, until], ascending, none twice.

    For any instant b between: ``windows(a, c) == windows(a, b) + windows(b, c)``.
    """
    tz = _zone(zone)
    after, until = _moment(after_ms), _moment(until_ms)
    first, last = _wall_span(after, until, tz)
    fixed = _is_fixed(expression)
    found = {
        instant
        for wall in takewhile(lambda wall: wall <= last, _walls(expression, first))
        for instant in _instants(wall, tz, fixed)
        if after < instant <= until
    }
    return [_ms(instant) for instant in sorted(found)]


def next_window(expression: str, zone: str, after_ms: int) -> int:
    """The first window after that instant. CronError if there is none in nine years."""
    for horizon in HORIZONS:
        found = windows(expression, zone, after_ms, after_ms + _span(horizon))
        if found:
            return found[0]
    raise CronError(f"{expression!r} names no time in the next nine years")


def following(expression: str, zone: str, after_ms: int) -> Iterator[int]:
    """Every window after that instant, ascending; the end comes before nine years without any.

    Read in pieces, the farther the fewer there are: cheaper than :func:`next_window` again and again.
    """
    horizon = 0
    while True:
        until_ms = after_ms + _span(HORIZONS[horizon])
        found = windows(expression, zone, after_ms, until_ms)
        yield from found
        after_ms = until_ms
        if horizon + 1 < len(HORIZONS):
            horizon += len(found) < PIECE
        elif not found:
            return


def due_window(expression: str, zone: str, since_ms: int, now_ms: int) -> int | None:
    """The window to do now: the last one in (since, now], or None.

    Windows that were missed before it are skipped for good: after an outage a league plays
    one round, not all that it slept through.
    """
    for horizon in HORIZONS:
        start = max(since_ms, now_ms - _span(horizon))
        found = windows(expression, zone, start, now_ms)
        if found or start == since_ms:
            return found[-1] if found else None
    return None


def _walls(expression: str, start: datetime) -> Iterator[datetime]:
    try:
        return iter(CronSim(expression, start))
    except CronSimError as error:
        raise CronError(f"{expression!r} is not a cron expression: {error}") from error


def _instants(wall: datetime, tz: ZoneInfo, fixed: bool) -> list[datetime]:
    """When a wall time is due: once, twice (a repeated interval) or never (a skipped one)."""
    early = wall.replace(tzinfo=tz, fold=0).astimezone(UTC)
    late = wall.replace(tzinfo=tz, fold=1).astimezone(UTC)
    if late < early:  # skipped: read by the offsets before and after, the jump lies between
        return [_jump(late, early, tz)] if fixed else []
    if fixed:
        return [early]
    return [early, late]


def _jump(low: datetime, high: datetime, tz: ZoneInfo) -> datetime:
    """The first second in (low, high] at which the offset differs from low's."""
    before = low.astimezone(tz).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=int((high - low).total_seconds()) // 2)
        if middle.astimezone(tz).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


def _is_fixed(expression: str) -> bool:
    fields = expression.split()
    return len(fields) == 5 and not fields[0].startswith("*") and not fields[1].startswith("*")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise CronError(f"there is no time zone {name!r}; IANA names look like Europe/Berlin") from error


def _moment(ms: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)


def _wall_span(after: datetime, until: datetime, tz: ZoneInfo) -> tuple[datetime, datetime]:
    """Wall times between which all that is due in (after, until] lies; the first is before them all."""
    offsets = [moment.astimezone(tz).utcoffset() or timedelta() for moment in (after, until)]
    margin = DAY if until - after > 2 * DAY else timedelta()  # within two days no clock moves there and back
    first = after + min(offsets) - margin - timedelta(seconds=1)
    return first.replace(tzinfo=None), (until + max(offsets) + margin).replace(tzinfo=None)


def _ms(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def _span(horizon: timedelta) -> int:
    return horizon // timedelta(milliseconds=1)
