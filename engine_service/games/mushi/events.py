"""What is shown once: the events of mushi. Everybody sees all of them.

Multisets read as in moves: the letters in the order ``R Y G B =``, ``-`` when empty.
"""

from engine_service.core.game import Sighting
from engine_service.games.mushi.counts import TEXTS


def first(seat: int) -> Sighting:
    return Sighting({"event": "first", "seat": seat})


def deal(cards: int) -> Sighting:
    return Sighting({"event": "deal", "cards": TEXTS[cards]})


def target(seat: int, aim: str, owner: int | None) -> Sighting:
    """``aim`` is ``hub`` or ``catch``; ``owner`` is whose catch it is, None for the hub."""
    return Sighting({"event": "target", "seat": seat, "aim": aim, "owner": owner})


def keep(seat: int, kept: int, piled: int) -> Sighting:
    """A catch is collected: ``yard`` went to the yard, ``heap`` face down to the heap."""
    return Sighting({"event": "keep", "seat": seat, "yard": TEXTS[kept], "heap": TEXTS[piled]})


def refill(cards: int) -> Sighting:
    return Sighting({"event": "refill", "cards": TEXTS[cards]})


def boost(seat: int, cards: int, to_hub: bool) -> Sighting:
    to = "hub" if to_hub else "catch"
    return Sighting({"event": "boost", "seat": seat, "cards": TEXTS[cards], "to": to})


def roll(seat: int, dice: int) -> Sighting:
    """``dice`` are the faces showing that are picked up; what they become is told by the next event."""
    return Sighting({"event": "roll", "seat": seat, "dice": TEXTS[dice]})


def success(seat: int, dice: int, won: int, caught: int) -> Sighting:
    """``dice`` are all the dice, ``won`` the cards of this roll, ``caught`` those of the turn so far."""
    return Sighting(
        {"event": "success", "seat": seat, "dice": TEXTS[dice], "won": TEXTS[won], "caught": TEXTS[caught]}
    )


def bust(seat: int, dice: int, over: int, returned: int) -> Sighting:
    """``over`` are the colours with more dice than cards, ``returned`` the turn's catch that goes back."""
    return Sighting(
        {"event": "bust", "seat": seat, "dice": TEXTS[dice], "over": TEXTS[over], "returned": TEXTS[returned]}
    )


def consolation(seat: int, cards: int) -> Sighting:
    return Sighting({"event": "consolation", "seat": seat, "cards": TEXTS[cards]})


def stop(seat: int, caught: int) -> Sighting:
    return Sighting({"event": "stop", "seat": seat, "caught": TEXTS[caught]})


def end(end: str, scores: list[int], ranks: list[int]) -> Sighting:
    return Sighting({"event": "end", "end": end, "scores": scores, "ranks": ranks})
