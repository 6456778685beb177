"""Spectators: the public view of a running match, paced. A slow one misses sightings and is told how many."""

import asyncio
from collections.abc import AsyncIterator

from engine_service.server.alarms import monotonic_ms
from engine_service.server.hall import Hall
from engine_service.server.live import LiveMatch, Phase
from engine_service.v1.match_pb2 import WatchRequest, WatchResponse


async def watch(hall: Hall, match: LiveMatch, request: WatchRequest) -> AsyncIterator[WatchResponse]:
    """Answers to one spectator until the match ends. Nothing is kept for him but a number."""
    settings = hall.settings
    interval = max(request.least_interval_ms, settings.watch_interval_ms)
    changed = asyncio.Event()
    changed.set()
    match.watchers.add(changed)
    at = request.from_sighting
    try:
        while True:
            await changed.wait()
            changed.clear()
            shown = monotonic_ms()
            answer, at = _answer(hall, match, at)
            if answer is not None:
                yield answer
            if match.phase is Phase.CLOSED:
                return
            await _pace(match, shown + interval)
    finally:
        match.watchers.discard(changed)


def _answer(hall: Hall, match: LiveMatch, at: int) -> tuple[WatchResponse | None, int]:
    """What is new since sighting ``at``, and where the next answer begins."""
    if not match.begun:
        return (_end(match, WatchResponse()), at) if match.phase is Phase.CLOSED else (None, at)
    log = match.public_log()
    first = max(at, len(log) - hall.settings.watch_backlog)
    missed = max(0, first - at)
    hall.tallies.gaps += bool(missed)
    first = min(first, len(log))
    answer = WatchResponse(
        missed=missed, first_sighting=first, sightings=log[first:], view=match.public_view()
    )
    if match.phase is Phase.CLOSED:
        _end(match, answer)
    return answer, max(at, len(log))


def _end(match: LiveMatch, answer: WatchResponse) -> WatchResponse:
    if match.ending is not None:
        answer.end = match.ending.end
        answer.scores.extend(match.ending.scores)
        answer.ranks.extend(match.ending.ranks)
    return answer


async def _pace(match: LiveMatch, until: int) -> None:
    """Waits out the interval, but no longer than the match."""
    while match.phase is not Phase.CLOSED:
        left = until - monotonic_ms()
        if left <= 0:
            return
        await asyncio.sleep(min(left, 250) / 1000)
