"""Pages of what is played together: a set's tables side by side, and nothing told too early."""

from collections.abc import Iterator

import pytest

from storage import identity, teams
from storage.database import Database
from storage.sets import SetRow
from storage.tables import fail
from tests.fixtures.garden import TOGETHER, Garden
from tests.unit.web.conftest import Client, client_of
from tests.unit.web.test_pages import check
from web.reading.tables import table_page

BOARD = f"/ladders/{TOGETHER}"


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('sets') / 'world.sqlite3'}")
    database.migrate()
    garden = Garden(database)
    for name in ("one", "two", "three"):
        garden.plant("house", name, "house", 1)
    garden.plant("alpha", "bugbot", "remote", 3)
    yield garden
    database.close()


@pytest.fixture(scope="module")
def played(garden: Garden) -> SetRow:
    return garden.play_set(garden.players[:3])


@pytest.fixture(scope="module")
def half(garden: Garden, played: SetRow) -> SetRow:
    """A set whose last table is still planned."""
    return garden.play_set(garden.players[:3], unplayed=1)


@pytest.fixture(scope="module")
def client(garden: Garden, half: SetRow) -> Client:
    return client_of(garden.database)


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    check(answer.text)
    return answer.text


def test_a_set_stands_side_by_side_on_each_of_its_tables(client: Client, played: SetRow) -> None:
    for table in played.tables:
        text = page(client, f"/tables/{table.table_id}")
        assert "One deal, 3 tables" in text
        for other in played.tables:
            assert (f'href="/tables/{other.table_id}"' in text) == (other.table_id != table.table_id)
        assert text.count("The match, move by move") == 1
        assert f"Together they scored {table.score} in" in text
        assert "share the win" not in text
        assert "Download the replay" in text


def test_nothing_of_a_deal_is_shown_while_another_table_is_open(client: Client, half: SetRow) -> None:
    ended = half.tables[0].table_id
    text = page(client, f"/tables/{ended}")
    assert "The replay appears when the last table on the same deal has ended." in text
    assert "published when the last table on this deal has ended" in text
    assert "move by move" not in text
    assert client.get(f"/tables/{ended}/replay.jsonl").status_code == 404


def test_a_table_in_play_on_a_shared_deal_is_not_watched(garden: Garden, client: Client) -> None:
    planned = garden.plan_set(garden.players[:2])
    table_id = planned.tables[0].table_id
    garden.start(table_id)
    asked: list[str] = []
    scene = table_page(garden.database, table_id, asked.append)
    assert (asked, scene.live) == ([], None)
    assert "nothing of it is shown before all of them have ended" in page(client, f"/tables/{table_id}")


def test_a_set_that_was_dealt_anew_says_so(garden: Garden, client: Client) -> None:
    planned = garden.plan_set([garden.players[0], garden.players[3]])
    claim = garden.start(planned.tables[1].table_id)
    with garden.database.transaction() as tx:
        assert fail(tx, claim.table.id, claim.fence, "engine", "boom") == "dealt_anew"
    text = page(client, f"/tables/{planned.tables[0].table_id}")
    assert text.count("so the set was dealt anew") == 1
    assert "The set as it was dealt anew" in text


def test_the_leaderboard_shows_scores_beside_ratings(client: Client, played: SetRow) -> None:
    text = page(client, BOARD)
    assert "1 rated set" in text
    assert "Mean score" in text
    assert "all 2 seats" in text
    assert "Mean score" not in page(client, "/ladders/mushi/standard")


def test_a_players_page_tells_its_places_with_scores(client: Client, played: SetRow) -> None:
    best = next(table for table in played.tables if table.placement == 0)
    text = page(client, f"{BOARD}/players/{best.entrant}")
    assert f"1st {str(best.entrant).partition('/')[2]} {best.score}" in text
    assert f'href="/tables/{best.table_id}"' in text


def test_a_team_is_named_with_its_bots(garden: Garden, client: Client) -> None:
    with garden.database.transaction() as tx:
        alpha = identity.find_player(tx, "alpha/bugbot")
        teams.create(tx, alpha.owner_id, "duo", [alpha, identity.find_player(tx, "house/one")])
    text = page(client, f"{BOARD}/players/alpha/duo")
    assert "a team of" in text
    assert text.index("bugbot</bdi> and") < text.index("rated as itself")


def test_the_fairness_of_sets_tells_nothing_of_seats(client: Client) -> None:
    text = page(client, f"{BOARD}/fairness")
    assert "How sets are made" in text
    assert "at one seat" not in text


def test_every_page_of_it_is_whole(client: Client, half: SetRow) -> None:
    for path in ("/", "/ladders", "/tables", BOARD):
        page(client, path)
