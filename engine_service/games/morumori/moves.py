"""Moves: a verb and a slot, as code and as text.

A code is the slot, plus 128 for ``take`` and 256 for ``scatter``.
"""

from typing import Final

from engine_service.core.game import NotationError
from engine_service.games.morumori.faces import MOST_SLOTS

TAKE: Final = 128
SCATTER: Final = 256
SLOT: Final = TAKE - 1

VERBS: Final = ("flip", "take", "scatter")
TEXTS: Final = [[f"{verb} {slot}" for slot in range(MOST_SLOTS)] for verb in VERBS]
CODES: Final = {
    text: TAKE * verb + slot for verb, texts in enumerate(TEXTS) for slot, text in enumerate(texts)
}


def format_move(code: int) -> str:
    """The text of a code that :func:`parse_move` gives."""
    return TEXTS[code >> 7][code & SLOT]


def parse_move(text: str) -> int:
    """The code of a text, exactly as :func:`format_move` writes it; NotationError for any other."""
    code = CODES.get(text)
    if code is None:
        raise NotationError(
            f"{text[:60]!r} is no move of morumori; moves read: flip 17, take 17, scatter 17 "
            f"(a slot from 0 to {MOST_SLOTS - 1}, one space before it)"
        )
    return code
