"""Guests play in a real browser, against house bots, on a real engine."""

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from engine_service.server.main import EngineServer, start
from storage import identity, ladders, results, tables
from storage.database import Database
from tests.e2e.test_site import CONTRAST
from tests.fixtures.engine import SERVICE_TOKEN, settings_for
from tests.fixtures.site import serving

SHORT = {
    "mushi/standard": {"turn_limit": 8},
    "morumori/versus": {},
    "morumori/coop": {},
    "seimi/standard": {},
    "beanstalk/standard": {},
}
NAME = '<script>alert("x")</script>'


HAND = re.compile(r"<dt>Your hand</dt>\s*<dd>.*?<span class=\"words\">([^<]+)</span>", re.DOTALL)


class Engine:
    """A real engine in a loop and a thread of its own: the browser's blocks this one."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.database = Database(url)
        self.server: EngineServer = self.run(start(settings_for(url), self.database, ()))

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def close(self) -> None:
        self.run(self.server.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self.database.close()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    url = f"sqlite:///{tmp_path_factory.mktemp('play') / 'play.sqlite3'}"
    database = Database(url)
    database.migrate()
    with database.transaction() as tx:
        house = identity.ensure_owner(tx, "house")
        for name, config in SHORT.items():
            game, variant = name.split("/")
            ladder = ladders.ensure_ladder(tx, name, game, variant, config)
            for program in ("random", "greedy"):
                player = identity.ensure_player(tx, house, f"{game}-{variant}-{program}", "house")
                version = identity.ensure_version(tx, player.id, "1", program)
                ladders.enter(tx, ladder.id, player.id, version.id)
    database.close()
    engine = Engine(url)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def site(engine: Engine) -> Iterator[str]:
    given = {"internal_address": engine.server.internal, "service_token": SERVICE_TOKEN}
    with serving(engine.database, guest_tables_burst=1000, **given) as address:
        yield f"http://{address}"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def watched(context: BrowserContext, faults: list[str]) -> Page:
    page = context.new_page()
    page.on("console", lambda said: faults.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: faults.append(str(error)))
    return page


def sit_down(page: Page, site: str, ladder: str, bot: str = "") -> str:
    """The table's id."""
    page.goto(f"{site}/play")
    form = page.locator("form", has=page.locator(f'input[value="{ladder}"]'))
    form.get_by_label(re.compile("Against|The others")).select_option(bot)
    form.get_by_role("button").click()
    expect(page.locator("#seat")).to_be_visible()
    page.wait_for_load_state()  # the script takes the forms over; before that they are plain ones
    return page.url.rpartition("/")[2]


def version(page: Page) -> str:
    return page.locator("#seat").get_attribute("data-version") or ""


def is_over(page: Page) -> bool:
    return page.locator("#seat[data-over]").count() > 0


def play_once(page: Page) -> None:
    """One move by a click, and what came of it is there."""
    before = version(page)
    buttons = page.locator(".moves-form button")
    buttons.last.click()
    page.wait_for_function("before => document.querySelector('#seat').dataset.version !== before", arg=before)


def until_asked(page: Page) -> None:
    page.locator(".moves-form, #seat[data-over]").first.wait_for()


def play_on(page: Page, most: int = 2000) -> None:
    """To the end."""
    for _ in range(most):
        until_asked(page)
        if is_over(page):
            return
        play_once(page)
    raise AssertionError(f"not over after {most} moves")


@pytest.mark.parametrize(
    "ladder",
    [
        "mushi/standard",
        pytest.param("beanstalk/standard", marks=pytest.mark.slow),
        pytest.param("seimi/standard", marks=pytest.mark.slow),
        pytest.param("morumori/versus", marks=pytest.mark.slow),
        pytest.param("morumori/coop", marks=pytest.mark.slow),
    ],
)
def test_a_guest_plays_to_the_end_by_clicks(
    context: BrowserContext, site: str, engine: Engine, ladder: str
) -> None:
    faults: list[str] = []
    page = watched(context, faults)
    table = sit_down(page, site, ladder)
    play_on(page)
    expect(page.locator(".headline")).to_contain_text("The match is over")
    page.get_by_role("link", name="The whole match").click()
    expect(page.locator("#story")).to_be_visible()
    with engine.database.reading() as tx:
        row, result = tables.find(tx, table), results.get(tx, table)
    assert (row.state, row.rated, row.ladder) == ("done", False, None)
    assert not result.played.forfeits
    assert faults == []


