"""Addresses of our own pages. Every name in them is percent-encoded, slashes too."""

from urllib.parse import quote, urlencode


def ladder_path(ladder: str) -> str:
    """``/ladders/mushi/standard`` for the ladder ``mushi/standard``."""
    return f"/ladders/{quote(ladder)}"


def player_path(ladder: str, owner: str, name: str) -> str:
    """A player's page on a ladder."""
    return f"{ladder_path(ladder)}/players/{quote(owner, safe='')}/{quote(name, safe='')}"


def table_path(table: str) -> str:
    return f"/tables/{quote(table, safe='')}"


def replay_path(table: str, move: int | None = None, view: str = "") -> str:
    """A finished match on the board, at a step of its replay, through somebody's eyes."""
    return f"{table_path(table)}/replay{query(move=move, view=view)}"


def league_path(league: int) -> str:
    return f"/leagues/{league}"


def event_path(event: int) -> str:
    return f"/events/{event}"


def owner_calendar_path(owner: str) -> str:
    """The calendar of an owner's players."""
    return f"/owners/{quote(owner, safe='')}/calendar.ics"


def game_path(game: str) -> str:
    return f"/games/{quote(game, safe='')}"


def match_path(game: str) -> str:
    """The match of a game that is told line by line."""
    return f"{game_path(game)}/match"


def play_path(table: str) -> str:
    """A guest's own page of a table that is played in the browser."""
    return f"/play/tables/{quote(table, safe='')}"


def query(**values: str | int | None) -> str:
    """``?q=x&page=2`` from what is given and not empty; else nothing."""
    given = {key: value for key, value in values.items() if value not in (None, "")}
    return f"?{urlencode(given)}" if given else ""
