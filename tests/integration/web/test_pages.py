"""Every page over each of the databases that we promise."""

from storage.database import Database
from tests.fixtures.garden import grow
from tests.unit.web.conftest import client_of
from tests.unit.web.test_pages import PAGES, check


def test_every_page(database: Database) -> None:
    world = grow(database, tables=4)
    client = client_of(database)
    tables = [world.crashed, world.casual, world.running, world.planned, world.void]
    for path in [*PAGES, *(f"/tables/{table}" for table in tables)]:
        response = client.get(path)
        assert response.status_code == 200, path
        check(response.text)
    for query in ("q=%00", "q=%ff", "q=%25", "q=%27", "page=" + "9" * 30):
        assert client.get(f"/ladders/mushi/standard?{query}").status_code in (200, 404)
