"""Clients of a real engine, and a quick word for what they are asked to do."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from engine_service.v1.match_pb2 import StartedTable
from mamenoki.house import make
from mamenoki.sdk import Bot, Seat
from mamenoki.sdk import events as told
from mamenoki.sdk.bridge import fill
from mamenoki.sdk.client import Client, Profile
from mamenoki.sdk.events import Event
from mamenoki.sdk.tickets import FillReport, SeatTicket
from storage import ladders
from tests.fixtures.engine import LADDER, SERVICE_TOKEN, RunningEngine, until
from tests.integration.sdk.processes import begin

__all__ = ["begin", "connect"]

E = TypeVar("E")
MakeBot = Callable[[Seat], Bot]


def tickets(*started: StartedTable) -> list[SeatTicket]:
    """The seats that a worker is told to fill."""
    for table in started:
        assert table.outcome == StartedTable.OUTCOME_STARTED, table
    return [
        SeatTicket(table.table, seat.seat, seat.ticket, seat.program, {})
        for table in started
        for seat in table.seats
    ]


def house_bot(ticket: SeatTicket, seat: Seat) -> Bot:
    """What a worker puts into a seat."""
    return make(seat.game, ticket.program, ticket.settings)


async def play_out(engine: RunningEngine, *tables: str) -> FillReport:
    """Starts tables and fills their house seats, as a worker does."""
    started = await engine.start(*tables)
    return await fill(engine.channel(engine.internal), SERVICE_TOKEN, tickets(*started), house_bot)


@dataclass
class Connected:
    """A client that runs in the test's loop, and all it told."""

    client: Client
    events: list[Event] = field(default_factory=list)
    task: "asyncio.Task[None] | None" = None

    def told(self, kind: type[E]) -> list[E]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    async def hear(self, kind: type[E], count: int = 1, seconds: float = 10.0) -> list[E]:
        """Waits until so many of a kind have come."""
        await until(lambda: len(self.told(kind)) >= count or self.over, seconds)
        assert len(self.told(kind)) >= count, self.events
        return self.told(kind)

    @property
    def over(self) -> bool:
        return self.task is not None and self.task.done()

    async def end(self, seconds: float = 10.0) -> None:
        """Waits until the client has ended; raises what it raised."""
        assert self.task is not None
        await asyncio.wait_for(self.task, seconds)


Connect = Callable[..., Connected]


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """``connect(address, token, make_bot, places=2)``; all clients end with the test."""
    made: list[Connected] = []

    def begin(
        address: str,
        token: str,
        make_bot: Callable[[Seat], Bot],
        bot: str = "bot",
        version: str = "1",
        places: int = 1,
    ) -> Connected:
        one = Connected.__new__(Connected)
        one.events = []
        profile = Profile(bot, version, places, ("mushi/standard",))
        one.client = Client(make_bot, profile, address, token, one.events.append)
        one.task = asyncio.create_task(one.client.run())
        made.append(one)
        return one

    yield begin
    for one in made:
        assert one.task is not None
        one.task.cancel()
    await asyncio.gather(*(one.task for one in made if one.task), return_exceptions=True)


@dataclass
class Author:
    """Ann, with a token, and her bot's player and version as the tables name them."""

    engine: RunningEngine
    token: str
    seat: tuple[int, int]

    def plan(self, others: int = 1, **changes: Any) -> str:
        """A table of hers against house bots; she sits at seat 0."""
        house = [self.engine.house(f"house-{number}") for number in range(others)]
        return self.engine.plan(self.seat, *house, **changes)


@pytest.fixture
def ann(engine: RunningEngine) -> Author:
    return author(engine)


def author(engine: RunningEngine, bot: str = "bot", label: str = "1") -> Author:
    with engine.database.transaction() as tx:
        ladders.ensure_ladder(tx, LADDER, "mushi", "standard", {})
    return Author(engine, engine.token("ann"), engine.remote("ann", bot, label))


async def seated(
    connect: Connect, ann: Author, make_bot: MakeBot, address: str = "", places: int = 2
) -> Connected:
    one = connect(address or ann.engine.public, ann.token, make_bot, places=places)
    await one.hear(told.Connected)
    return one
