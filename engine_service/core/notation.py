"""A game's move texts, each made once."""

from collections.abc import Sequence

from engine_service.core.game import Game, NotationError

LONGEST = 256
"""No move of any game is longer than this many characters."""

_SHOWN = 8
_LISTS = 4_000  # whole lists that are remembered


class Notation:
    """The texts of one game's moves, remembered from one match to the next.

    ``codes`` are those of the texts that have been made so far.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._texts: dict[int, str] = {}
        self._lists: dict[tuple[int, ...], list[str]] = {}  # the same decisions come again and again
        self.codes: dict[str, int] = {}

    def text(self, code: int) -> str:
        """The text of a move."""
        known = self._texts.get(code)
        return self._learn(code) if known is None else known

    def texts(self, codes: Sequence[int]) -> list[str]:
        """The texts of moves, in their order."""
        key = tuple(codes)
        known = self._lists.get(key)
        return self._learn_list(key) if known is None else known[:]

    def code(self, text: str) -> int:
        """The code of a text; NotationError, saying why, if none of the game's moves reads so."""
        known = self.codes.get(text)
        if known is not None:
            return known
        if len(text) > LONGEST:
            raise NotationError(f"{len(text)} characters are no move; the longest has {LONGEST}")
        return self._game.parse(text)

    def _learn_list(self, codes: tuple[int, ...]) -> list[str]:
        if len(self._lists) >= _LISTS:
            self._lists.clear()
        texts = self._lists[codes] = [self.text(code) for code in codes]
        return texts[:]

    def _learn(self, code: int) -> str:
        text = self._game.format(code)
        self._texts[code] = text
        self.codes[text] = code
        return text


_NOTATIONS: dict[Game, Notation] = {}


def notation_of(game: Game) -> Notation:
    """The game's notation; the same object for the same game."""
    if game not in _NOTATIONS:
        _NOTATIONS[game] = Notation(game)
    return _NOTATIONS[game]


def enumerate_some(texts: Sequence[str]) -> str:
    """``4 moves: a, b, c, d``, cut short after a few, for messages."""
    shown = ", ".join(texts[:_SHOWN])
    rest = len(texts) - _SHOWN
    more = f" and {rest} more" if rest > 0 else ""
    return f"{len(texts)} move{'' if len(texts) == 1 else 's'}: {shown}{more}"
