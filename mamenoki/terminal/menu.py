"""What a person may answer, and what is meant by what was typed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from mamenoki.terminal.boards.board import WIDTH, wrapped

FEW = 16
"""So many moves are listed with numbers; more are told by their kinds."""
EXAMPLES = 4
SUGGESTIONS = 6
LONGEST = 40
"""What is typed beyond so many characters is looked at no closer: no move is that long."""


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
        """The moves that begin so, in whatever case; each with its number unless it names one itself."""
        cells = [
            f"  {move}" if self._by_number else f"{number:>3}  {move}"
            for number, move in enumerate(self.legal, 1)
            if move.lower().startswith(beginning.lower())
        ]
        return cells if len(cells) <= FEW else _side_by_side(cells)

    def meant(self, typed: str) -> str:
        """The legal move that was typed: its number, its text, or what follows a verb that all share.

        Letters may come in any order and case. Misread, with what is near, if it is none.
        """
        text = " ".join(typed.split())
        if text in self.legal:
            return text
        if len(text) > LONGEST:
            raise Misread(f"{len(text)} characters are no move; `list` shows all that may be played")
        if text.isdecimal() and not self._by_number:
            return self._numbered(int(text))
        for candidate in (text, self._shared_verb + text):
            alike = [move for move in self.legal if _spelling(move) == _spelling(candidate)]
            if len(alike) > 1:
                raise Misread(f"{text!r} could be {' or '.join(alike)}; type it as it is written there")
            if alike:
                return alike[0]
        raise Misread(self._no_move(text))

    @property
    def _shared_verb(self) -> str:
        """``keep `` where every move begins so; empty where there are several verbs."""
        verbs = {move.partition(" ")[0] for move in self.legal}
        return f"{next(iter(verbs))} " if len(verbs) == 1 else ""

    def _numbered(self, number: int) -> str:
        if 1 <= number <= len(self.legal):
            return self.legal[number - 1]
        raise Misread(f"there is no move {number}; they are numbered 1 to {len(self.legal)}")

    def _no_move(self, text: str) -> str:
        begins = (text.lower(), (self._shared_verb + text).lower())
        near = [move for move in self.legal if move.lower().startswith(begins)]
        near = near or get_close_matches(text, self.legal, SUGGESTIONS, 0.5)
        if not near:
            return f"{text!r} may not be played now; `list` shows all that may"
        more = f" and {len(near) - SUGGESTIONS} more" if len(near) > SUGGESTIONS else ""
        return f"{text!r} may not be played now; did you mean {', '.join(near[:SUGGESTIONS])}{more}?"

    def _kinds(self) -> list[str]:
        counts = Counter(move.partition(" ")[0] for move in self.legal)
        return [line for verb, count in counts.items() for line in self._kind(verb, count)]

    def _kind(self, verb: str, count: int) -> list[str]:
        moves = [move for move in self.legal if move.partition(" ")[0] == verb]
        told = [f"{move}," for move in moves[:EXAMPLES]]
        if count <= EXAMPLES:
            return wrapped("", [*told[:-1], moves[count - 1]])
        return wrapped("", [*told, "…", moves[-1], f"({count} of them; `list {verb}`)"])


def _spelling(move: str) -> str:
    """What two ways to type one move have in common: no case, and no order among a word's letters."""
    verb, _, rest = move.lower().partition(" ")
    return f"{verb} {rest}" if any(sign.isdigit() for sign in rest) else f"{verb} {''.join(sorted(rest))}"


def _side_by_side(cells: Sequence[str]) -> list[str]:
    """Three spaces apart, row by row."""
    width = max(map(len, cells)) + 3
    across = max(1, (WIDTH + 3) // width)
    rows = [cells[start : start + across] for start in range(0, len(cells), across)]
    return ["".join(cell.ljust(width) for cell in row).rstrip() for row in rows]
