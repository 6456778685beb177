"""Watching in a real browser: finished matches step by step, and a table while it is played."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.test_play import Guest, engine, site
from tests.e2e.test_site import CONTRAST, Watched, watch
from tests.fixtures.garden import Garden
from tests.fixtures.replays import GAMES_AND_VARIANTS, store

__all__ = ["engine", "site"]


@pytest.fixture(scope="module")
def stored(world: Garden) -> dict[str, str]:
    """A finished table of each game, by the game's name."""
    return {game: store(world, game, 3) for game in GAMES_AND_VARIANTS}


@pytest.fixture
def desktop(chromium: Browser, address: str) -> Iterator[Watched]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    watched = watch(context, address)
    yield watched
    context.close()
    assert watched.faults == []


def step_of(page: Page) -> int:
    return int(page.locator(".at strong").inner_text().removeprefix("Step "))


def expect_step(page: Page, step: int) -> None:
    expect(page.locator(".at strong")).to_have_text(f"Step {step}")


def test_by_buttons(desktop: Watched, stored: dict[str, str]) -> None:
    desktop.open(f"/tables/{stored['seimi/standard']}")
    page = desktop.page
    page.get_by_role("link", name="Watch it on the board").click()
    expect_step(page, 0)
    for name, step in (("Step on", 1), ("Step on", 2), ("Step back", 1), ("To the start", 0)):
        page.get_by_role("link", name=name).click()
        expect_step(page, step)
    page.get_by_role("link", name="To the end").click()
    expect(page.locator("#on")).to_have_attribute("aria-disabled", "true")
    last = step_of(page)
    page.get_by_role("link", name="Turn before").click()
    expect(page.locator("#on")).not_to_have_attribute("aria-disabled", "true")
    assert step_of(page) < last
    page.get_by_label("To step").fill("9")
    page.get_by_role("button", name="Go").click()
    expect_step(page, 9)


def test_by_keys_and_the_address_can_be_shared(desktop: Watched, stored: dict[str, str]) -> None:
    desktop.open(f"/tables/{stored['mushi/standard']}/replay")
    page = desktop.page
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect_step(page, step)
    page.keyboard.press("End")
    expect(page.locator("#on")).to_have_attribute("aria-disabled", "true")
    last = step_of(page)
    page.keyboard.press("ArrowLeft")
    expect_step(page, last - 1)
    expect(page).to_have_url(re.compile(rf"move={last - 1}&view=public$"))
    board = page.locator("#board").inner_html()
    desktop.open(page.url.removeprefix(desktop.address))
    expect_step(page, last - 1)
    assert page.locator("#board").inner_html() == board


def test_whoever_steps_by_keyboard_keeps_the_place(desktop: Watched, stored: dict[str, str]) -> None:
    desktop.open(f"/tables/{stored['mushi/standard']}/replay")
    page = desktop.page
    page.locator("#on").focus()
    for step in (1, 2, 3):
        page.keyboard.press("Enter")
        expect_step(page, step)
        expect(page.locator("#on")).to_be_focused()
    page.locator("#first").focus()
    page.keyboard.press("Enter")
    expect_step(page, 0)
    expect(page.locator("#first")).to_be_focused()


def test_a_match_plays_by_itself_to_its_end(desktop: Watched, stored: dict[str, str]) -> None:
    desktop.open(f"/tables/{stored['morumori/coop']}/replay")
    page = desktop.page
    page.get_by_label("Speed").select_option("fastest")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#said")).to_have_attribute("aria-live", "off")
    expect(page.locator("#on")).to_have_attribute("aria-disabled", "true", timeout=30_000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator("#said")).to_have_attribute("aria-live", "polite")
    page.locator("#play").focus()
    page.keyboard.press("Space")  # from the end: once more
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert step_of(page) < 12


