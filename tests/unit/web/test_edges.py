"""What should not be there, what is hostile, and what machines ask for."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from prometheus_client import generate_latest
from sqlalchemy import Engine, event, update

from storage.database import Database
from storage.schema import League, Owner, Player, Rating
from tests.fixtures.garden import Garden
from tests.unit.web.conftest import Client, client_of
from web import shield


def told(client: Client) -> str:
    """What the client's app has counted."""
    return generate_latest(client.metrics).decode()


SCRIPT = "<script>alert('x')</script>"


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/nothing", 404, "Nothing grows here"),
        ("/tables/NOSUCHTABLE", 404, "NOSUCHTABLE"),
        ("/tables/" + "x" * 27, 404, "at most 26"),
        ("/tables/%00", 404, "at most 26"),
        ("/tables/..%2f..%2fetc", 404, "Nothing grows here"),
        ("/tables/NOSUCHTABLE/replay.jsonl", 404, "NOSUCHTABLE"),
        ("/tables?before=NOSUCHTABLE", 404, "NOSUCHTABLE"),
        ("/tables?before=%ff%fe", 404, "at most 26"),
        ("/ladders/mushi/nosuch", 404, "mushi/standard"),
        ("/ladders/mushi/" + "x" * 70, 404, "name like that"),
        ("/ladders/mushi/%00", 404, "name like that"),
        ("/ladders/mushi/standard?page=2", 404, "only 1 page"),
        ("/ladders/mushi/standard?page=" + "9" * 300, 404, "only 1 page"),
        ("/ladders/mushi/standard?page=0", 400, "page"),
        ("/ladders/mushi/standard?page=-1", 400, "page"),
        ("/ladders/mushi/standard?page=two", 400, "page"),
        ("/ladders/mushi/standard?page=%ff", 400, "page"),
        ("/ladders/mushi/standard/players/alpha/nobody", 404, "alpha/nobody"),
        ("/ladders/mushi/standard/players/alpha/" + quote(SCRIPT, safe=""), 404, "Nothing grows here"),
        ("/leagues/77", 404, "77"),
        ("/leagues/0", 404, "Nothing grows here"),
        ("/leagues/x", 404, "Nothing grows here"),
        ("/leagues/" + "9" * 40, 404, "Nothing grows here"),
        ("/leagues/1?season=9", 404, "no season 9"),
        ("/leagues/1?season=x", 400, "season"),
        ("/games/chess", 404, "mushi"),
        ("/static/nothing.css", 404, "Nothing grows here"),
        ("/static/..%2fapp.py", 404, "Nothing grows here"),
        ("/openapi.json", 404, "Nothing grows here"),
        ("/docs", 404, "Nothing grows here"),
    ],
)
def test_helpful_errors(client: Client, path: str, status: int, says: str) -> None:
    response = client.get(path)
    assert response.status_code == status
    assert says in response.text
    assert "<h1>" in response.text
    assert "Traceback" not in response.text
    assert SCRIPT not in response.text


def test_other_methods_are_refused(client: Client) -> None:
    response = client.request("POST", "/tables", data={"x": "1"})
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"
    assert "This page is for reading" in response.text


def test_a_query_in_no_known_encoding_is_no_trouble(client: Client) -> None:
    for query in (
        "q=%ff%fe",
        "q=%00%00",
        "q=" + "%F0%9F" * 200,
        "q=%ed%a0%80",
        "q[]=1&q=2",
        "&&=&",
        "q=" + "x" * 5000,
    ):
        assert client.get(f"/ladders/mushi/standard?{query}").status_code == 200


