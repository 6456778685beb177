"""Templates: one environment, everything escaped, a missing value is an error."""

from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from web import links, words
from web.assets import Assets

FOLDER = Path(__file__).parent / "templates"

SECTIONS = (
    ("/play", "Play"),
    ("/ladders", "Ladders"),
    ("/tables", "Tables"),
    ("/leagues", "Leagues"),
    ("/events", "Events"),
    ("/games", "Games"),
)


class Renderer:
    """Turns a template's name and its values into an answer."""

    def __init__(self, assets: Assets) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER),
            autoescape=True,  # for every template, whatever its ending
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals.update(_globals(assets))
        self._environment.filters.update(_filters())

    def page(self, request: Request, template: str, status: int = 200, **values: Any) -> Response:
        """A whole page; ``no-cache``, since what it shows moves on."""
        html = self._environment.get_template(template).render(here=request.scope["path"], **values)
        return HTMLResponse(html, status_code=status, headers={"Cache-Control": "no-cache"})


def _globals(assets: Assets) -> dict[str, Any]:
    return {
        "sections": SECTIONS,
        "asset": assets.address,
        "count": words.count,
        "query": links.query,
        "ladder_path": links.ladder_path,
        "player_path": links.player_path,
        "table_path": links.table_path,
        "replay_path": links.replay_path,
        "league_path": links.league_path,
        "event_path": links.event_path,
        "owner_calendar_path": links.owner_calendar_path,
        "game_path": links.game_path,
        "play_path": links.play_path,
    }


def _filters() -> dict[str, Any]:
    return {
        "shown_name": words.shown_name,
        "machine_time": words.machine_time,
        "full_time": words.full_time,
        "relative_time": words.relative_time,
        "duration": words.duration,
        "ordinal": words.ordinal,
        "figure": words.figure,
        "change": words.change,
        "listing": words.listing,
        "shown_message": words.shown_message,
    }
