"""Page numbers and addresses."""

import pytest

from web import links
from web.paging import Page


@pytest.mark.parametrize(
    ("number", "total", "last", "exists"),
    [
        (1, 0, 1, True),
        (1, 50, 1, True),
        (2, 50, 1, False),
        (2, 51, 2, True),
        (0, 51, 2, False),
        (10**30, 51, 2, False),
    ],
)
def test_page(number: int, total: int, last: int, exists: bool) -> None:
    page = Page(number, 50, total)
    assert (page.last, page.exists) == (last, exists)


@pytest.mark.parametrize(
    ("number", "near"),
    [(1, [1, 2, None, 9]), (2, [1, 2, 3, None, 9]), (5, [1, None, 4, 5, 6, None, 9]), (9, [1, None, 8, 9])],
)
def test_near(number: int, near: list[int | None]) -> None:
    assert Page(number, 10, 90).near == near


def test_names_cannot_leave_their_place_in_an_address() -> None:
    path = links.player_path("mushi/standard", "a/b", '"><script>?#')
    assert path == "/ladders/mushi/standard/players/a%2Fb/%22%3E%3Cscript%3E%3F%23"
    assert links.query(q="a&b=c", page=2, none=None, empty="") == "?q=a%26b%3Dc&page=2"
