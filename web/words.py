"""How times, names and numbers read on a page. Pure: the present is an argument.

Times are whole milliseconds since 1970, UTC.
"""

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

NAME_LIMIT = 90
"""No name is shown longer than this: ``owner/name@number`` has at most 40 + 1 + 40 and a number."""

MESSAGE_LIMIT = 400

_INVISIBLE = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
_MARKS = frozenset(("Mn", "Me"))
_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (7, "day"), (5, "week"))


def moment(at_ms: int) -> datetime:
    """The instant as an aware datetime; years beyond 9999 stay at its end."""
    return datetime.fromtimestamp(min(max(at_ms, 0), 253402300799999) / 1000, UTC)


def machine_time(at_ms: int) -> str:
    """For ``<time datetime>``: ``2026-11-30T21:12:55Z``."""
    return moment(at_ms).strftime("%Y-%m-%dT%H:%M:%SZ")


def full_time(at_ms: int) -> str:
    """``30 Nov 2026, 21:12 UTC``."""
    at = moment(at_ms)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"


def relative_time(at_ms: int, now_ms: int) -> str:
    """``just now``, ``3 minutes ago``, ``in 2 hours``; beyond five weeks the date."""
    ahead = at_ms > now_ms
    amount = abs(at_ms - now_ms) // 1000
    if amount < 10:
        return "in a moment" if ahead else "just now"
    for size, unit in _STEPS:
        if amount < size:
            return f"in {count(amount, unit)}" if ahead else f"{count(amount, unit)} ago"
        amount //= size
    at = moment(at_ms)
    return f"{at.day} {at:%b %Y}"


def duration(ms: int) -> str:
    """``38 ms``, ``2.4 s``, ``1 min 5 s``."""
    if ms < 1000:
        return f"{ms} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    return f"{ms // 60_000} min {ms % 60_000 // 1000} s"


def count(amount: int, noun: str, plural: str | None = None) -> str:
    """``1 table``, ``12 tables``, ``2 matches``."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def figure(value: float) -> str:
    """A rating with one decimal and a true minus sign: ``23.4``, ``−1.2``."""
    return f"{value:.1f}".replace("-0.0", "0.0").replace("-", "−")


def change(value: float) -> str:
    """A difference of ratings with its sign: ``+0.8``, ``−1.2``, ``±0.0``."""
    text = figure(value)
    return "±0.0" if text == "0.0" else text if text.startswith("−") else f"+{text}"


def listing(parts: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def shown_name(name: str) -> str:
    """A name as a page shows it: nothing that hides, reverses or piles up marks.

    Characters without a face (controls, zero-width, directions) become U+FFFD, a third
    mark on one letter is dropped, and what is over NAME_LIMIT ends in an ellipsis. The
    result is text: escaping is the template's work.
    """
    return visible(name, NAME_LIMIT)


def shown_message(message: str) -> str:
    """A message as a sentence; what it quotes is made fit like a name."""
    text = visible(message, MESSAGE_LIMIT)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?', '…')) else '.'}"


def visible(text: str, limit: int) -> str:
    """Text without anything that hides, reverses or piles up; at most ``limit`` characters."""
    kept: list[str] = []
    marks = 0
    for letter in text[: 4 * limit]:
        category = unicodedata.category(letter)
        marks = marks + 1 if category in _MARKS else 0
        if marks < 3:
            kept.append("\ufffd" if category in _INVISIBLE else letter)
    clean = "".join(kept)
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def clean_query(text: str) -> str:
    """A search text fit for any database: no control characters, at most 40 long."""
    return "".join(letter for letter in text if unicodedata.category(letter) not in _INVISIBLE).strip()[:40]
