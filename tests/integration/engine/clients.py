"""A bare Play client for tests: it shows every message and answers only what it is told to."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import grpc

from engine_service.v1 import play_pb2, play_pb2_grpc
from engine_service.v1.match_pb2 import StartedTable
from engine_service.v1.play_pb2 import PlayRequest, PlayResponse
from tests.fixtures.engine import SERVICE_TOKEN, RunningEngine, bearer

Key = tuple[str, int]
Choose = Callable[[play_pb2.Update], str]


def sensible(update: play_pb2.Update) -> str:
    """Ends its turns, and so the match, soon."""
    legal = update.decision.legal
    return next((move for move in ("stop", "keep -", "boost -") if move in legal), legal[0])


class Client:
    """One stream. What has come is kept by kind; ``latest`` is the newest update of each seat."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.welcome: play_pb2.Welcome | None = None
        self.started: dict[Key, play_pb2.Started] = {}
        self.latest: dict[Key, play_pb2.Update] = {}
        self.updates: list[play_pb2.Update] = []
        self.sightings: dict[Key, list[str]] = {}
        self.refused: list[play_pb2.Refused] = []
        self.ended: dict[Key, play_pb2.Ended] = {}
        self.pings: list[int] = []
        self.drains: list[play_pb2.Drain] = []
        self.benched: list[play_pb2.Benched] = []

    async def send(self, **fields: Any) -> None:
        """One request of these fields."""
        await self.call.write(PlayRequest(**fields))

    async def receive(self, seconds: float = 10.0) -> PlayResponse:
        """The next message, noted. EOFError if the stream has ended."""
        response = await asyncio.wait_for(self.call.read(), seconds)
        if response is grpc.aio.EOF:
            raise EOFError
        self.note(response)
        return response  # type: ignore[no-any-return]

    def note(self, response: PlayResponse) -> None:
        """Keeps what a message holds."""
        if response.HasField("welcome"):
            self.welcome = response.welcome
        for started in response.started:
            self.started[started.match, started.seat] = started
        for update in response.updates:
            key = (update.match, update.seat)
            self.updates.append(update)
            self.latest[key] = update
            log = self.sightings.setdefault(key, [])
            del log[update.first_sighting :]
            log.extend(update.sightings)
        self.refused += response.refused
        for ended in response.ended:
            self.ended[ended.match, ended.seat] = ended
        if response.ping:
            self.pings.append(response.ping)
        if response.HasField("drain"):
            self.drains.append(response.drain)
        if response.HasField("benched"):
            self.benched.append(response.benched)

    async def until(self, condition: Callable[["Client"], Any], seconds: float = 10.0) -> Any:
        """Receives until the condition gives something true."""
        async with asyncio.timeout(seconds):
            while not (value := condition(self)):
                await self.receive(seconds)
        return value

    async def question(self, key: Key) -> play_pb2.Update:
        """The seat's open decision."""

        def asked(client: "Client") -> play_pb2.Update | None:
            update = client.latest.get(key)
            return update if update is not None and update.HasField("decision") else None

        return await self.until(asked)  # type: ignore[no-any-return]

    async def answer(self, update: play_pb2.Update, move: str) -> None:
        """Answers an update's decision."""
        del self.latest[update.match, update.seat]
        await self.send(moves=[move_of(update, move)])

    async def play_on(self, choose: Choose = sensible, done: int | None = None) -> None:
        """Answers everything until ``done`` seats (all that were started) have ended."""
        while len(self.ended) < (len(self.started) if done is None else done):
            moves = [move_of(u, choose(u)) for u in self.latest.values() if u.HasField("decision")]
            self.latest.clear()
            if moves:
                await self.send(moves=moves)
            await self.receive()

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How the stream ended; reads what is left first."""
        try:
            while True:
                await self.receive()
        except (EOFError, grpc.aio.AioRpcError):
            pass
        return await self.call.code(), await self.call.details()

    async def close(self) -> None:
        """Says that no more will be sent."""
        await self.call.done_writing()

    def cut(self) -> None:
        """Vanishes."""
        self.call.cancel()


def move_of(update: play_pb2.Update, move: str) -> play_pb2.Move:
    """An answer to an update's decision."""
    return play_pb2.Move(match=update.match, seat=update.seat, decision=update.decision.id, move=move)


def open_stream(engine: RunningEngine, address: str, token: str | None) -> Client:
    """A stream without a hello."""
    stub: Any = play_pb2_grpc.PlayServiceStub(engine.channel(address))
    return Client(stub.Play(metadata=bearer(token) if token is not None else ()))


async def open_player(engine: RunningEngine, token: str, bot: str = "bot", **hello: Any) -> Client:
    """A player's stream that has been welcomed."""
    client = open_stream(engine, engine.public, token)
    await client.send(player=play_pb2.PlayerHello(**{"bot": bot, "version": "1", "places": 4, **hello}))
    await client.until(lambda c: c.welcome)
    return client


async def open_bridge(engine: RunningEngine, tables: Iterable[StartedTable] = (), **hello: Any) -> Client:
    """A bridge's stream that has been welcomed and has taken those tables' tickets."""
    client = open_stream(engine, engine.internal, SERVICE_TOKEN)
    await client.send(bridge=play_pb2.BridgeHello(name="worker-1", **hello))
    await client.until(lambda c: c.welcome)
    tickets = [ticket for table in tables for ticket in tickets_of(table)]
    if tickets:
        await client.send(tickets=tickets)
    return client


def tickets_of(table: StartedTable) -> list[play_pb2.Ticket]:
    """The tickets of a started table."""
    return [play_pb2.Ticket(match=table.table, seat=seat.seat, ticket=seat.ticket) for seat in table.seats]


async def sit_down(client: Client, key: Key) -> None:
    """Waits for a seat and accepts it."""
    await client.until(lambda c: key in c.started)
    await client.send(accepted=[play_pb2.Seat(match=key[0], seat=key[1])])
