"""What a spectator may see of a match in play: asked of the engine, which decides what that is."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import grpc
import orjson

from engine_service.v1.match_pb2 import GetMatchRequest, WatchRequest
from engine_service.v1.match_pb2_grpc import MatchServiceStub

log = logging.getLogger(__name__)

WAIT_S = 0.5
"""A page does not wait longer for the engine: it shows the table without its position."""

NEWS = 8
"""So many of the latest sightings are told."""
REMEMBERED = 512
"""Of so many matches it is known how far they had got, so that a look asks for what is new."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The public view of a match in play, and the latest public sightings, newest last."""

    view: dict[str, Any]
    news: Sequence[dict[str, Any]]


class Spectator:
    """Asks one engine. Safe to use from any thread; connects when it is first asked."""

    def __init__(self, address: str, token: str) -> None:
        self._channel = grpc.insecure_channel(address)
        self._matches = MatchServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._told: dict[str, int] = {}
        self._lock = Lock()

    def look(self, match: str) -> Seen | None:
        """How everybody may see it. None if it is not in play there, or the engine does not answer in time."""
        try:
            return self._look(match)
        except grpc.RpcError as error:
            log.info("no view of match %s: %s", match, error)
            return None

    def _look(self, match: str) -> Seen | None:
        begun = self._matches.Get(GetMatchRequest(match=match), timeout=WAIT_S, metadata=self._metadata)
        if not begun.view:
            return None
        since = max(0, self._told.get(match, 0) - NEWS)
        request = WatchRequest(match=match, from_sighting=since)
        answers = self._matches.Watch(request, timeout=WAIT_S, metadata=self._metadata)
        answer = next(answers, None)
        answers.cancel()  # a page wants one answer
        if answer is None:
            return None
        self._remember(match, answer.first_sighting + len(answer.sightings))
        news = [dict(orjson.loads(one)) for one in answer.sightings[-NEWS:]]
        return Seen(dict(orjson.loads(answer.view or begun.view)), news)

    def _remember(self, match: str, told: int) -> None:
        """From where the next look need only be told; the oldest matches are forgotten."""
        with self._lock:
            self._told.pop(match, None)
            self._told[match] = told
            while len(self._told) > REMEMBERED:
                del self._told[next(iter(self._told))]

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()
