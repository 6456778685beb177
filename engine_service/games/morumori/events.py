"""What is shown once: the events of morumori. Everybody sees all of them.

Slots are ints, faces their texts. The events that a turn is full of are made when somebody
asks for them; a class is cheaper to fill than a dict.
"""

from typing import Final

from engine_service.core.game import Sighting, View
from engine_service.games.morumori.config import MOST_HOUSES
from engine_service.games.morumori.draws import MOST_SEATS
from engine_service.games.morumori.faces import FACES

OVER_TARGET: Final = "over"
MISSED: Final = "miss"
NO_CARD: Final = "no card"
"""Why an attempt fails: the sum is above the target; a miss; no card is left to turn up."""


def first(seat: int) -> Sighting:
    return Sighting({"event": "first", "seat": seat})


def layout(cards: int) -> Sighting:
    return Sighting({"event": "layout", "cards": cards})


def peek(slots: list[int], faces: list[int]) -> Sighting:
    """Everybody sees these cards once, in the order of ``slots``."""
    return Sighting({"event": "peek", "slots": slots, "faces": [FACES[face] for face in faces]})


TURN_BEGINS: Final = [
    [Sighting({"event": "turn", "seat": seat, "target": target}) for target in range(MOST_HOUSES + 1)]
    for seat in range(MOST_SEATS)
]
"""A seat's turn begins, all cards face down: by the seat and the target."""


class Flip(Sighting):
    """``total`` is the sum with this card, ``up`` how many cards are up, so 1 for a turn's first."""

    def __init__(self, seat: int, slot: int, face: int, total: int, up: int) -> None:
        self.seat = seat
        self.slot = slot
        self.face = face
        self.total = total
        self.up = up

    @property
    def event(self) -> View:
        return {
            "event": "flip",
            "seat": self.seat,
            "slot": self.slot,
            "face": FACES[self.face],
            "total": self.total,
            "up": self.up,
        }


class Success(Sighting):
    """``target`` is the one that was met. ``slots`` have lost their cards, with ``faces``: one of each
    number that was up twice, and the ``=``. ``lives`` are the Good ones now; None in versus."""

    def __init__(self, seat: int, target: int, slots: list[int], faces: list[int], lives: int | None) -> None:
        self.seat = seat
        self.target = target
        self.slots = slots
        self.faces = faces
        self.lives = lives

    @property
    def event(self) -> View:
        return {
            "event": "success",
            "seat": self.seat,
            "target": self.target,
            "slots": [*self.slots],
            "faces": [FACES[face] for face in self.faces],
            "lives": self.lives,
        }


class Failure(Sighting):
    """``why`` is ``over``, ``miss`` or ``no card``; ``lives`` as in :class:`Success`."""

    def __init__(self, seat: int, why: str, total: int, target: int, lives: int | None) -> None:
        self.seat = seat
        self.why = why
        self.total = total
        self.target = target
        self.lives = lives

    @property
    def event(self) -> View:
        return {
            "event": "failure",
            "seat": self.seat,
            "why": self.why,
            "total": self.total,
            "target": self.target,
            "lives": self.lives,
        }


class Take(Sighting):
    """The card leaves the table: to the seat's pile, or in coop to the discard pile (``pile`` is None)."""

    def __init__(self, seat: int, slot: int, face: int, pile: int | None) -> None:
        self.seat = seat
        self.slot = slot
        self.face = face
        self.pile = pile

    @property
    def event(self) -> View:
        return {
            "event": "take",
            "seat": self.seat,
            "slot": self.slot,
            "face": FACES[self.face],
            "pile": self.pile,
        }


class Companion(Sighting):
    """A card is chosen to be mixed with the turned-up x2 and 0."""

    def __init__(self, seat: int, slot: int) -> None:
        self.seat = seat
        self.slot = slot

    @property
    def event(self) -> View:
        return {"event": "companion", "seat": self.seat, "slot": self.slot}


class Scatter(Sighting):
    """The cards of these slots are mixed and lie in the same slots, face down, in an order nobody knows."""

    def __init__(self, seat: int, slots: list[int]) -> None:
        self.seat = seat
        self.slots = slots

    @property
    def event(self) -> View:
        return {"event": "scatter", "seat": self.seat, "slots": [*self.slots]}


def end(end: str, scores: list[int], ranks: list[int], coop: bool) -> Sighting:
    """``coop``: the score is everybody's."""
    return Sighting({"event": "end", "end": end, "scores": scores, "ranks": ranks, "coop": coop})
