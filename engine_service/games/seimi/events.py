"""What is shown once: the events of seimi.

Everybody sees all of them but two: the hand that a seat is dealt and the card that it takes
from the deck are for that seat alone. Events are made when somebody asks for them; a class
is cheaper to fill than a dict of texts.
"""

from typing import Final

from engine_service.core.game import Sighting, View
from engine_service.games.seimi.cards import CARDS, NAMES, names

ALONE: Final = [[seat] for seat in range(5)]
"""The audience of what one seat sees."""


def first(seat: int) -> Sighting:
    return Sighting({"event": "first", "seat": seat})


def roads(lengths: list[int]) -> Sighting:
    """From the start card to the boss."""
    return Sighting({"event": "roads", "lengths": [*lengths]})


def tokens(line: list[list[int]]) -> Sighting:
    """What lies at each monster, the highest first."""
    return Sighting({"event": "tokens", "line": [[*values] for values in line]})


def hand(seat: int, cards: list[int]) -> Sighting:
    """For that seat alone."""
    return Sighting({"event": "hand", "seat": seat, "cards": names(sorted(cards))}, ALONE[seat])


def deal(hands: list[int], field: list[int], deck: int) -> Sighting:
    """``hands`` are sizes, ``field`` cards, ``deck`` is what is left."""
    return Sighting({"event": "deal", "hands": [*hands], "field": names(field), "deck": deck})


class Step(Sighting):
    """The girl steps ahead: on step ``step`` of the road to that monster (from 1), or before it (0)."""

    def __init__(self, monster: int, step: int) -> None:
        self.monster = monster
        self.step = step

    @property
    def event(self) -> View:
        if self.step:
            return {"event": "step", "monster": self.monster + 1, "step": self.step}
        return {"event": "meet", "monster": self.monster + 1}


class Take(Sighting):
    """A card of the field, or with -1 one of the deck, which is named to its owner alone."""

    def __init__(self, seat: int, card: int) -> None:
        self.seat = seat
        self.card = card

    @property
    def event(self) -> View:
        card = None if self.card < 0 else NAMES[self.card]
        return {"event": "take", "seat": self.seat, "card": card}


class Draw(Sighting):
    """The card that the seat took from the deck; for that seat alone."""

    def __init__(self, seat: int, card: int) -> None:
        self.audience = ALONE[seat]
        self.seat = seat
        self.card = card

    @property
    def event(self) -> View:
        return {"event": "draw", "seat": self.seat, "card": NAMES[self.card]}


DRAWN: Final[list[list[list[Sighting]]]] = [
    [[Draw(seat, card)] for card in range(CARDS)] for seat in range(5)
]
"""By seat and card."""


class Put(Sighting):
    """A card of the hand goes to the field."""

    def __init__(self, seat: int, card: int) -> None:
        self.seat = seat
        self.card = card

    @property
    def event(self) -> View:
        return {"event": "put", "seat": self.seat, "card": NAMES[self.card]}


def refill(cards: list[int]) -> Sighting:
    return Sighting({"event": "refill", "cards": names(cards)})


class Lay(Sighting):
    """A minion is added to its kind's row (``play``), or opens one, behind Parents or not (``open``)."""

    def __init__(self, seat: int, card: int, led: bool, plays: bool) -> None:
        self.seat = seat
        self.card = card
        self.led = led
        self.plays = plays

    @property
    def event(self) -> View:
        if self.plays:
            return {"event": "play", "seat": self.seat, "card": NAMES[self.card]}
        return {"event": "open", "seat": self.seat, "card": NAMES[self.card], "parents": self.led}


class Replace(Sighting):
    """A row of another ability takes the place of the cards ``gone``, which are discarded."""

    def __init__(self, seat: int, card: int, led: bool, gone: list[int]) -> None:
        self.seat = seat
        self.card = card
        self.led = led
        self.gone = gone

    @property
    def event(self) -> View:
        return {
            "event": "replace",
            "seat": self.seat,
            "card": NAMES[self.card],
            "parents": self.led,
            "gone": names(self.gone),
        }


class Done(Sighting):
    """A deployment is finished."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    @property
    def event(self) -> View:
        return {"event": "done", "seat": self.seat}


def declare(monster: int, declared: list[int]) -> Sighting:
    """How many cards of each seat count against the monster."""
    return Sighting({"event": "declare", "monster": monster + 1, "declared": [*declared]})


def award(monster: int, won: list[int], removed: list[int], start: int) -> Sighting:
    """The token of each seat (None: none), those that nobody gets, who starts from now on."""
    return Sighting(
        {
            "event": "award",
            "monster": monster + 1,
            "tokens": [value or None for value in won],
            "removed": [*removed],
            "start": start,
        }
    )


def loss(seat: int, cards: list[int]) -> Sighting:
    """What a winner of a token discards from its rows."""
    return Sighting({"event": "loss", "seat": seat, "cards": names(cards)})


def end(scores: list[int], declared: list[int], ranks: list[int]) -> Sighting:
    return Sighting(
        {"event": "end", "end": "normal", "scores": scores, "declared": [*declared], "ranks": ranks}
    )