def test_a_crash_shows_an_id_and_nothing_else(
    world: Garden, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def explode(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("web.routes.home.home_page", explode)
    client = client_of(world.database)
    response = client.get("/")
    assert response.status_code == 500
    error_id = re.search(r"Error <code>([0-9a-f]{8})</code>", response.text)
    assert error_id is not None
    assert "secret detail" not in response.text
    assert "secret detail" in caplog.text
    assert error_id[1] in caplog.text
    assert "Content-Security-Policy" in response.headers
    assert 'status="500"' in told(client)


def test_a_missing_database_is_no_crash(tmp_path: object) -> None:
    client = client_of(Database(f"sqlite:///{tmp_path}/nowhere/none.sqlite3"))
    page = client.get("/")
    assert page.status_code == 503
    assert page.headers["retry-after"] == "5"
    assert client.get("/healthz").status_code == 503


def test_headers_are_on_every_answer(client: Client) -> None:
    paths = (
        "/",
        "/nothing",
        "/ladders/mushi/standard?page=x",
        "/static/nothing",
        "/healthz",
        "/robots.txt",
    )
    for path in paths:
        headers = client.get(path).headers
        for name, value in shield.HEADERS.items():
            assert headers[name] == value, path
        assert "Strict-Transport-Security" not in headers
    policy = shield.HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert client.get("https://garden/").headers["Strict-Transport-Security"]


@pytest.mark.parametrize(
    ("path", "goes_to"),
    [
        ("/tables/", "/tables"),
        ("/ladders/mushi/standard/?q=a%2Fb&page=1", "/ladders/mushi/standard?q=a%2Fb&page=1"),
        ("/leagues/1/", "/leagues/1"),
        ("/games/mushi/?next=//evil.example", "/games/mushi?next=//evil.example"),
    ],
)
@pytest.mark.parametrize("host", ["garden", "evil.example", "evil.example:99", "x/../y", "[", "", "a b"])
def test_a_redirect_stays_here_whatever_the_host_header_says(
    client: Client, path: str, goes_to: str, host: str
) -> None:
    response = client.get(path, headers={"host": host, "x-forwarded-host": "evil.example"})
    assert response.status_code == 307
    assert response.headers["location"] == goes_to


@pytest.mark.parametrize(
    "path", ["//evil.example/", "//evil.example", "/%2F/evil.example/", "/\\evil.example/"]
)
def test_no_path_is_taken_for_another_site(client: Client, path: str) -> None:
    response = client.get(f"http://garden{path}")
    assert response.status_code == 404
    assert "location" not in response.headers


@pytest.mark.parametrize("host", ["[", "", "a b", "x/y", "évil"])
def test_no_host_header_breaks_a_page(client: Client, host: str) -> None:
    assert client.get("/", headers={"host": host.encode()}).status_code == 200
    assert client.get("/nothing", headers={"host": host.encode()}).status_code == 404


@pytest.mark.parametrize("path", ["/", "/tables", "/healthz", "/static/base.css", "/nothing"])
def test_head_is_get_without_a_body(client: Client, path: str) -> None:
    got, head = client.get(path), client.request("HEAD", path)
    assert (head.status_code, head.content) == (got.status_code, b"")
    assert head.headers["content-type"] == got.headers["content-type"]


def test_static_files_are_kept(client: Client) -> None:
    address = re.search(r'href="(/static/base\.css\?v=\w+)"', client.get("/").text)
    assert address is not None
    response = client.get(address[1])
    assert response.headers["content-type"].startswith("text/css")
    assert "immutable" in response.headers["cache-control"]
    again = client.get(address[1], headers={"if-none-match": f'W/{response.headers["etag"]}, "other"'})
    assert (again.status_code, again.content) == (304, b"")
    assert "immutable" not in client.get("/static/base.css").headers["cache-control"]


def test_machines_are_answered(client: Client) -> None:
    assert client.get("/healthz").text == "ok\n"
    assert "Disallow: /*?" in client.get("/robots.txt").text
    icon = client.get("/favicon.ico")
    assert icon.headers["content-type"] == "image/svg+xml"


def test_metrics_name_routes_and_no_players(world: Garden) -> None:
    client = client_of(world.database)
    client.get("/ladders/mushi/standard/players/alpha/bugbot")
    client.request("HEAD", "/tables")
    client.get("/tables/NOSUCHTABLE")
    client.get("/wp-login.php")
    client.request("BREW", "/tables")
    assert client.get("/metrics").status_code == 404, "they have a port of their own"
    text = told(client)
    route = "/ladders/{game}/{variant}/players/{owner}/{name}"
    assert f'mamenoki_web_requests_total{{method="GET",route="{route}",status="200"}} 1.0' in text
    assert 'mamenoki_web_requests_total{method="HEAD",route="/tables",status="200"} 1.0' in text
    assert 'mamenoki_web_requests_total{method="GET",route="/tables/{table}",status="404"} 1.0' in text
    assert 'mamenoki_web_requests_total{method="GET",route="unmatched",status="404"} 2.0' in text
    assert 'method="other"' in text
    assert "mamenoki_web_request_seconds_bucket" in text
    for secret in ("bugbot", "NOSUCHTABLE", "wp-login", "BREW"):
        assert secret not in text


HOSTILE = [
    SCRIPT,
    '"><img src=x onerror=alert(1)>',
    "{{ 7*191 }}",
    "\u202egnp.exe",
    "zero\u200bwidth\u2066",
    "Z\u0301\u0301\u0301\u0301\u0301lgo",
    "שלום",
    "x" * 400,
    "javascript:alert(1)",
    "' or 1=1 --",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, list[str]]]:
    """A client on a world of hostile names, however they came into it, and the pages that show them."""
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('web') / 'hostile.sqlite3'}")
    database.migrate()
    garden = Garden(database)
    players = [garden.plant(f"owner{n}", f"bot{n}", "remote", 2) for n in range(len(HOSTILE))]
    tables = [garden.play(players[first : first + 5]) for first in range(0, len(players), 5)]
    league = garden.found_league(seats=2)
    garden.play_round(league, 1000, tables=1)
    garden.rate()
    with database.transaction() as tx:
        for n, name in enumerate(HOSTILE):
            tx.execute(update(Player).where(Player.name == f"bot{n}").values(name=name))
            tx.execute(update(Owner).where(Owner.name == f"owner{n}").values(name=name))
        tx.execute(update(League).values(name=" ".join(HOSTILE)))
    paths = [f"/tables/{table}" for table in tables]
    yield (
        client_of(database),
        ["/", "/ladders", "/ladders/mushi/standard", "/tables", "/leagues", "/leagues/1", *paths],
    )
    database.close()


