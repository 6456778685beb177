"""The settings of seimi, with their defaults, and the same as typed attributes."""

from collections.abc import Callable
from typing import Final

from engine_service.core.game import Config, Json, Setting
from engine_service.games.seimi.cards import ABILITIES, MINIONS, PARENTS

MONSTERS: Final = 6
MOST_TOKENS: Final = 24
"""Five players fill six monsters with four each."""

BOSS_TOKEN: Final = 5
ROAD_LENGTHS: Final = [1, 1, 2, 2, 3, 3, 4, 4]
"""The lengths of the road cards; as many as there are monsters are used."""


def whole(low: int, high: int) -> Callable[[Json], str | None]:
    """A check for an int in a range, both ends included; True and False are no ints here."""

    def check(value: Json) -> str | None:
        good = type(value) is int and low <= value <= high
        return None if good else f"an int from {low} to {high}"

    return check


def switch(value: Json) -> str | None:
    """A check for True or False."""
    return None if type(value) is bool else "true or false"


def abilities_of_six(value: Json) -> str | None:
    """A check for the abilities that count against each monster, the boss last."""
    good = type(value) is list and len(value) == MONSTERS and all(_are_abilities(one) for one in value)
    return None if good else f"{MONSTERS} lists, each of one to four different of: {', '.join(ABILITIES)}"


def _are_abilities(value: Json) -> bool:
    if type(value) is not list or not all(type(one) is str and one in ABILITIES for one in value):
        return False
    return 1 <= len(value) == len(set(value))


def token_counts(value: Json) -> str | None:
    """A check for how many tokens there are of each value."""
    good = type(value) is dict and all(_is_count(key, count) for key, count in value.items())
    if good and value.get(str(BOSS_TOKEN), 0) >= 1 and sum(value.values()) >= MOST_TOKENS:
        return None
    return f'counts (0 to 60) by value ("1" to "9"), at least {MOST_TOKENS} tokens and one "{BOSS_TOKEN}" among them'


def _is_count(key: Json, count: Json) -> bool:
    return key in VALUES and type(count) is int and 0 <= count <= 60


VALUES: Final = [str(value) for value in range(1, 10)]

SETTINGS = [
    Setting(
        "effective",
        [
            ["fist", "gun"],
            ["psychic", "blade"],
            ["gun", "psychic"],
            ["fist"],
            ["blade", "fist"],
            ["blade", "gun", "psychic"],
        ],
        abilities_of_six,
    ),
    Setting("tokens", {"2": 7, "3": 5, "4": 6, "5": 6}, token_counts),
    Setting("copies", 5, whole(1, 12)),
    Setting("parents", 16, whole(0, 40)),
    Setting("hand", 6, whole(0, 12)),
    Setting("field", 4, whole(0, 12)),
    Setting("field_refill", False, switch),
]
"""In the order of a replay's header."""


class Rules:
    """A complete config, read once.

    ``effective`` has a bit for each ability that counts, by monster. ``bag`` are the tokens
    that are shuffled, ascending, without the boss's own. ``cards`` is the whole pack, sorted.
    """

    def __init__(self, config: Config) -> None:
        self.effective: list[int] = [
            sum([1 << ABILITIES.index(ability) for ability in abilities]) for abilities in config["effective"]
        ]
        self.bag: list[int] = _bag(config["tokens"])
        copies: int = config["copies"]
        parents: int = config["parents"]
        minions = [card for card in range(MINIONS) for _ in range(copies)]
        self.cards: list[int] = minions + [PARENTS] * parents
        self.hand: int = config["hand"]
        self.field: int = config["field"]
        self.field_refill: bool = config["field_refill"]


def _bag(counts: Json) -> list[int]:
    bag = [int(value) for value in VALUES for _ in range(counts.get(value, 0))]
    bag.remove(BOSS_TOKEN)
    return bag
