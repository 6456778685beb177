"""What a page needs to know of a game beyond its sentences. This class is the plain board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Event = Mapping[str, Any]
View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """A small drawing: the symbol ``kind-symbol`` of the sprite, in the colour of a CSS class."""

    kind: str
    symbol: str
    css: str


class Board:
    """Knows nothing about its game: one chapter, sentences alone."""

    sprite = ""
    """The name of a template that defines the symbols of its pieces; empty: it has none."""

    tie_rule = ""
    """What decides between equal scores, as a clause; empty: not known here."""

    def player_of_turn(self, event: Event) -> int | None:
        """The seat whose turn begins with this event; None: it begins none, or it is everybody's."""
        return None

    def begins_turn(self, event: Event) -> bool:
        """Whether a turn begins with this event: a seat's, or one in which all take part."""
        return self.player_of_turn(event) is not None

    def pieces(self, event: Event) -> list[Piece]:
        """What to draw beside the event's sentence, which must say all of it too."""
        return []

    def tone(self, event: Event) -> str:
        """``good``, ``bad`` or nothing: how the event went for whoever it is about."""
        return ""

    def standings(self, view: View, names: list[str]) -> list[tuple[str, str]]:
        """What the public view says at a turn's end, as short pairs of label and value."""
        return []

    def lay_open(self, public: View, own: Sequence[View], faces: Sequence[str]) -> dict[str, Any]:
        """The public view with all that is hidden in it, for a match that is over.

        ``own``: what each seat sees; ``faces``: what lies on each place, as :meth:`lay_down` has it.
        """
        return dict(public)

    def lay_down(self, faces: list[str], stream: str, reading: View) -> list[str]:
        """What lies on each place after an outcome of chance, given what lay there before it."""
        return faces

    def tie_break(self, view: View, seats: Sequence[int]) -> str:
        """What put seats of equal score into their places, given the last public view and them, best first.

        ``yard 1 beats yard 3``; empty: nothing that the view shows.
        """
        return ""
