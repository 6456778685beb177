"""The site in a real browser: at every width, in both colour schemes, by keyboard, without scripts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from engine_service.core.replay import verify
from engine_service.games import GAMES
from tests.fixtures.garden import Garden
from web.rendering import SECTIONS

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
SCREENS = [
    ("desktop", 1280, "light"),
    ("phone", 390, "dark"),
    ("narrow", 360, "light"),
    ("wide", 1400, "dark"),
]
PLAYER = "/ladders/mushi/standard/players/alpha/bugbot"
PAGES = {
    "home": "/",
    "ladders": "/ladders",
    "ladder": "/ladders/mushi/standard",
    "search": "/ladders/mushi/standard?q=bo",
    "fairness": "/ladders/mushi/standard/fairness",
    "player": PLAYER,
    "tables": "/tables",
    "crashed": "/tables/{crashed}",
    "tied": "/tables/{tied}",
    "running": "/tables/{running}",
    "void": "/tables/{void}",
    "leagues": "/leagues",
    "league": "/leagues/1",
    "events": "/events",
    "event": "/events/1",
    "games": "/games",
    "rules": "/games/mushi",
    "told": "/games/seimi/match",
    "missing": "/nothing-here",
}


BROKEN_WORDS = """() => [...document.querySelectorAll("h1, h2, h2 a, .crumbs a")].flatMap(heading => {
    const text = heading.firstChild;
    if (!(text instanceof Text)) return [];
    return [...text.data.matchAll(/[^\\s・-]+/g)].filter(word => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
    }).map(word => word[0]);
})"""

FOCUSED = """(everything) => [
    [...document.querySelectorAll(everything)].indexOf(document.activeElement),
    getComputedStyle(document.activeElement).outlineStyle,
]"""


@dataclass
class Watched:
    """A page and whatever went wrong on it."""

    page: Page
    address: str
    faults: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        response = self.page.goto(self.address + path)
        assert response is not None
        if response.status == 404:  # the browser itself complains about the page's own status
            self.faults = [fault for fault in self.faults if "404" not in fault]

    def note_failed(self, url: str, why: str) -> None:
        """A request that failed; one that the browser dropped, since the next page was asked for, did not."""
        if "ERR_ABORTED" not in why:
            self.faults.append(f"failed {url}: {why}")


def watch(context: BrowserContext, address: str) -> Watched:
    page = context.new_page()
    watched = Watched(page, address)

    def note_foreign(request: Request) -> None:
        if not request.url.startswith(address):
            watched.faults.append(f"asked {request.url}")

    page.on("request", note_foreign)
    page.on("console", lambda said: watched.faults.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: watched.faults.append(str(error)))
    page.on("requestfailed", lambda request: watched.note_failed(request.url, str(request.failure)))
    return watched


@pytest.fixture
def desktop(chromium: Browser, address: str) -> Iterator[Watched]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    watched = watch(context, address)
    yield watched
    context.close()
    assert watched.faults == []


@pytest.mark.parametrize(("screen", "width", "scheme"), SCREENS)
def test_every_page_fits_and_is_readable(
    chromium: Browser,
    address: str,
    world: Garden,
    shots: Path,
    screen: str,
    width: int,
    scheme: Literal["light", "dark"],
) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, is_mobile=width < 600
    )
    watched = watch(context, address)
    tied = world.find_tied().table_id
    for name, path in PAGES.items():
        watched.open(path.format(crashed=world.crashed, running=world.running, void=world.void, tied=tied))
        inner = watched.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert inner == [width, width], f"{path} is wider than the screen"
        assert watched.page.evaluate(CONTRAST) == [], path
        if screen in ("desktop", "phone"):
            watched.page.screenshot(path=shots / f"{name}-{screen}.png", full_page=True, caret="initial")
    context.close()
    assert watched.faults == []


@pytest.mark.parametrize("width", [390, 320])
def test_no_title_is_broken_within_a_word(chromium: Browser, address: str, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 700})
    page = context.new_page()
    for path in ("/games", *(f"/games/{game}{text}" for game in GAMES for text in ("", "/match"))):
        page.goto(address + path)
        assert page.evaluate(BROKEN_WORDS) == [], path
    context.close()


def test_the_scheme_is_followed(chromium: Browser, address: str) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        context = chromium.new_context(color_scheme="dark" if scheme == "dark" else "light")
        page = context.new_page()
        page.goto(address)
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        context.close()
    assert grounds == ["rgb(245, 244, 233)", "rgb(17, 24, 18)"]


@pytest.mark.parametrize("width", [1280, 1024, 390])
def test_the_first_page_cuts_nothing_and_lines_up(chromium: Browser, address: str, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(address)
    frame = page.locator(".stalk-frame").bounding_box()
    last = page.locator(".climber").last.bounding_box()
    assert frame
    assert last
    assert last["y"] + last["height"] + 8 <= frame["y"] + frame["height"]
    rows: dict[float, list[tuple[float, float]]] = {}
    for step in page.locator(".steps li").all():
        item, command = step.bounding_box(), step.locator("pre").bounding_box()
        assert item
        assert command
        rows.setdefault(item["y"], []).append((command["y"], command["height"]))
    assert len(rows) == (3 if width == 390 else 1)
    assert all(len(set(commands)) == 1 for commands in rows.values())
    context.close()


def test_the_keyboard_goes_everywhere(desktop: Watched) -> None:
    desktop.open("/ladders/mushi/standard")
    page = desktop.page
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    everything = "main a, main button, main input, main [tabindex='0']"
    reached = set()
    for _ in range(page.locator(everything).count()):
        page.keyboard.press("Tab")
        at, outline = page.evaluate(FOCUSED, everything)
        assert outline == "solid"
        reached.add(at)
    assert reached == set(range(page.locator(everything).count()))


def test_search_by_keyboard(desktop: Watched) -> None:
    desktop.open("/ladders/mushi/standard")
    desktop.page.get_by_label("Find a player").fill("bug")
    desktop.page.keyboard.press("Enter")
    expect(desktop.page.get_by_text("1 player found")).to_be_visible()
    desktop.page.get_by_role("link", name="alpha/bugbot").first.click()
    expect(desktop.page.get_by_role("heading", level=1)).to_have_text("alpha/bugbot")


def test_a_step_can_be_shared_and_the_replay_checked(desktop: Watched, world: Garden, tmp_path: Path) -> None:
    desktop.open(f"/tables/{world.crashed}")
    page = desktop.page
    page.get_by_role("link", name="Link to step 12", exact=True).click()
    assert page.url.endswith("#step-12")
    expect(page.locator("#step-12")).to_be_in_viewport()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the replay").click()
    assert download.value.suggested_filename == f"{world.crashed}.jsonl"
    download.value.save_as(tmp_path / "replay.jsonl")
    assert verify((tmp_path / "replay.jsonl").read_bytes(), GAMES).match == world.crashed


def test_a_table_in_play_turns_into_its_story(desktop: Watched, world: Garden) -> None:
    table = world.plan(world.draw(3))
    desktop.open(f"/tables/{table}")
    expect(desktop.page.get_by_role("status")).to_contain_text("waits for its players")
    claim = world.start(table)
    expect(desktop.page.get_by_role("status")).to_contain_text("is being played", timeout=15_000)
    world.play_out(claim)
    expect(desktop.page.get_by_role("heading", name="The match, move by move")).to_be_visible(timeout=15_000)


@pytest.mark.parametrize("path", ["/", "/ladders/mushi/standard", PLAYER, "/leagues/1", "/tables"])
def test_without_scripts(chromium: Browser, address: str, path: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    watched = watch(context, address)
    watched.open(path)
    expect(watched.page.get_by_role("heading", level=1)).to_be_visible()
    expect(watched.page.get_by_role("navigation", name="Main").get_by_role("link")).to_have_count(
        len(SECTIONS)
    )
    context.close()
    assert watched.faults == []
