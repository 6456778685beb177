"""Who is connected, where, and for how many more matches: told through Redis, true for seconds.

The engine that holds a player's stream is the only judge; what stands here is
what it last said. It may be missing or wiped at any moment, and then only
planning waits. One hash an engine, field a player, which expires as a whole
unless the engine goes on publishing.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import redis

PREFIX = "mamenoki:presence:"
ENGINES = f"{PREFIX}engines"
TTL_MS = 15_000
WAIT_S = 2.0


class PresenceError(Exception):
    """Redis cannot be had; the message says where it was looked for."""


@dataclass(frozen=True, slots=True)
class Present:
    """A connected player: the version it plays and its free places. ``since``: ms since 1970."""

    player_id: int
    version_id: int
    free: int
    engine: str
    since: int = 0


class Presence:
    """Publishes and reads; blocking, safe to share between threads. Every call may raise PresenceError."""

    def __init__(self, url: str, ttl_ms: int = TTL_MS, wait_s: float = WAIT_S) -> None:
        self._url = url
        self._ttl_ms = ttl_ms
        self._redis: Any = redis.Redis.from_url(  # its stubs mix both clients and both reply types
            url, decode_responses=True, socket_timeout=wait_s, socket_connect_timeout=wait_s
        )

    def publish(self, engine: str, players: Iterable[Present]) -> None:
        """Says anew for all of an engine's players that they are here, for the next ``ttl_ms``."""
        fields = {str(player.player_id): _dump(player) for player in players}
        key = _key(engine)
        with self._errors(), self._redis.pipeline(transaction=True) as pipeline:
            pipeline.delete(key)
            pipeline.sadd(ENGINES, engine)
            if fields:
                pipeline.hset(key, mapping=fields)
                pipeline.pexpire(key, self._ttl_ms)
            pipeline.execute()

    def withdraw(self, engine: str) -> None:
        """Says that an engine has no players any more."""
        with self._errors(), self._redis.pipeline(transaction=True) as pipeline:
            pipeline.delete(_key(engine))
            pipeline.srem(ENGINES, engine)
            pipeline.execute()

    def read(self) -> dict[int, Present]:
        """Everybody who is here, by player id. Of two engines, the one that was joined last counts."""
        with self._errors():
            engines = sorted(self._redis.smembers(ENGINES))
            with self._redis.pipeline(transaction=False) as pipeline:
                for engine in engines:
                    pipeline.hgetall(_key(engine))
                hashes = pipeline.execute()
        found: dict[int, Present] = {}
        for engine, fields in zip(engines, hashes, strict=True):
            for player_id, text in fields.items():
                _put(found, _load(int(player_id), engine, text))
        return found

    def is_told(self) -> bool:
        """Has any engine said who is here? Not yet after Redis was wiped: then nobody is known to be away."""
        with self._errors():
            return bool(self._redis.exists(ENGINES))

    def close(self) -> None:
        """Closes the connections."""
        self._redis.close()

    def _errors(self) -> "_Translated":
        return _Translated(self._url)


class _Translated:
    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, redis.RedisError | OSError):
            where = self._url.rpartition("@")[2]
            raise PresenceError(f"Redis at {where} cannot be had: {type(error).__name__}") from error


def _key(engine: str) -> str:
    return f"{PREFIX}engine:{engine}"


def _dump(player: Present) -> str:
    return json.dumps([player.version_id, player.free, player.since])


def _load(player_id: int, engine: str, text: str) -> Present:
    version_id, free, since = json.loads(text)
    return Present(player_id, version_id, free, engine, since)


def _put(found: dict[int, Present], player: Present) -> None:
    known = found.get(player.player_id)
    if known is None or known.since <= player.since:
        found[player.player_id] = player
