import pytest

from engine_service.core.chance import Fast, Seeded
from engine_service.core.game import Chance, Game, MoveError, Over, State, configure, variant_of
from engine_service.core.simulate import Rollout, default_chooser, play_on, play_out, random_chooser
from engine_service.games import GAMES
from tests.games.coin import COIN
from tests.games.tiny import TINY
from tests.unit.core.matches import SEED, open_match, play_to_the_end

EVERY = [(game, variant.name) for game in (*GAMES.values(), TINY) for variant in game.card.variants]

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


@pytest.mark.parametrize(("game", "variant"), EVERY)
def test_a_rollout_plays_the_same_game_as_choosers(game: Game, variant: str) -> None:
    config = configure(variant_of(game, variant), {})
    seats = variant_of(game, variant).max_seats
    for seed in range(3):
        fast, picks = Fast(seed), Fast(seed + 100)
        rollout = Rollout(game.new(variant, config, seats), fast)
        options = rollout.options()
        while options:
            assert options == rollout.options() == len(rollout.state.legal(rollout.seat))
            options = rollout.choose(picks.below(options))
        assert rollout.options() == 0
        choosers = [random_chooser(Fast(seed + 100))] * seats
        over = play_out(game, variant, config, seats, Fast(seed), choosers)
        assert rollout.over is not None
        assert (rollout.over.end, rollout.over.scores, rollout.over.ranks) == (
            over.end,
            over.scores,
            over.ranks,
        )


def test_a_rollout_takes_no_choice_beyond_the_options() -> None:
    rollout = Rollout(TINY.new("standard", CONFIG, 2), Fast(1))
    options = rollout.options()
    with pytest.raises(IndexError):
        rollout.choose(options)
    assert rollout.options() == options


@pytest.mark.parametrize(("game", "variant"), EVERY)
def test_the_short_ways_lead_where_the_long_ones_do(game: Game, variant: str) -> None:
    """``options`` are the legal moves, ``move`` plays as ``play`` does and refuses in the same words."""
    config = configure(variant_of(game, variant), {})
    seats, fast, picks = variant_of(game, variant).max_seats, Fast(3), Fast(4)
    state = game.new(variant, config, seats)
    while not isinstance(pending := state.pending(), Over):
        if isinstance(pending, Chance):
            state.resolve(fast.draw(pending.stream, pending.sizes))
            continue
        moves = {}
        for seat in pending.seats:
            codes = state.legal(seat)
            assert state.options(seat) == codes
            moves[seat] = codes[picks.below(len(codes))]
        if len(moves) == 1:
            check_short_way(state, *moves.items())
        state.play(moves)


def check_short_way(state: State, chosen: tuple[int, int]) -> None:
    seat, code = chosen
    long, short = state.copy(), state.copy()
    told = [shown.event for shown in long.play({seat: code})]
    assert [shown.event for shown in short.move(seat, code)] == told
    assert short.view(None) == long.view(None)
    with pytest.raises(MoveError) as refused:
        state.play({seat: -1})
    with pytest.raises(MoveError) as also:
        state.move(seat, -1)
    assert (type(also.value), str(also.value)) == (type(refused.value), str(refused.value))
