"""A game's texts as pages: its README, and the match that is told. HTML in them is shown as text, never passed on."""

from functools import lru_cache
from importlib.resources import files

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from engine_service.games import GAMES
from web.links import game_path, match_path

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
README, MATCH = "README.md", "MATCH.md"


@lru_cache(maxsize=64)
def rules_page(game: str) -> Markup:
    """The rules of a game in HTML; empty where its folder has no README.

    KeyError for a game that there is not.
    """
    return _page(game, README)


@lru_cache(maxsize=64)
def match_page(game: str) -> Markup:
    """A match of the game, told line by line; empty where its folder has none. KeyError as above."""
    return _page(game, MATCH)


def _page(game: str, name: str) -> Markup:
    GAMES[game]
    text = files(f"engine_service.games.{game}").joinpath(name)
    if not text.is_file():
        return Markup()
    tokens = _MARKDOWN.parse(text.read_text(encoding="utf-8"))
    pages = {README: game_path(game), MATCH: match_path(game)}
    for token in tokens:
        if token.attrs.pop("style", None):  # right-aligned columns; the page allows no inline style
            token.attrSet("class", "number")
        token.children = _linked(token.children, pages)
    # html is off: markdown-it escapes all text and drops links that run scripts
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))  # noqa: S704


def _linked(tokens: list[Token] | None, pages: dict[str, str]) -> list[Token] | None:
    """Links between a game's texts lead to their pages; those to other files of the repository are text alone."""
    if tokens is None:
        return None
    kept: list[Token] = []
    dropped = 0
    for token in tokens:
        target = str(token.attrGet("href") or "")
        if token.type == "link_open" and target in pages:
            token.attrSet("href", pages[target])
        if token.type == "link_open" and "://" not in target and target not in pages:
            dropped += 1
        elif token.type == "link_close" and dropped:
            dropped -= 1
        else:
            kept.append(token)
    return kept
