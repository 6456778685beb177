"""A view drawn for whoever only looks on, and the sentences that belong to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine_service.core.game import View
from engine_service.games import GAMES
from web.boards import board_of
from web.playing.scenery import Group, Slot, groups_of, slots_of
from web.viewing.film import Said


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board with all that its viewer may know of it. ``sprite``: the template with its symbols, if any."""

    groups: Sequence[Group]
    slots: Sequence[Slot]
    sprite: str


@dataclass(frozen=True, slots=True)
class LiveScene:
    """A table in play as everybody may see it, and what was last shown to everybody, newest last."""

    drawing: Drawing
    news: Sequence[Said]


def draw(game: str, view: View, names: Sequence[str]) -> Drawing:
    """A view on its board; what its seat alone sees is named after the seat."""
    seat = view.get("seat")
    own = "" if seat is None else f"{names[seat]}’s"
    return Drawing(groups_of(game, view, names, own), slots_of(game, view, ()), board_of(game).sprite)


def live_scene(game: str, view: View, events: Sequence[View], names: Sequence[str]) -> LiveScene:
    """A table in play, from its public view and the latest public sightings."""
    board, tell = board_of(game), GAMES[game].tell
    news = [
        Said(tell(event, names.__getitem__), board.tone(event), board.pieces(event), None) for event in events
    ]
    return LiveScene(draw(game, view, names), news)
