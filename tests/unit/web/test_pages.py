"""Every page: what it shows, and that it is a whole and safe one."""

import re
from html.parser import HTMLParser

import pytest

from engine_service.core.replay import verify
from engine_service.games import GAMES
from storage.database import Database
from tests.fixtures.garden import Garden
from tests.unit.web.conftest import Client, client_of

PAGES = [
    "/",
    "/ladders",
    "/ladders/mushi/standard",
    "/ladders/mushi/standard?q=bo",
    "/ladders/mushi/standard/fairness",
    "/ladders/mushi/standard/players/alpha/bugbot",
    "/tables",
    "/leagues",
    "/leagues/1",
    "/leagues/1?season=1",
    "/games",
    "/games/mushi",
    "/games/mushi/match",
]
VOID = {"meta", "link", "input", "br", "line", "path", "circle", "rect", "use", "hr", "img"}


class Checker(HTMLParser):
    """Balanced tags, no inline script, style or handler, ids once, headings in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in values:
            self.ids.append(values["id"] or "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "style" or (tag == "script" and "src" not in values):
            self.faults.append(f"inline {tag}")
        self.faults += [f"{name} on {tag}" for name, _ in attrs if name == "style" or name.startswith("on")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.faults.append(f"unbalanced </{tag}>")


def check(html: str) -> None:
    checker = Checker()
    checker.feed(html)
    assert checker.faults == []
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids))
    assert checker.headings[0] == 1
    assert checker.headings.count(1) == 1
    assert all(
        after <= before + 1 for before, after in zip(checker.headings, checker.headings[1:], strict=False)
    )
    for landmark in ('<html lang="en">', "<header", "<nav", '<main id="content"', "<footer", 'class="skip"'):
        assert landmark in html


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_whole(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    check(response.text)


@pytest.mark.parametrize("kind", ["crashed", "casual", "running", "planned", "void", "retried"])
def test_every_kind_of_table_has_a_page(client: Client, world: Garden, kind: str) -> None:
    response = client.get(f"/tables/{getattr(world, kind)}")
    assert response.status_code == 200
    check(response.text)


@pytest.mark.parametrize("path", [page for page in PAGES if not page.startswith(("/ladders/", "/leagues/"))])
def test_pages_of_an_empty_house(bare: Database, path: str) -> None:
    response = client_of(bare).get(path)
    assert response.status_code == 200
    check(response.text)


def test_home(client: Client, world: Garden) -> None:
    page = client.get("/").text
    assert "Climb the beanstalk." in page
    assert "127.0.0.1:8450" in page
    assert page.count('class="climber"') == 7
    assert f"/tables/{world.retried}" in page
    assert "Autumn league" in page
    assert "round 3 of 8" in page


def test_entered_and_rated_players_are_told_apart(bare: Database) -> None:
    garden = Garden(bare)
    for name in ("old", "older", "newcomer"):
        garden.plant("alpha", name, "remote", 2)
    garden.play(garden.players[:2])
    garden.rate()
    client = client_of(bare)
    home = client.get("/").text
    assert "<dt>players entered</dt><dd>3</dd>" in home
    for page in (home, client.get("/ladders").text, client.get("/ladders/mushi/standard").text):
        assert "3 players entered, 2 rated" in page


def test_a_broken_tie_is_explained(client: Client, world: Garden) -> None:
    tied = world.find_tied()
    yards = r"Tie-break at \d+: the smaller front yard decides, yard (\d) beats yard (\d)\."
    told = re.search(yards, client.get(f"/tables/{tied.table_id}").text)
    assert told
    assert int(told[1]) < int(told[2])
    card = (
        client.get("/tables")
        .text.partition(f'href="/tables/{tied.table_id}"')[2]
        .partition("</li>\n  <li")[0]
    )
    assert "the smaller front yard decides." in card
    assert "Tie-break" not in client.get(f"/tables/{world.retried}").text


def test_seats_count_from_0(client: Client, world: Garden) -> None:
    assert '<td class="number">0</td>' in client.get(f"/tables/{world.planned}").text
    seats = re.findall(r"seat (\d)</span>", client.get(f"/tables/{world.crashed}").text)
    assert sorted(seats) == ["0", "1", "2"]


def test_leaderboard_order_and_formula(client: Client) -> None:
    page = client.get("/ladders/mushi/standard").text
    figures = [float(text) for text in re.findall(r'class="rating">([\d.]+)<', page)]
    assert len(figures) == 8
    assert figures == sorted(figures, reverse=True)
    assert "mean − 3 × deviation" in page
    assert page.count('class="bar"') == 8


def test_how_even_the_tables_were(bare: Database) -> None:
    garden = Garden(bare)
    ours = [garden.plant("house", name, "house", 2) for name in ("a", "b", "c")]
    for _ in range(4):
        garden.play(ours[:2])
    client = client_of(bare)
    page = client.get("/ladders/mushi/standard/fairness").text
    assert "3 players that this service runs itself, over 4 tables" in page
    assert page.count("not kept") == 1  # one of them has not played at all
    assert '<td class="number">4</td><td>at most 3 <strong class="broken">not kept' in page
    assert '<td class="number">100 %</td>' in page
    assert client.get("/ladders/chess/blitz/fairness").status_code == 404


def test_search(client: Client) -> None:
    page = client.get("/ladders/mushi/standard", params={"q": "BUG"}).text
    assert "1 player found" in page
    assert "alpha/</span>bugbot" in page
    assert "timid" not in page
    assert "0 players found" in client.get("/ladders/mushi/standard", params={"q": "a%b_c"}).text


def test_player(client: Client) -> None:
    page = client.get("/ladders/mushi/standard/players/alpha/bugbot").text
    assert "version 2" in page
    assert 'class="curve"' in page
    assert "Why did the rating move?" in page
    assert "A new version, whose strength is less certain." in page
    assert "Head to head" in page
    assert "By table size and seat" in page


def test_finished_table_tells_its_match(client: Client, world: Garden) -> None:
    page = client.get(f"/tables/{world.crashed}").text
    assert "the bot crashed" in page
    assert "The match, move by move" in page
    assert 'id="turn-1"' in page
    assert 'id="step-0"' in page
    assert "goes for the hub" in page
    assert "The clock moves for" in page
    assert 'href="#die-bar"' in page
    assert 'id="die-bar"' in page
    assert "mamenoki verify" in page


def test_a_table_in_play_keeps_its_secrets_and_looks_again(client: Client, world: Garden) -> None:
    page = client.get(f"/tables/{world.running}").text
    assert "playing now" in page
    assert "data-refresh" in page
    assert "/static/soft.js" in page
    assert 'http-equiv="refresh"' in page
    assert "published when the table has ended" in page
    assert "move by move" not in page
    with world.database.reading() as tx:
        seed = (
            tx.connection()
            .exec_driver_sql("select hex(seed) from game_table where id = ?", (world.running,))
            .scalar_one()
        )
    assert seed.lower() not in page.lower()
    assert client.get(f"/tables/{world.running}/replay.jsonl").status_code == 404


def test_a_finished_page_does_not_look_again(client: Client, world: Garden) -> None:
    page = client.get(f"/tables/{world.casual}").text
    assert "refresh" not in page
    assert "<script" not in page


def test_faults_of_ours_are_told(client: Client, world: Garden) -> None:
    void = client.get(f"/tables/{world.void}").text
    assert "three times, through no player&#39;s fault" in void
    assert void.count("came to nothing: the engine failed.") == 3
    assert "mamenoki verify" not in void
    retried = client.get(f"/tables/{world.retried}").text
    assert "Try 1 came to nothing: our worker that filled its seats went away." in retried
    assert "<dt>Attempt</dt><dd>2" in retried
    assert "move by move" in retried


def test_replay_download(client: Client, world: Garden) -> None:
    response = client.get(f"/tables/{world.crashed}/replay.jsonl")
    assert response.headers["content-type"] == "application/x-ndjson"
    assert response.headers["content-disposition"] == f'attachment; filename="{world.crashed}.jsonl"'
    assert verify(response.content, GAMES).match == world.crashed
    again = client.get(response.url.path, headers={"if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_tables_go_on(client: Client) -> None:
    first = client.get("/tables").text
    shown = re.findall(r'class="table-head" href="/tables/(\w+)"', first)
    older = client.get("/tables", params={"before": shown[-1]})
    assert older.status_code == 200
    assert "Playing now" in first
    assert "Playing now" not in older.text


def test_league(client: Client) -> None:
    page = client.get("/leagues/1").text
    assert "Europe/Berlin" in page
    for word in ("Share", "Wins", "Opponents", "Mutual"):
        assert f"<dt>{word}</dt>" in page


@pytest.mark.parametrize("game", GAMES)
def test_rules_and_a_match_are_rendered_and_their_links_lead_somewhere(client: Client, game: str) -> None:
    rules = client.get(f"/games/{game}").text
    told = client.get(f"/games/{game}/match")
    assert "How it is played" in rules
    assert f'href="/games/{game}/match"' in rules
    assert told.status_code == 200
    assert "line by line" in told.text
    check(told.text)
    for page in (rules, told.text):
        for target in re.findall(r'href="([^"]+)"', page.partition('class="prose')[2]):
            assert client.get(target).status_code == 200, target


def test_a_match_that_is_not_told_is_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.routes.games.match_page", lambda game: "")
    assert "No match of" in client.get("/games/mushi/match").text
    assert client.get("/games/chess/match").status_code == 404


def test_sections_say_where_one_is(client: Client) -> None:
    assert '<a href="/tables" aria-current="page">' in client.get("/tables").text
    assert '<a href="/ladders" aria-current="true">' in client.get("/ladders/mushi/standard").text


def test_pages_say_nothing_of_turns_while_nobody_knows_who_is_here(client: Client) -> None:
    assert "plays its first" not in client.get("/ladders/mushi/standard").text
    assert "This player" not in client.get("/ladders/mushi/standard/players/house/calm").text


def test_what_is_to_come_of_a_season_is_told(client: Client) -> None:
    page = client.get("/leagues/1").text
    assert "tables in the next round, which should be played by" in page
    assert "to come in this season, until" in page


def test_before_anything_was_played_a_season_has_tables_and_no_times(bare: Database) -> None:
    garden = Garden(bare)
    for name in ("a", "b", "c", "d"):
        garden.plant("house", name, "house", 2)
    garden.found_league(seats=2)
    page = client_of(bare).get("/leagues/1").text
    assert "4 tables in the next round; 32 tables to come in this season." in page
    assert "How long that takes is known when tables of this ladder have been played." in page
