"""What a hello makes of a caller: a player with places, or a bridge."""

from typing import Any

from engine_service.core.game import ConfigError
from engine_service.games import find
from engine_service.server.alarms import monotonic_ms
from engine_service.server.chair import Chair
from engine_service.server.hall import Hall
from engine_service.server.stream import Stream
from engine_service.v1 import play_pb2
from engine_service.v1.play_pb2 import PlayerHello, PlayRequest
from service.auth import SERVICE, Principal
from service.errors import BadRequest, Denied, Down
from service.logging import get
from storage import identity, ladders
from storage.bounds import Bounds
from storage.identity import VersionRow
from storage.names import check_label

MAX_PLACES = 64
MAX_LADDERS = 16

_log = get("seating")


class Seating:
    """Opens streams and closes them."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._players: dict[Stream, int] = {}

    async def open(self, hello: PlayRequest, principal: Principal, bridges: bool) -> Stream:
        """The stream that a first message asks for, with its Welcome queued."""
        kind = hello.WhichOneof("hello")
        if kind is None:
            raise BadRequest("the first message holds no hello; send 'player' or 'bridge' first")
        if len(hello.ListFields()) > 1:
            raise BadRequest("the first message holds more than a hello; send the rest in the next")
        if self._hall.draining:
            raise Down("the server is going down; come back", retry_ms=self._hall.settings.reconnect_after_ms)
        if kind == "bridge":
            return self._open_bridge(hello.bridge, principal, bridges)
        return await self._open_player(hello.player, principal, bridges)

    def close(self, stream: Stream) -> None:
        """The stream is gone; its seats are dealt with."""
        player_id = self._players.pop(stream, None)
        if player_id is not None:
            self._hall.guests.farewell(player_id, stream)
        self._hall.part(stream)

    def log_crash(self, chair: Chair, ended: play_pb2.BotEnded) -> None:
        """The operator and the author will want to know why."""
        _log.warning(
            "bot_ended",
            table=chair.match.id,
            seat=chair.seat,
            player=chair.row.full_name,
            exit_code=ended.exit_code,
            signal=ended.signal,
            stderr=ended.stderr[-4096:],
        )

    def _open_bridge(self, hello: play_pb2.BridgeHello, principal: Principal, bridges: bool) -> Stream:
        if not bridges or SERVICE not in principal.scopes:
            raise Denied("bridges are for our own processes, on the internal port; a bot says 'player'")
        check_label("bridge.name", hello.name, 120)
        stream = self._stream(hello.name, principal, bridge=True, every_update=hello.every_update)
        stream.welcome(play_pb2.Welcome(heartbeat_ms=self._hall.settings.heartbeat_ms))
        return stream

    async def _open_player(self, hello: PlayerHello, principal: Principal, bridges: bool) -> Stream:
        owner_id = principal.owner_id
        if bridges or owner_id is None:
            raise Denied("players connect to the public port with a token of their owner's")
        names = _check_hello(hello)
        bounds = Bounds(self._hall.settings.bots_per_owner, self._hall.settings.versions_per_owner)
        version = await self._hall.writer.run(lambda tx: _register(tx, owner_id, hello, names, bounds))
        name = version.full_name
        if self._hall.draining:  # it may have begun while the database answered
            raise Down("the server is going down; come back", retry_ms=self._hall.settings.reconnect_after_ms)
        stream = self._stream(name, principal, bridge=False, every_update=hello.every_update)
        stream.welcome(
            play_pb2.Welcome(player=name, places=hello.places, heartbeat_ms=self._hall.settings.heartbeat_ms)
        )
        self._players[stream] = version.player_id
        guest = self._hall.guests.welcome(version.player_id, version.id, name, hello.places, stream)
        left = self._hall.guests.bench.left_ms(guest.bot, monotonic_ms())
        if left:
            stream.benched(left, self._hall.guests.bench.why(guest.bot))
        self._hall.seat_again(version.player_id, version.id, stream)
        return stream

    def _stream(self, name: str, principal: Principal, *, bridge: bool, every_update: bool) -> Stream:
        backlog = self._hall.settings.refused_backlog
        stream = Stream(name, principal, bridge=bridge, every_update=every_update, backlog=backlog)
        self._hall.join(stream)
        return stream


def _check_hello(hello: PlayerHello) -> list[str]:
    """The full names of the ladders that the hello names."""
    if not 1 <= hello.places <= MAX_PLACES:
        raise BadRequest(f"player.places: {hello.places} asked for; ask for 1 to {MAX_PLACES}")
    if len(hello.ladders) > MAX_LADDERS:
        raise BadRequest(f"player.ladders: {len(hello.ladders)} named; name at most {MAX_LADDERS}")
    return [_ladder_name(name) for name in hello.ladders]


def _ladder_name(name: str) -> str:
    try:
        game, variant = find(name)
    except ConfigError as error:
        raise BadRequest(f"player.ladders: {error}") from error
    return f"{game.card.id}/{variant.name}"


def _register(tx: Any, owner_id: int, hello: PlayerHello, names: list[str], bounds: Bounds) -> VersionRow:
    player = identity.ensure_player(tx, owner_id, hello.bot, "remote", bounds)
    version = identity.ensure_version(tx, player.id, hello.version, bounds=bounds)
    for name in names:
        ladders.enter(tx, ladders.find_ladder(tx, name).id, player.id, version.id)
    return version
