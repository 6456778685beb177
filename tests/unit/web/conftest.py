"""One grown world and a client on it for all tests of this folder; nobody writes to it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from service.settings import Settings
from storage.database import Database
from tests.fixtures.garden import Garden, grow
from web.app import create


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('web') / 'world.sqlite3'}")
    database.migrate()
    yield grow(database, tables=12)
    database.close()


NOWHERE = "127.0.0.1:1"
"""No engine listens there."""


class Client:
    """Asks an app without a socket; a crash of the app is its 500 page."""

    def __init__(self, app: FastAPI) -> None:
        self._transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.metrics: CollectorRegistry = app.state.site.metrics.registry

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return asyncio.run(self._request(method, path, options))

    async def _request(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        async with httpx.AsyncClient(transport=self._transport, base_url="http://garden") as client:
            return await client.request(method, path, **options)


@pytest.fixture(scope="session")
def client(world: Garden) -> Client:
    return client_of(world.database)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Database]:
    """A migrated database without a row."""
    database = Database(f"sqlite:///{tmp_path / 'bare.sqlite3'}")
    database.migrate()
    yield database
    database.close()


def client_of(database: Database) -> Client:
    return Client(create(Settings(internal_address=NOWHERE), database))
