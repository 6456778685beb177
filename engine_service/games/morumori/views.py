"""What a seat may see of a position: everything but the faces of the cards that lie face down now."""

from typing import Final

from engine_service.core.game import View
from engine_service.games.morumori.board import Board
from engine_service.games.morumori.faces import FACES
from engine_service.games.morumori.phases import FIRST, OVER, PHASES

FACE_DOWN: Final = "?"
SHOWN: Final[list[str | None]] = [FACE_DOWN] * len(FACES) + [None]
"""By the face: how a slot shows where its card is not turned up."""


def show(board: Board, seat: int | None) -> View:
    """The view; all seats and spectators see the same, but for ``seat``, who is looking.

    ``player`` has the turn (None before the start seat is drawn), ``decides`` owes a
    decision (None: chance, or the end). ``slots`` shows each slot: None empty, ``?`` face
    down, else the face. ``mixed`` are the slots to be scattered, ``owed`` the companions that
    have still to be chosen.
    """
    phase = board.phase
    known = phase != FIRST
    return {
        "seat": seat,
        "state": PHASES[phase],
        "turn": board.turn,
        "start": board.start if known else None,
        "player": board.player if known else None,
        "decides": board.player if board.codes else None,
        "target": min(board.target, board.rules.last),
        "total": board.total,
        "lives": board.good_lives(),
        "slots": _slots(board),
        "up": board.up[:],
        "mixed": board.mixed[:],
        "owed": board.owed,
        "discard": _texts(board.discard),
        "piles": [_texts(pile) for pile in board.piles],
        "scores": board.scores(),
        "end": board.end if phase == OVER else None,
        "ranks": board.ranks() if phase == OVER else None,
    }


def _slots(board: Board) -> list[str | None]:
    faces = board.faces
    shown = [SHOWN[face] for face in faces]
    for slot in board.up:
        shown[slot] = FACES[faces[slot]]
    return shown


def _texts(faces: list[int]) -> list[str]:
    return [FACES[face] for face in faces]
