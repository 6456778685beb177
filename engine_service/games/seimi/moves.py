"""Moves: codes, texts, and what everybody is shown when one is played.

A code is an int below ``CODES``; ascending codes are the canonical order: ``take deck``,
takes from the field, puts, ``done``, then kind by kind ``play``, ``open``,
``open parents+``, ``replace``, ``replace parents+``.
"""

from typing import Final

from engine_service.core.game import NotationError, Sighting
from engine_service.games.seimi.cards import CARDS, NAMES
from engine_service.games.seimi.events import Done, Lay, Put, Take

MOST_SEATS: Final = 5

TAKE_DECK: Final = 0
TAKE_CARD: Final = 1
PUT: Final = TAKE_CARD + CARDS
DONE: Final = PUT + CARDS
LAY: Final = DONE + 1
"""The first way to lay a card down; there are five for each of the sixteen minions."""

PLAY: Final = 0
OPEN: Final = 1
OPEN_LED: Final = 2
REPLACE: Final = 3
REPLACE_LED: Final = 4
FORMS: Final = ("play ", "open ", "open parents+", "replace ", "replace parents+")
CODES: Final = LAY + 4 * len(FORMS) * 4


def lay(kind: int, form: int, ability: int) -> int:
    """The code for laying down that minion in that way."""
    return LAY + (kind * len(FORMS) + form) * 4 + ability


KIND: Final = [max(0, code - LAY) // 20 for code in range(CODES)]
FORM: Final = [max(0, code - LAY) // 4 % 5 for code in range(CODES)]
LAID: Final = [4 * KIND[code] + max(0, code - LAY) % 4 for code in range(CODES)]
"""What a code from ``LAY`` on means, by code."""


def _text(code: int) -> str:
    if code >= LAY:
        return FORMS[FORM[code]] + NAMES[LAID[code]]
    if code == DONE:
        return "done"
    if code >= PUT:
        return f"put {NAMES[code - PUT]}"
    return f"take {NAMES[code - TAKE_CARD]}" if code else "take deck"


TEXTS: Final = [_text(code) for code in range(CODES)]
CODE_OF: Final = {text: code for code, text in enumerate(TEXTS)}


def format_move(code: int) -> str:
    """The text of a code that :func:`parse_move` gives."""
    return TEXTS[code]


def parse_move(move: str) -> int:
    """The code of a text, exactly as :func:`format_move` writes it; NotationError for any other."""
    code = CODE_OF.get(move)
    if code is None:
        raise NotationError(
            f"{move[:60]!r} is no move of seimi; moves read: take deck, take fly-blade, put dog-gun, "
            "play fly-blade, open fly-blade, open parents+fly-blade, replace fly-gun, "
            "replace parents+fly-gun, done"
        )
    return code


def _shown(code: int, seat: int) -> list[Sighting]:
    if code >= LAY:
        return [Lay(seat, LAID[code], FORM[code] == OPEN_LED, FORM[code] == PLAY)]
    if code == DONE:
        return [Done(seat)]
    return [Put(seat, code - PUT)] if code >= PUT else [Take(seat, code - TAKE_CARD)]


SHOWN: Final = [[_shown(code, seat) for code in range(CODES)] for seat in range(MOST_SEATS)]
"""What everybody is shown, by seat and code; a replacement's event is made when it is played."""
