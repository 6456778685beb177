"""What the laws are tried on: every game, variant and seat count, under usual and odd settings.

A new game is here as soon as it stands in the table of games. Its odd settings, worth
naming where a rule has a switch, go into ODD.
"""

from dataclasses import dataclass

from engine_service.core.game import Config, Game, configure
from engine_service.games import GAMES
from tests.games import TINY_GAMES

ALL_GAMES: dict[str, Game] = {**GAMES, **TINY_GAMES}

_FEW = {
    "1": 3,
    "2": 3,
    "3": 2,
    "4": 1,
    "5": 1,
    "6": 0,
    "7": 0,
    "8": 0,
    "9": 0,
    "=": 1,
    "x2": 0,
    "0": 0,
    "miss": 0,
}
_SPECIAL = {
    "1": 4,
    "2": 4,
    "3": 3,
    "4": 1,
    "5": 0,
    "6": 0,
    "7": 0,
    "8": 0,
    "9": 1,
    "=": 3,
    "x2": 6,
    "0": 5,
    "miss": 1,
}

ODD: dict[str, list[Config]] = {
    "mushi/standard": [
        {"boost_every_roll": True, "refill_per_bar": 2},
        {"copies": 5, "hub_start": 1, "consolation": 12, "yard_limit": 12, "turn_limit": 30},
        {"dice": 12, "min_reroll": 1, "copies": 9, "roll_limit": 2},
    ],
    "morumori/versus": [
        {"mix": _FEW, "peek": 3, "houses": 12},
        {"mix": _SPECIAL, "peek": 100, "companions": 20, "turn_limit": 30},
        {"peek": 0, "companions": 0, "versus_target": 3},
    ],
    "morumori/coop": [
        {"mix": _FEW, "lives": 20, "houses": 60},
        {"mix": _SPECIAL, "peek": 2, "companions": 1, "lives": 9, "houses": 5},
        {"peek": 100, "companions": 9, "lives": 1, "houses": 2},
    ],
    "beanstalk/standard": [
        {"ground_stop": True, "batted_return_wins": False},
        {
            "n": 8,
            "win_points": 12,
            "stable": {"gold": 4, "thief": 4},
            "gamble": {"bronze": 3, "thief": 2, "tornado": 4},
        },
        {
            "win_points": 100,
            "stable": {},
            "gamble": {"silver": 2, "thief": 1, "tornado": 1},
            "turn_limit": 40,
        },
    ],
    "seimi/standard": [
        {"field_refill": True},
        {"copies": 1, "parents": 3, "hand": 2, "field": 2},
        {"copies": 4, "parents": 0, "hand": 12, "field_refill": True, "effective": [["psychic"]] * 6},
    ],
    "tiny/standard": [{"rounds": 12, "ranks": 9, "copies": 2, "turn_limit": 9}],
}


@dataclass(frozen=True)
class Case:
    """One way to set a game up."""

    name: str
    game: Game
    variant: str
    seats: int
    config: Config


def _cases() -> list[Case]:
    found = []
    for game in ALL_GAMES.values():
        for variant in game.card.variants:
            title = f"{game.card.id}/{variant.name}"
            for number, changes in enumerate([{}, *ODD.get(title, [])]):
                for seats in range(variant.min_seats, variant.max_seats + 1):
                    name = f"{title}-{seats}" + (f"-odd{number}" if number else "")
                    config = configure(variant, changes)
                    found.append(Case(name, game, variant.name, seats, config))
    return found


CASES = _cases()
