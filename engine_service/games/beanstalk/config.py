"""The settings of beanstalk, with their defaults, and the same as typed attributes."""

from collections.abc import Callable
from typing import Final

from engine_service.core.game import Config, Json, Setting, Sighting
from engine_service.games.beanstalk.draws import MOST_SEATS
from engine_service.games.beanstalk.events import NOBODY_HUMAN, Move
from engine_service.games.beanstalk.treasures import KINDS, MOST_OF_A_KIND, pack


def whole(low: int, high: int) -> Callable[[Json], str | None]:
    """A check for an int in a range, both ends included; True and False are no ints here."""

    def check(value: Json) -> str | None:
        good = type(value) is int and low <= value <= high
        return None if good else f"an int from {low} to {high}"

    return check


def switch(value: Json) -> str | None:
    """A check for True or False."""
    return None if type(value) is bool else "true or false"


def deck(value: Json) -> str | None:
    """A check for a deck: how many cards there are of each kind, kinds left out counting 0."""
    if type(value) is dict and all(_fits(kind, cards) for kind, cards in value.items()):
        return None
    return f"an object with ints from 0 to {MOST_OF_A_KIND} under any of {', '.join(KINDS)}"


def _fits(kind: str, cards: Json) -> bool:
    return kind in KINDS and type(cards) is int and 0 <= cards <= MOST_OF_A_KIND


SETTINGS = [
    Setting("n", 10, whole(8, 40)),
    Setting("win_points", 8, whole(1, 100)),
    Setting("stable", {"silver": 6, "thief": 2}, deck),
    Setting("gamble", {"gold": 2, "silver": 2, "bronze": 2, "tornado": 2}, deck),
    Setting("ground_stop", False, switch),
    Setting("batted_return_wins", True, switch),
    Setting("turn_limit", 200, whole(1, 2_000)),
]
"""In the order of a replay's header. No move has more than seven steps, so that with eight
squares to climb no piece touches castle and ground in one."""


_LEGS: Final[dict[int, list[list[list[Sighting]]]]] = {}


def legs_to(castle: int) -> list[list[list[Sighting]]]:
    """What is shown of every way a piece may go, made once: by who, from where and to where."""
    if castle not in _LEGS:
        squares = range(castle + 1)
        whose = [*range(MOST_SEATS), NOBODY_HUMAN]  # the last of a list is that of index -1, the NPC
        _LEGS[castle] = [
            [[Move(who, origin, to, castle) for to in squares] for origin in squares] for who in whose
        ]
    return _LEGS[castle]


class Rules:
    """A complete config, read once; the decks packed as :mod:`.treasures` says, ``legs`` as :func:`legs_to`."""

    def __init__(self, config: Config) -> None:
        self.n: int = config["n"]
        self.legs = legs_to(self.n)
        self.win_points: int = config["win_points"]
        self.stable: int = pack(config["stable"])
        self.gamble: int = pack(config["gamble"])
        self.ground_stop: bool = config["ground_stop"]
        self.batted_return_wins: bool = config["batted_return_wins"]
        self.turn_limit: int = config["turn_limit"]
