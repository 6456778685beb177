"""The page of the replay viewer: every step has an address, and whoever asks wrongly is told."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from storage.database import Database
from tests.fixtures.garden import Garden, grow
from tests.fixtures.replays import GAMES_AND_VARIANTS, store
from tests.unit.web.conftest import Client, client_of
from tests.unit.web.test_pages import check


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('viewer') / 'world.sqlite3'}")
    database.migrate()
    yield grow(database, tables=2)
    database.close()


@pytest.fixture(scope="module")
def viewer(garden: Garden) -> Client:
    return client_of(garden.database)


@pytest.fixture(scope="module")
def seimi(garden: Garden) -> str:
    return f"/tables/{store(garden, 'seimi/standard', 3)}/replay"


WAY = re.compile(r'<a id="([\w-]+)" class="way" href="([^"]+)"')


def ways(html: str) -> dict[str, str]:
    return {way: unescape(href) for way, href in WAY.findall(html)}


@pytest.mark.parametrize("game", GAMES_AND_VARIANTS)
def test_every_game_is_drawn_for_every_viewer(garden: Garden, viewer: Client, game: str) -> None:
    table = store(garden, game, 4)
    for view in ("public", "0", "3", "all"):
        for move in ("0", "7", "99999"):
            page = viewer.get(f"/tables/{table}/replay?move={move}&view={view}")
            assert page.status_code == 200
            check(page.text)
            assert 'class="groups"' in page.text
    assert f'href="/tables/{table}/replay"' in viewer.get(f"/tables/{table}").text


def test_a_whole_match_can_be_walked_by_links_alone(viewer: Client, seimi: str) -> None:
    page = viewer.get(f"{seimi}?view=1").text
    assert set(ways(page)) == {"on", "turn-on", "last"}
    steps, address = 1, ways(page)["on"]
    while address:
        page = viewer.get(address).text
        steps, address = steps + 1, ways(page).get("on", "")
    last = int(re.findall(r"<strong>Step (\d+)</strong> of \1\b", page)[0])
    assert steps == last + 1
    assert set(ways(page)) == {"first", "turn-back", "back"}
    assert viewer.get(ways(page)["back"]).text.count(f"<strong>Step {last - 1}</strong>") == 1
    assert viewer.get(ways(page)["first"]).text == viewer.get(f"{seimi}?view=1").text


def test_turns_are_stepped_over(viewer: Client, seimi: str) -> None:
    first = viewer.get(ways(viewer.get(seimi).text)["turn-on"]).text
    assert "· turn 1" in first
    second = viewer.get(ways(first)["turn-on"]).text
    assert "· turn 2" in second
    assert viewer.get(ways(second)["turn-back"]).text == first


def test_a_seats_page_has_no_other_hand(viewer: Client, seimi: str) -> None:
    opened = viewer.get(f"{seimi}?move=6&view=all").text
    hands = re.findall(r"<dt>(\S+)’s hand</dt><dd>.*?<span class=\"words\">([^<]+)</span>", opened)
    assert len(hands) == 3
    for seat, (name, _) in enumerate(hands):
        page = viewer.get(f"{seimi}?move=6&view={seat}").text
        assert re.findall(r"<dt>(\S+)’s hand</dt>", page) == [name]
        assert [hand for _, hand in hands if hand in page] == [hands[seat][1]]
    public = viewer.get(f"{seimi}?move=6").text
    assert not [hand for _, hand in hands if hand in public]
    assert "’s hand" not in public


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("?view=3", 404, "a seat from 0 to 2"),
        ("?view=-1", 404, "a seat from 0 to 2"),
        ("?view=%00<b>", 404, "a seat from 0 to 2"),
        ("?move=soon", 400, "“move”"),
        ("?move=1e3", 400, "“move”"),
        ("?move=99999999999999999999", 400, "“move”"),
        ("?move=-4", 200, "<strong>Step 0</strong>"),
    ],
)
def test_whoever_asks_wrongly_is_told(viewer: Client, seimi: str, query: str, status: int, says: str) -> None:
    page = viewer.get(seimi + query)
    assert page.status_code == status
    assert says in page.text
    check(page.text)


@pytest.mark.parametrize("kind", ["running", "planned", "void"])
def test_what_is_not_finished_has_no_replay(garden: Garden, viewer: Client, kind: str) -> None:
    table = getattr(garden, kind)
    answer = viewer.get(f"/tables/{table}/replay?view=all&move=3")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/tables/{table}")
    assert answer.content == b""


def test_no_such_table(viewer: Client) -> None:
    assert viewer.get("/tables/NOTHING/replay").status_code == 404


def test_a_deal_that_others_still_play_is_kept_back(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'sets.sqlite3'}")
    database.migrate()
    garden = Garden(database)
    players = [garden.plant("alpha", name, "remote", 2) for name in ("one", "two")]
    first = garden.play_set(players, unplayed=1).tables[0].table_id
    client = client_of(database)
    for view in ("public", "0", "all"):
        answer = client.get(f"/tables/{first}/replay?view={view}")
        assert answer.status_code == 404
        assert "published when the last table on the same deal has ended" in answer.text
        assert "groups" not in answer.text
    database.close()


def test_an_overlong_match_is_not_drawn(viewer: Client, seimi: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("web.viewing.scene", "web.reading.tables"):
        monkeypatch.setattr(f"{module}.STORY_MOVES", 3)
    answer = viewer.get(seimi)
    assert answer.status_code == 404
    assert "too long for a page; it can be downloaded" in answer.text
    table = viewer.get(seimi.removesuffix("/replay")).text
    assert f'href="{seimi}.jsonl" download' in table
    assert f'href="{seimi}"' not in table
