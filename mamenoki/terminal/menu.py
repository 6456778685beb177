"""What a person may answer, and what is meant by what was typed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

FEW = 16
"""So many moves are listed with numbers; more are told by their kinds."""
EXAMPLES = 4
SUGGESTIONS = 6


class Misread(ValueError):
    """What was typed is no move; the message says what could be meant."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The legal moves of one decision, in canonical order."""

    legal: Sequence[str]

    @property
    def is_long(self) -> bool:
        """Whether there are too many to be listed unasked."""
        return len(self.legal) > FEW

    @property
    def _by_number(self) -> bool:
        """Whether all moves are one verb with a number: then a number means that move, not its place."""
        words = [move.split(" ") for move in self.legal]
        return len({verb for verb, *_ in words}) == 1 and all(
            len(rest) == 1 and rest[0].isdecimal() for _, *rest in words
        )

    def lines(self) -> list[str]:
        """Every move with its number, or what kinds there are of many."""
        return self._kinds() if self.is_long else self.numbered("")

    def numbered(self, beginning: str) -> list[str]:
        """The moves that begin so, each with its number unless it names one itself."""
        if self._by_number:
            return [f"  {move}" for move in self.legal if move.startswith(beginning)]
        return [
            f"{number:>3}  {move}" for number, move in enumerate(self.legal, 1) if move.startswith(beginning)
        ]

    def meant(self, typed: str) -> str:
        """The legal move that was typed: its number, its text, or what follows a verb that all share.

        Letters may come in any order and case. Misread, with what is near, if it is none.
        """
        text = " ".join(typed.split())
        if text.isdecimal() and not self._by_number:
            return self._numbered(int(text))
        spelled = {_spelling(move): move for move in self.legal}
        verbs = {move.partition(" ")[0] for move in self.legal}
        shared = f"{next(iter(verbs))} " if len(verbs) == 1 else ""
        for candidate in (text, shared + text):
            if _spelling(candidate) in spelled:
                return spelled[_spelling(candidate)]
        raise Misread(self._no_move(text))

    def _numbered(self, number: int) -> str:
        if 1 <= number <= len(self.legal):
            return self.legal[number - 1]
        raise Misread(f"there is no move {number}; they are numbered 1 to {len(self.legal)}")

    def _no_move(self, text: str) -> str:
        near = [move for move in self.legal if move.lower().startswith(text.lower())]
        near = near or get_close_matches(text, self.legal, SUGGESTIONS, 0.5)
        if not near:
            return f"{text!r} may not be played now; `list` shows all that may"
        more = f" and {len(near) - SUGGESTIONS} more" if len(near) > SUGGESTIONS else ""
        return f"{text!r} may not be played now; did you mean {', '.join(near[:SUGGESTIONS])}{more}?"

    def _kinds(self) -> list[str]:
        counts = Counter(move.partition(" ")[0] for move in self.legal)
        return [self._kind(verb, count) for verb, count in counts.items()]

    def _kind(self, verb: str, count: int) -> str:
        moves = [move for move in self.legal if move.partition(" ")[0] == verb]
        told = ", ".join(moves[:EXAMPLES])
        return told if count <= EXAMPLES else f"{told}, … {moves[-1]} ({count} of them; `list {verb}`)"


def _spelling(move: str) -> str:
    """What two ways to type one move have in common: no case, and no order among a word's letters."""
    verb, _, rest = move.lower().partition(" ")
    return f"{verb} {rest}" if any(sign.isdigit() for sign in rest) else f"{verb} {''.join(sorted(rest))}"
