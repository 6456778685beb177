"""The settings of mushi, with their defaults, and the same as typed attributes."""

from collections.abc import Callable

from engine_service.core.game import Config, Json, Setting
from engine_service.games.mushi.choices import THROWS


def whole(low: int, high: int) -> Callable[[Json], str | None]:
    """A check for an int in a range, both ends included; True and False are no ints here."""

    def check(value: Json) -> str | None:
        good = type(value) is int and low <= value <= high
        return None if good else f"an int from {low} to {high}"

    return check


def switch(value: Json) -> str | None:
    """A check for True or False."""
    return None if type(value) is bool else "true or false"


SETTINGS = [
    Setting("copies", 22, whole(5, 60)),
    Setting("hub_start", 10, whole(1, 40)),
    Setting("hub_floor", 8, whole(1, 40)),
    Setting("yard_limit", 6, whole(4, 12)),
    Setting("consolation", 2, whole(0, 12)),
    Setting("refill_per_bar", 1, whole(0, 5)),
    Setting("boost_every_roll", False, switch),
    Setting("dice", 7, whole(1, 12)),
    Setting("min_reroll", 4, whole(1, 12)),
    Setting("turn_limit", 500, whole(1, 10_000)),
    Setting("roll_limit", 50, whole(1, 1_000)),
]
"""In the order of a replay's header. Five copies give each of five players one of every
colour; sixty keep every total below 255 (see counts); a yard starts with four cards."""


class Rules:
    """A complete config, read once, with the table of dice that goes with it.

    ``min_reroll`` is cut to the number of dice there are.
    """

    def __init__(self, config: Config) -> None:
        self.copies: int = config["copies"]
        self.hub_start: int = config["hub_start"]
        self.hub_floor: int = config["hub_floor"]
        self.yard_limit: int = config["yard_limit"]
        self.consolation: int = config["consolation"]
        self.refill_per_bar: int = config["refill_per_bar"]
        self.boost_every_roll: bool = config["boost_every_roll"]
        self.dice: int = config["dice"]
        self.min_reroll: int = min(config["min_reroll"], config["dice"])
        self.turn_limit: int = config["turn_limit"]
        self.roll_limit: int = config["roll_limit"]
        self.throws = THROWS[self.min_reroll]
