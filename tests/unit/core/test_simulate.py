import pytest

from engine_service.core.chance import Fast, Seeded
from engine_service.core.game import Chance, configure, variant_of
from engine_service.core.simulate import default_chooser, play_on, play_out, random_chooser
from tests.games.coin import COIN
from tests.games.tiny import TINY
from tests.unit.core.matches import SEED, open_match, play_to_the_end

CONFIG = configure(variant_of(TINY, "standard"), {})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_simulated_game_equals_the_refereed_one(seats: int) -> None:
    referee = open_match(seats=seats)
    play_to_the_end(referee)
    over = play_out(TINY, "standard", CONFIG, seats, Seeded(SEED), [default_chooser] * seats)
    assert (over.end, over.scores, over.ranks) == (
        referee.result.end,
        referee.result.scores,
        referee.result.ranks,
    )


def test_random_games_repeat_by_seed_and_differ_otherwise() -> None:
    def scores(seed: int) -> list[int]:
        fast = Fast(seed)
        return play_out(TINY, "standard", CONFIG, 4, fast, [random_chooser(fast)] * 4).scores

    assert [scores(seed) for seed in range(20)] == [scores(seed) for seed in range(20)]
    assert len({tuple(scores(seed)) for seed in range(20)}) > 10


def test_a_game_is_played_on_from_the_middle() -> None:
    state = COIN.new("standard", {}, 2)
    while isinstance(chance := state.pending(), Chance):
        state.resolve(Fast(1).draw(chance.stream, chance.sizes))
    over = play_on(state.copy(), Fast(2), [default_chooser] * 2)
    assert over.scores[0] == over.scores[1] in (-3, -1, 1, 3)
    assert state.view(0)["tosses"] == []
