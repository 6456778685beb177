"""A game's README as a page. HTML in it is shown as text, never passed on."""

from functools import lru_cache
from importlib.resources import files

from markdown_it import MarkdownIt
from markupsafe import Markup

from engine_service.games import GAMES

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=64)
def rules_page(game: str) -> Markup:
    """The rules of a game in HTML; empty where its folder has no README.

    KeyError for a game that there is not.
    """
    GAMES[game]
    readme = files(f"engine_service.games.{game}").joinpath("README.md")
    if not readme.is_file():
        return Markup()
    tokens = _MARKDOWN.parse(readme.read_text(encoding="utf-8"))
    for token in tokens:
        if token.attrs.pop("style", None):  # right-aligned columns; the page allows no inline style
            token.attrSet("class", "number")
    # html is off: markdown-it escapes all text and drops links that run scripts
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))  # noqa: S704
