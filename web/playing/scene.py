"""What the page of a person's seat shows, from where the seat stands."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine_service.games import GAMES
from mamenoki.sdk.bot import Seat
from mamenoki.sdk.replays import short_names
from web.boards import board_of
from web.boards.board import Piece
from web.playing.parlour import Sitting
from web.playing.person import Standing
from web.playing.scenery import Group, Slot, groups_of, slots_of
from web.words import count, ordinal, shown_name

FEW = 24
"""So many moves are buttons; of more one is chosen from a list, and then played."""


@dataclass(frozen=True, slots=True)
class News:
    """A sentence of what has just happened, and what was drawn with it."""

    sentence: str
    tone: str
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """The moves that begin with one word."""

    verb: str
    moves: Sequence[str]


@dataclass(frozen=True, slots=True)
class SeatScene:
    """``left_s``: seconds on the clock; None: it does not run. ``headline``: what is to be done, or how it ended."""

    table: str
    title: str
    version: int
    headline: str
    is_over: bool
    is_lost: bool
    decision: int
    left_s: int | None
    news: Sequence[News]
    groups: Sequence[Group]
    slots: Sequence[Slot]
    moves: Sequence[str]
    lists: Sequence[MoveGroup]
    sprite: str
    said: str
    may_resign: bool


def scene_of(sitting: Sitting, standing: Standing) -> SeatScene:
    """The page of a seat as it stands."""
    seat, decision = standing.seat, standing.decision
    game = "" if seat is None else seat.game
    legal = decision.legal if decision is not None and standing.is_open else ()
    names = [] if seat is None else _names(seat)
    slots = [] if decision is None else slots_of(game, decision.view, legal)
    loose = [move for move in legal if move not in {slot.move for slot in slots}]
    return SeatScene(
        table=sitting.table,
        title=GAMES[game].card.title if game else "Your table",
        version=standing.version,
        headline=_headline(standing),
        is_over=standing.is_over,
        is_lost=bool(standing.lost),
        decision=0 if decision is None else decision.id,
        left_s=_left_s(standing),
        news=_news(game, standing, names),
        groups=[] if decision is None else groups_of(game, decision.view, names),
        slots=slots,
        moves=loose if len(loose) <= FEW else (),
        lists=_by_verb(loose) if len(loose) > FEW else (),
        sprite=board_of(game).sprite,
        said=standing.said if decision is not None and not standing.is_open else "",
        may_resign=seat is not None and not standing.is_over and not standing.resigning,
    )


def _names(seat: Seat) -> list[str]:
    names = [shown_name(name) for name in short_names(seat.players)]
    return [f"{name} (you)" if place == seat.seat else name for place, name in enumerate(names)]


def _headline(standing: Standing) -> str:
    if standing.lost:
        return standing.lost
    if standing.result is not None:
        return _ending(standing)
    if standing.resigning:
        return "You have given up your seat. The others play on."
    if standing.seat is None:
        return "The table is being laid."
    return "Your move." if standing.is_open else "The others are thinking."


def _ending(standing: Standing) -> str:
    seat, result = standing.seat, standing.result
    assert seat is not None  # noqa: S101  # tells mypy: a result has a seat
    assert result is not None  # noqa: S101  # as above
    if result.forfeit:
        return "The match is over. You had given up your seat, and come last."
    if not result.placements:
        return "The match is over and counts for nobody."
    score = result.scores[seat.seat]
    if len(result.placements) == 1 or len(set(result.placements)) == 1:
        return f"The match is over. All share the result: {count(score, 'point')}."
    place = ordinal(result.placements[seat.seat] + 1)
    return f"The match is over. You are {place} of {len(result.placements)}, with {count(score, 'point')}."


def _left_s(standing: Standing) -> int | None:
    if not standing.is_open or standing.due is None:
        return None
    return max(0, int(standing.due - time.monotonic()))


def _news(game: str, standing: Standing, names: Sequence[str]) -> list[News]:
    if not game:
        return []
    board, tell = board_of(game), GAMES[game].tell
    return [
        News(tell(event, names.__getitem__), board.tone(event), board.pieces(event))
        for event in standing.news
    ]


def _by_verb(moves: Sequence[str]) -> list[MoveGroup]:
    verbs: dict[str, list[str]] = {}
    for move in moves:
        verbs.setdefault(move.partition(" ")[0], []).append(move)
    return [MoveGroup(verb, found) for verb, found in verbs.items()]