@pytest.mark.parametrize(
    "ladder",
    [name if name.startswith("morumori/v") else pytest.param(name, marks=pytest.mark.slow) for name in SHORT],
)
def test_a_phone_in_the_dark(chromium: Browser, site: str, shots: Path, ladder: str) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 800}, color_scheme="dark", is_mobile=True, has_touch=True
    )
    faults: list[str] = []
    page = watched(context, faults)
    sit_down(page, site, ladder)
    for _ in range(4):
        until_asked(page)
        if not is_over(page):
            play_once(page)
    until_asked(page)
    check_look(page, shots / f"seat-{ladder.replace('/', '-')}-phone.png")
    page.locator("details.resign summary").tap()
    page.get_by_role("button", name="Yes, resign").tap()
    page.locator("#seat[data-over]").wait_for()
    expect(page.locator(".headline")).to_contain_text("given up your seat")
    page.goto(f"{site}/play")
    check_look(page, shots / "play-phone.png")
    context.close()
    assert faults == []


def check_look(page: Page, shot: Path) -> None:
    """Nothing is wider than the phone, everything can be read."""
    page.screenshot(path=shot, full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate(CONTRAST) == []


def test_by_keyboard_alone(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(f"{site}/play")
    page.get_by_role("button", name="beanstalk", exact=False).or_(page.locator(".sit button")).last.focus()
    page.keyboard.press("Enter")
    until_asked(page)
    for _ in range(5):
        before = version(page)
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(
                "document.activeElement.closest('.moves-form')?.contains(document.activeElement) ?? false"
            ):
                break
        page.keyboard.press("Enter")
        page.wait_for_function("b => document.querySelector('#seat').dataset.version !== b", arg=before)
        until_asked(page)


def test_a_lost_connection_a_reload_and_a_second_tab_come_back_to_the_same_state(
    context: BrowserContext, site: str
) -> None:
    page = context.new_page()
    sit_down(page, site, "beanstalk/standard")
    until_asked(page)
    context.set_offline(True)
    page.locator(".moves-form button").first.click()
    expect(page.locator("#link")).to_be_visible()
    context.set_offline(False)
    expect(page.locator("#link")).to_be_hidden(timeout=20_000)
    headline, stands = page.locator(".headline").inner_text(), version(page)
    page.reload()
    assert (page.locator(".headline").inner_text(), version(page)) == (headline, stands)
    second = context.new_page()
    second.goto(page.url)
    play_once(second)
    until_asked(second)
    after = version(second)
    page.wait_for_function("now => document.querySelector('#seat').dataset.version === now", arg=after)


def test_without_scripts_moves_are_forms(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    sit_down(page, site, "beanstalk/standard")
    for _ in range(3):
        page.locator(".moves-form button").first.click()
        page.locator(".moves-form").wait_for()
    context.close()


class Guest:
    """A client without a browser, for what a browser would not send."""

    def __init__(self, site: str) -> None:
        self.http = httpx.Client(base_url=site, follow_redirects=True)
        self.proof = re.findall(r'name="proof" value="(\w+)"', self.http.get("/play").text)[0]

    def sit_down(self, ladder: str = "beanstalk/standard", **more: str) -> httpx.Response:
        form = {"proof": self.proof, "ladder": ladder, "seats": "2", "bot": "", **more}
        page = self.http.post("/play", data=form)
        deadline = time.monotonic() + 30
        while page.status_code == 200 and 'name="decision"' not in page.text:
            assert time.monotonic() < deadline, "the seat is never asked anything"
            page = self.http.get(page.url.path)
        return page

    def form(self, page: httpx.Response) -> dict[str, str]:
        fields = dict(re.findall(r'name="(proof|decision)" value="(\w+)"', page.text))
        return fields | {"move": re.findall(r'name="move" value="([^"]+)"', page.text)[0]}


@pytest.fixture
def guest(site: str) -> Iterator[Guest]:
    guest = Guest(site)
    yield guest
    guest.http.close()


def test_a_strangers_table_is_not_there(guest: Guest, site: str) -> None:
    page = guest.sit_down()
    path, form = page.url.path, guest.form(page)
    stranger = Guest(site)
    other = stranger.sit_down()
    own = dict(re.findall(r'name="(proof)" value="(\w+)"', other.text))
    for answer in (
        stranger.http.get(path),
        stranger.http.post(f"{path}/move", data=form | own),
        stranger.http.post(f"{path}/resign", data=own),
        httpx.get(f"{site}{path}"),
    ):
        assert answer.status_code == 404
        assert "You have no seat" in answer.text
    assert stranger.http.get("/play/tables/nothing").text.count("You have no seat") == 1
    assert guest.http.get(path).headers["etag"] == page.headers["etag"]
    stranger.http.close()


@pytest.mark.parametrize(
    ("change", "headers", "status"),
    [
        ({"proof": "0" * 64}, {}, 403),
        ({"proof": ""}, {}, 403),
        ({}, {"Sec-Fetch-Site": "cross-site"}, 403),
        ({"move": "x" * 9000}, {}, 413),
        ({"decision": "-1"}, {}, 400),
        ({"decision": "99"}, {}, 409),
        ({"move": "play 99"}, {}, 409),
        ({"move": NAME}, {}, 409),
    ],
)
def test_a_forged_form_does_nothing(
    guest: Guest, change: dict[str, str], headers: dict[str, str], status: int
) -> None:
    page = guest.sit_down()
    answer = guest.http.post(f"{page.url.path}/move", data=guest.form(page) | change, headers=headers)
    assert answer.status_code == status
    assert NAME not in answer.text
    assert guest.http.get(page.url.path).headers["etag"] == page.headers["etag"]


def test_the_same_answer_twice_counts_once(guest: Guest) -> None:
    page = guest.sit_down()
    form = guest.form(page)
    guest.http.post(f"{page.url.path}/move", data=form)
    again = guest.http.post(f"{page.url.path}/move", data=form)
    assert again.status_code in (200, 409)
    assert guest.http.get(page.url.path).status_code == 200


def test_a_planted_cookie_is_not_taken_over(guest: Guest, site: str) -> None:
    planted = "p" * 43
    guest.http.cookies.set("mamenoki_guest", planted)
    guest.proof = re.findall(r'name="proof" value="(\w+)"', guest.http.get("/play").text)[0]
    page = guest.sit_down()
    assert page.status_code == 200
    thief = httpx.get(f"{site}{page.url.path}", cookies={"mamenoki_guest": planted})
    assert thief.status_code == 404


def test_the_cookie_is_no_scripts_business(guest: Guest) -> None:
    form = {"proof": guest.proof, "ladder": "beanstalk/standard", "seats": "2", "bot": ""}
    said = guest.http.post("/play", data=form, follow_redirects=False).headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=lax" in said


@pytest.mark.parametrize("form", [{"seats": "9"}, {"seats": "x"}, {"bot": NAME}, {"ladder": "chess/blitz"}])
def test_a_table_that_nobody_offers(guest: Guest, form: dict[str, str]) -> None:
    answer = guest.sit_down(**form)
    assert answer.status_code in (400, 404)
    assert NAME not in answer.text


def test_the_public_page_of_a_guests_table_shows_no_hand(guest: Guest, site: str) -> None:
    page = guest.sit_down("seimi/standard", seats="3")
    hand = HAND.findall(page.text)[0]
    assert "-" in hand
    public = httpx.get(f"{site}/tables/{page.url.path.rpartition('/')[2]}").text
    assert "playing now" in public
    assert not HAND.findall(public)
    assert hand not in public  # test_secrets looks at every card of it; its like may lie in the field
