"""Events to be told of: a garden of bots, the service on a port, whoever asks it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from scheduler import events as use_cases
from scheduler.event_service import POLICY, EventService
from scheduler.v1.events_pb2_grpc import add_EventServiceServicer_to_server
from storage import events as rows
from storage.database import Database
from tests.fixtures.garden import NERVES, Garden
from tests.fixtures.services import Metadata, bearer, served

Tokens = dict[str, Metadata]


@pytest.fixture
def garden(database: Database) -> Garden:
    garden = Garden(database)
    for name, nerve in NERVES.items():
        garden.plant("house", name, "house", nerve)
    garden.plant("ann", "bot", "remote", 3)
    return garden


@pytest.fixture
def tokens(database: Database, garden: Garden) -> Tokens:
    """Metadata of an organiser, of the owner of a bot, and of somebody else."""
    assert garden
    scopes = {"boss": "organise", "ann": "play", "bob": "play"}
    return {name: bearer(database, name, scope) for name, scope in scopes.items()}


@pytest_asyncio.fixture
async def address(database: Database) -> AsyncIterator[str]:
    """Where the service is."""
    add = add_EventServiceServicer_to_server
    async with served(database, EventService(database), POLICY, add) as address:
        yield address


def advance(garden: Garden) -> None:
    with garden.database.transaction() as tx:
        use_cases.advance(tx, rows.find_event(tx, "Cup").id)


def play(garden: Garden) -> None:
    with garden.database.reading() as tx:
        event = rows.find_event(tx, "Cup")
    garden.play_event(event)
