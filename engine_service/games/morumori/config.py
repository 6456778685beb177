"""The settings of morumori, with their defaults, and the same as typed attributes."""

from collections.abc import Callable

from engine_service.core.game import Config, Json, Setting
from engine_service.games.morumori.draws import LAYOUTS, peeking
from engine_service.games.morumori.faces import FACES, MOST_SLOTS

MIX = {
    "1": 6,
    "2": 6,
    "3": 5,
    "4": 4,
    "5": 4,
    "6": 3,
    "7": 3,
    "8": 2,
    "9": 2,
    "=": 2,
    "x2": 2,
    "0": 2,
    "miss": 4,
}

MOST_ALIKE = 40
MOST_HOUSES = 60


def whole(low: int, high: int) -> Callable[[Json], str | None]:
    """A check for an int in a range, both ends included; True and False are no ints here."""

    def check(value: Json) -> str | None:
        good = type(value) is int and low <= value <= high
        return None if good else f"an int from {low} to {high}"

    return check


def mix(value: Json) -> str | None:
    """A check for how many cards there are of each face."""
    good = type(value) is dict and set(value) == set(FACES) and _amounts(list(value.values()))
    wanted = f"an object that gives each of {', '.join(FACES)} a count from 0 to {MOST_ALIKE}"
    return None if good else f"{wanted}, 1 to {MOST_SLOTS} in all"


def _amounts(counts: list[Json]) -> bool:
    alike = whole(0, MOST_ALIKE)
    return all(alike(count) is None for count in counts) and 1 <= sum(counts) <= MOST_SLOTS


SETTINGS = [
    Setting("mix", MIX, mix),
    Setting("lives", 4, whole(1, 20)),
    Setting("peek", 10, whole(0, MOST_SLOTS)),
    Setting("companions", 4, whole(0, 20)),
    Setting("houses", 20, whole(1, MOST_HOUSES)),
    Setting("versus_target", 15, whole(1, MOST_HOUSES)),
    Setting("turn_limit", 200, whole(1, 10_000)),
]
"""In the order of a replay's header; both variants have all of them. ``lives`` says nothing
in versus, ``versus_target`` and ``turn_limit`` nothing in coop."""


class Rules:
    """A complete config, read once, for one of the variants.

    ``last`` is the target at which a success ends the match: a versus target that is
    beyond the houses is cut to the last house, and ``peek`` to the number of cards.
    ``cards`` are all cards in canonical order.
    """

    def __init__(self, config: Config, coop: bool) -> None:
        self.coop = coop
        counts: Config = config["mix"]
        self.cards: list[int] = []
        for face, text in enumerate(FACES):
            self.cards += [face] * counts[text]
        self.lives: int = config["lives"]
        self.companions: int = config["companions"]
        self.last: int = config["houses"] if coop else min(config["versus_target"], config["houses"])
        self.turn_limit: int = config["turn_limit"]
        self.layout = LAYOUTS[len(self.cards)]
        self.peek = peeking(len(self.cards), config["peek"])
