"""What a spectator may see of a match in play: asked of the engine, which decides what that is."""

import logging
from typing import Any

import grpc
import orjson

from engine_service.v1.match_pb2 import GetMatchRequest
from engine_service.v1.match_pb2_grpc import MatchServiceStub

log = logging.getLogger(__name__)

WAIT_S = 0.5
"""A page does not wait longer for the engine: it shows the table without its position."""


class Spectator:
    """Asks one engine. Safe to use from any thread; connects when it is first asked."""

    def __init__(self, address: str, token: str) -> None:
        self._channel = grpc.insecure_channel(address)
        self._matches = MatchServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),)

    def view(self, match: str) -> dict[str, Any] | None:
        """The public view. None if it is not in play there, or the engine does not answer in time."""
        request = GetMatchRequest(match=match)
        try:
            answer = self._matches.Get(request, timeout=WAIT_S, metadata=self._metadata)
        except grpc.RpcError as error:
            log.info("no view of match %s: %s", match, error)
            return None
        return dict(orjson.loads(answer.view)) if answer.view else None

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()
