"""A grown world on a real port, looked at by a real browser."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.database import Database
from tests.fixtures.browser import chromium
from tests.fixtures.garden import Garden, grow
from tests.fixtures.site import serving

__all__ = ["chromium"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('e2e') / 'world.sqlite3'}")
    database.migrate()
    world = grow(database, tables=16)
    cup = world.found_event("Bean cup", {"format": "double-elimination", "seats": 2})
    world.play_event(cup)
    yield world
    database.close()


@pytest.fixture(scope="module")
def address(world: Garden) -> Iterator[str]:
    with serving(world.database) as address:
        yield f"http://{address}"


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: ``MAMENOKI_SHOTS``, else a temporary folder."""
    folder = Path(os.environ.get("MAMENOKI_SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
