"""Moves: codes and texts, and the lists of those that are legal.

A code is the number of the card to play, or one of the two decks to draw from. So every
list in ascending order is in canonical order, and its first is what the clock plays.
"""

from typing import Final

from engine_service.core.game import NotationError

STABLE: Final = 6
GAMBLE: Final = 7
TEXTS: Final = ("", "play 1", "play 2", "play 3", "play 4", "play 5", "draw stable", "draw gamble")
CODES: Final = {text: code for code, text in enumerate(TEXTS) if text}

BITS: Final = [1 << code for code in range(8)]
FULL_HAND: Final = 0b111110
"""A hand is a set of cards: bit 1 for card 1, up to bit 5."""

HANDS: Final = [[card for card in range(1, 6) if hand >> card & 1] for hand in range(64)]
"""The cards of a hand, ascending: the legal codes."""

DRAWS: Final = [[], [STABLE], [GAMBLE], [STABLE, GAMBLE]]
"""The legal codes of a draw; 1 for a stable deck that has cards, and 2 for such a gamble deck."""


def format_move(code: int) -> str:
    """The text of a code that :func:`parse_move` gives."""
    return TEXTS[code]


def parse_move(move: str) -> int:
    """The code of a text, exactly as :func:`format_move` writes it; NotationError for any other."""
    code = CODES.get(move)
    if code is None:
        raise NotationError(
            f"{move[:60]!r} is no move of beanstalk; moves read: play 1 to play 5, draw stable, draw gamble"
        )
    return code