def test_eyes(desktop: Watched, stored: dict[str, str]) -> None:
    desktop.open(f"/tables/{stored['seimi/standard']}/replay?move=6")
    page = desktop.page
    own = page.locator("#board dt", has_text="’s hand")
    expect(own).to_have_count(0)
    page.get_by_role("link", name="everything").click()
    expect(own).to_have_count(3)
    page.locator(".eyes a").nth(2).click()
    expect(own).to_have_count(1)
    expect_step(page, 6)
    page.keyboard.press("ArrowRight")
    expect_step(page, 7)
    expect(own).to_have_count(1)


def test_a_lost_connection_is_said_and_got_over(desktop: Watched, stored: dict[str, str]) -> None:
    desktop.open(f"/tables/{stored['beanstalk/standard']}/replay?move=3")
    page = desktop.page
    page.context.set_offline(True)
    page.keyboard.press("End")
    expect(page.locator("#link")).to_be_visible()
    expect_step(page, 3)
    page.context.set_offline(False)
    page.keyboard.press("End")
    expect(page.locator("#link")).to_be_hidden()
    expect(page.locator("#on")).to_have_attribute("aria-disabled", "true")
    desktop.faults = [fault for fault in desktop.faults if "ERR_INTERNET_DISCONNECTED" not in fault]


def test_without_scripts(chromium: Browser, address: str, stored: dict[str, str]) -> None:
    context = chromium.new_context(java_script_enabled=False)
    watched = watch(context, address)
    watched.open(f"/tables/{stored['seimi/standard']}/replay")
    page = watched.page
    expect(page.locator("#play")).to_be_hidden()
    expect(page.locator("#pace")).to_be_hidden()
    page.get_by_role("link", name="Step on").click()
    expect_step(page, 1)
    page.get_by_label("To step").fill("20")
    page.get_by_role("button", name="Go").click()
    expect_step(page, 20)
    page.get_by_role("link", name="everything").click()
    expect_step(page, 20)
    expect(page.locator("#board dt", has_text="’s hand")).to_have_count(3)
    context.close()
    assert watched.faults == []


@pytest.mark.parametrize("game", GAMES_AND_VARIANTS)
def test_it_fits_and_can_be_read(
    chromium: Browser, address: str, shots: Path, stored: dict[str, str], game: str
) -> None:
    for width, scheme in ((360, "dark"), (1280, "light")):
        context = chromium.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            is_mobile=width == 360,
        )
        watched = watch(context, address)
        for view in ("public", "all"):
            watched.open(f"/tables/{stored[game]}/replay?move=17&view={view}")
            page = watched.page
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate(CONTRAST) == []
            page.screenshot(
                path=shots / f"replay-{game.replace('/', '-')}-{view}-{width}.png", full_page=True
            )
        context.close()
        assert watched.faults == []


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_a_table_in_play_moves_on_by_itself(
    chromium: Browser, site: str, shots: Path, width: int, scheme: str
) -> None:
    guest = Guest(site)
    page = guest.sit_down("morumori/versus", seats="3")
    table = page.url.path.rpartition("/")[2]
    context = chromium.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light"
    )
    watched = watch(context, site)
    watched.open("/tables")
    spectator = watched.page
    spectator.locator(f"#live-tables a[href='/tables/{table}']").click()
    expect(spectator.locator("#board .slot")).to_have_count(45)
    spectator.locator("tbody a, .crumbs a").first.focus()
    spectator.evaluate("document.querySelector('#said').isKept = true")
    before = spectator.locator("#said").inner_text()
    guest.http.post(f"{page.url.path}/move", data=guest.form(page))
    expect(spectator.locator("#said")).not_to_have_text(before, timeout=15_000)
    # a live region must stay the same one to be read out
    assert spectator.evaluate("document.querySelector('#said').isKept")
    assert spectator.evaluate("document.activeElement.tagName") == "A"
    assert spectator.evaluate("document.documentElement.scrollWidth") == width
    assert spectator.evaluate(CONTRAST) == []
    spectator.screenshot(path=shots / f"live-{width}.png", full_page=True)
    guest.http.post(f"{page.url.path}/resign", data=guest.form(page))
    expect(spectator.get_by_role("link", name="Watch it on the board")).to_be_visible(timeout=30_000)
    guest.http.close()
    context.close()
    assert watched.faults == []