def test_hostile_names_are_only_text(hostile: tuple[Client, list[str]]) -> None:
    client, paths = hostile
    for path in paths:
        page = client.get(path)
        assert page.status_code == 200, path
        assert "<img" not in page.text
        assert "alert(1)</script>" not in page.text
        assert SCRIPT not in page.text
        assert "1337" not in page.text
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", page.text)
        assert "x" * 91 not in re.sub(r'href="[^"]*"', "", page.text)
        assert 'href="javascript' not in page.text


def test_a_hostile_player_has_a_page_where_an_address_can_name_it(hostile: tuple[Client, list[str]]) -> None:
    client, _ = hostile
    board = client.get("/ladders/mushi/standard").text
    assert "&lt;script&gt;" in board
    links = set(re.findall(r'href="(/ladders/[^"]*/players/[^"]*)"', board))
    assert len(links) == len(HOSTILE)
    for link in links:
        nameable = "%2F" not in link and len(link) < 300
        assert client.get(link).status_code in ((200, 404) if nameable else (404,)), link


def test_pages_take_few_queries_and_few_bytes(world: Garden, client: Client) -> None:
    said: list[str] = []

    def note(_c: object, _k: object, statement: str, *_: object) -> None:
        if statement.startswith("SELECT"):
            said.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        budget = {
            "/": (25, 40_000),
            "/ladders/mushi/standard": (15, 40_000),
            "/ladders/mushi/standard/players/alpha/bugbot": (29, 60_000),
            "/tables": (8, 60_000),
            f"/tables/{world.running}": (7, 12_000),
            f"/tables/{world.crashed}/replay?move=40&view=all": (8, 14_000),
            "/leagues/1": (27, 30_000),
        }
        for path, (queries, most) in budget.items():
            said.clear()
            page = client.get(path)
            assert len(said) <= queries, (path, len(said))
            assert len(page.content) <= most, (path, len(page.content))
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def test_long_leaderboards_have_pages(bare: Database) -> None:
    garden = Garden(bare)
    planted = [garden.plant("owner", f"bot-{number:03}", "remote", 2) for number in range(53)]
    with bare.transaction() as tx:
        for number, player in enumerate(planted):
            mean = 40 - number / 2
            standing = {"mean": mean, "deviation": 1.0, "shown": mean - 3, "games": 20, "last_place": 0}
            tx.add(Rating(ladder_id=garden.ladder.id, player_id=player.player_id, **standing))
    client = client_of(bare)
    pages = [client.get(f"/ladders/mushi/standard?page={number}") for number in (1, 2, 3)]
    rows = [re.findall(r"</span>(bot-\d+)</bdi></a>", page.text) for page in pages]
    assert rows[0] + rows[1] == [f"bot-{number:03}" for number in range(53)]
    assert len(rows[0]) == 50
    assert 'rel="next"' in pages[0].text
    assert 'rel="prev"' in pages[1].text
    assert pages[2].status_code == 404
