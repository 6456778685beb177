"""The replay viewer's page: one frame of a finished match, and the ways on from there."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from engine_service.core.replay import Lie
from storage import results, tables
from storage.database import Database
from storage.rows import DONE
from web.errors import PageError
from web.reading.games import title_of
from web.viewing.drawing import Drawing, draw
from web.viewing.film import EVERYTHING, PUBLIC, Film, Frame, Said, film_of
from web.words import count

log = logging.getLogger(__name__)

WITHHELD = "This replay is published when the last table on the same deal has ended."
STORY_MOVES = 6000
"""A longer match is neither told nor drawn on a page: it can be downloaded."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Through whose eyes the match may be watched; ``key`` as in the address."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Ways:
    """The steps that can be gone to from here; None: there is none that way."""

    first: int | None
    turn_back: int | None
    back: int | None
    on: int | None
    turn_on: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class FilmScene:
    """``step``: the replay's number of what has just happened, of ``last``. ``whose``: the turn's player."""

    table: str
    title: str
    variant: str
    viewer: str
    viewers: Sequence[Viewer]
    step: int
    last: int
    turn: int
    whose: str
    said: Sequence[Said]
    unseen: bool
    drawing: Drawing
    ways: Ways


def film_page(database: Database, table_id: str, step: int | None, viewer: str) -> FilmScene | None:
    """A finished match at a step (None: its start) as a viewer saw it. None if it is not finished.

    NotFound if there is no such table; PageError for a replay that may not be seen, or shown, or a viewer
    that was not there.
    """
    with database.reading() as tx:
        table = tables.find(tx, table_id)
        result = results.get(tx, table_id) if table.state == DONE else None
    if result is None:
        return None
    if result.replay is None:
        raise PageError(404, WITHHELD)
    if result.played.moves > STORY_MOVES:
        raise PageError(404, too_long(result.played.moves))
    try:
        film = film_of(result.replay)
    except Lie as lie:
        log.exception("the stored replay of table %s does not follow", table_id)
        raise PageError(
            404, f"This replay does not follow from its seed and the rules as they are here: {lie}"
        ) from lie
    if viewer not in film.viewers:
        seats = len(film.names)
        raise PageError(
            404, f"Nobody watched so: view is {PUBLIC}, {EVERYTHING}, or a seat from 0 to {seats - 1}."
        )
    return _scene(table_id, (title_of(table.game), table.variant), film, step or 0, viewer)


def too_long(moves: int) -> str:
    """Why a match of so many moves is not on a page."""
    return f"With {count(moves, 'move')} this match is too long for a page; it can be downloaded."


def _scene(table: str, title: tuple[str, str], film: Film, step: int, viewer: str) -> FilmScene:
    at = film.index(step)
    frame = film.frames[at]
    said = [one for one in frame.said if one.is_for(viewer)]
    return FilmScene(
        table,
        *title,
        viewer=viewer,
        viewers=[Viewer(key, _viewer_name(film, key)) for key in film.viewers],
        step=frame.n,
        last=film.frames[-1].n,
        turn=frame.turn,
        whose="" if frame.player is None else film.names[frame.player],
        said=said,
        unseen=len(said) < len(frame.said),
        drawing=draw(film.game, film.view(frame, viewer), film.names),
        ways=_ways(film.frames, at),
    )


def _viewer_name(film: Film, key: str) -> str:
    return {PUBLIC: "public", EVERYTHING: "everything"}.get(key) or film.names[int(key)]


def _ways(frames: Sequence[Frame], at: int) -> Ways:
    here, end = frames[at], len(frames) - 1
    begins = [one.n for one, before in zip(frames[1:], frames, strict=False) if one.turn != before.turn]
    earlier, later = [n for n in begins if n < here.n], [n for n in begins if n > here.n]
    return Ways(
        first=frames[0].n if at else None,
        turn_back=earlier[-1] if earlier else frames[0].n if at else None,
        back=frames[at - 1].n if at else None,
        on=frames[at + 1].n if at < end else None,
        turn_on=later[0] if later else frames[end].n if at < end else None,
        last=frames[end].n if at < end else None,
    )
