"""What is shown once: the events of mushi. Everybody sees all of them.

Multisets read as in moves: the letters in the order ``R Y G B =``, ``-`` when empty.
The events that a turn is full of are made when somebody asks for them; a class is
cheaper to fill than a dict of texts.
"""

from engine_service.core.game import Sighting, View
from engine_service.games.mushi.counts import BUGS, TEXTS, excess


def first(seat: int) -> Sighting:
    return Sighting({"event": "first", "seat": seat})


def deal(cards: int) -> Sighting:
    return Sighting({"event": "deal", "cards": TEXTS[cards]})


class Target(Sighting):
    """``aim`` is ``hub`` or ``catch``; ``owner`` is whose catch it is, None for the hub."""

    def __init__(self, seat: int, aim: str, owner: int | None) -> None:
        self.seat = seat
        self.aim = aim
        self.owner = owner

    @property
    def event(self) -> View:
        return {"event": "target", "seat": self.seat, "aim": self.aim, "owner": self.owner}


def keep(seat: int, kept: int, piled: int) -> Sighting:
    """A catch is collected: ``yard`` went to the yard, ``heap`` face down to the heap."""
    return Sighting({"event": "keep", "seat": seat, "yard": TEXTS[kept], "heap": TEXTS[piled]})


def refill(cards: int) -> Sighting:
    return Sighting({"event": "refill", "cards": TEXTS[cards]})


class Boost(Sighting):
    """``to`` is ``hub`` or ``catch``."""

    def __init__(self, seat: int, cards: int, to: str) -> None:
        self.seat = seat
        self.cards = cards
        self.to = to

    @property
    def event(self) -> View:
        return {"event": "boost", "seat": self.seat, "cards": TEXTS[self.cards], "to": self.to}


class Roll(Sighting):
    """``dice`` are the faces showing that are picked up; what they become is told by the next event."""

    def __init__(self, seat: int, dice: int) -> None:
        self.seat = seat
        self.dice = dice

    @property
    def event(self) -> View:
        return {"event": "roll", "seat": self.seat, "dice": TEXTS[self.dice]}


class Success(Sighting):
    """``dice`` are all the dice, ``won`` the cards of this roll, ``caught`` those of the turn so far."""

    def __init__(self, seat: int, dice: int, caught: int) -> None:
        self.seat = seat
        self.dice = dice
        self.caught = caught

    @property
    def event(self) -> View:
        return {
            "event": "success",
            "seat": self.seat,
            "dice": TEXTS[self.dice],
            "won": TEXTS[self.dice & BUGS],
            "caught": TEXTS[self.caught],
        }


class Bust(Sighting):
    """``over`` are the colours with more dice than the group has cards, ``returned`` the turn's catch."""

    def __init__(self, seat: int, dice: int, group: int, returned: int) -> None:
        self.seat = seat
        self.dice = dice
        self.group = group
        self.returned = returned

    @property
    def event(self) -> View:
        return {
            "event": "bust",
            "seat": self.seat,
            "dice": TEXTS[self.dice],
            "over": TEXTS[excess(self.dice, self.group)],
            "returned": TEXTS[self.returned],
        }


def consolation(seat: int, cards: int) -> Sighting:
    return Sighting({"event": "consolation", "seat": seat, "cards": TEXTS[cards]})


def stop(seat: int, caught: int) -> Sighting:
    return Sighting({"event": "stop", "seat": seat, "caught": TEXTS[caught]})


def end(end: str, scores: list[int], ranks: list[int]) -> Sighting:
    return Sighting({"event": "end", "end": end, "scores": scores, "ranks": ranks})
