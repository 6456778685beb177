"""Every game has the random program, and what cannot be made is said."""

import pytest

from engine_service.games import GAMES
from mamenoki import house
from mamenoki.house.roster import ROSTER, Entry
from mamenoki.sdk import BadSettings, Bot, Decision, Seat, UnknownProgram


def seat(seed: int) -> Seat:
    return Seat("m", 0, "mushi", "standard", {}, ["a", "b"], None, None, 0, seed)


def choices(seed: int) -> list[str]:
    bot = house.make("mushi", "random", {})
    bot.start(seat(seed))
    legal = [f"move {number}" for number in range(10)]
    return [str(bot.choose(Decision(1, legal, {}, [], None, 0))) for _ in range(200)]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_random_and_makes_what_it_lists(game: str) -> None:
    assert house.programs(game)[0] == "random"
    for program in house.programs(game):
        house.make(game, program, house.takes(game, program))


def test_random_follows_its_seed_and_leaves_no_move_out() -> None:
    assert choices(1) == choices(1) != choices(2)
    assert len(set(choices(1))) == 10


def test_an_unknown_program_names_those_that_there_are() -> None:
    with pytest.raises(UnknownProgram, match=r"no house program 'psychic' plays mushi; there are: random"):
        house.make("mushi", "psychic", {})


def test_a_game_that_has_no_programs_has_random() -> None:
    assert house.programs("go") == ["random"]


@pytest.mark.parametrize("game", ["random_bot", "../evil", "sdk.local", "", "roster"])
def test_a_game_is_not_just_any_module(game: str) -> None:
    assert house.programs(game) == ["random"]


def test_an_unknown_setting_names_those_that_there_are() -> None:
    with pytest.raises(BadSettings, match="random has no setting 'mood'; it takes none"):
        house.make("mushi", "random", {"mood": 1})


@pytest.mark.parametrize("entry", ROSTER, ids=lambda entry: entry.name)
def test_every_bot_of_the_roster_can_be_made(entry: Entry) -> None:
    assert f"{entry.game}/{entry.variant}" in {
        f"{game.card.id}/{variant.name}" for game in GAMES.values() for variant in game.card.variants
    }
    assert isinstance(house.make(entry.game, entry.program, entry.settings), Bot)
