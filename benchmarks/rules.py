"""How fast the rules are: player decisions a second beside OpenSpiel's pig with four players.

Both loops do the same in the same process: look at whose turn it is, list the
legal moves, choose one at random, play it, let chance fall. Only decisions of
players count. pig's rules are C++ behind a Python binding; ours are Python.

OpenSpiel leaves chance to its driver, which gets outcomes with their probabilities
and draws by them, as OpenSpiel's own rollouts do; that is the peer. A driver that
knows that a die is even need not look at them: one row shows how far that goes.
"""

import random
import time
from collections.abc import Callable, Sequence

from benchmarks.table import Ratio
from engine_service.core.chance import Fast
from engine_service.core.game import Game, Variant, configure, variant_of
from engine_service.core.simulate import Rollout
from engine_service.games import GAMES

SECONDS = 0.1
ROUNDS = 61


Outcomes = Sequence[tuple[int, float]]
"""Actions of chance, each with its probability."""


def by_probability(dice: random.Random) -> Callable[[Outcomes], int]:
    """Draws an outcome as any driver of any game must."""

    def fall(outcomes: Outcomes) -> int:
        actions, probabilities = zip(*outcomes, strict=True)
        return int(dice.choices(actions, probabilities)[0])

    return fall


def as_even(dice: random.Random) -> Callable[[Outcomes], int]:
    """Draws an outcome as only one who knows the game may: each is as likely as the others."""
    draw = dice.random

    def fall(outcomes: Outcomes) -> int:
        return outcomes[int(draw() * len(outcomes))][0]

    return fall


def pig_decisions(seconds: float, driver: Callable[[random.Random], Callable[[Outcomes], int]]) -> float:
    """Decisions a second of OpenSpiel's pig, driven from Python."""
    import pyspiel

    game = pyspiel.load_game("pig(players=4)")
    dice = random.Random(7)
    draw, fall = dice.random, driver(dice)
    decisions, end = 0, time.perf_counter() + seconds
    started = time.perf_counter()
    while time.perf_counter() < end:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(fall(state.chance_outcomes()))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
    return decisions / (time.perf_counter() - started)


def our_decisions(game: Game, variant: str, seats: int, seconds: float) -> float:
    """Decisions a second of one of our games, random players, the fast generator."""
    config = configure(variant_of(game, variant), {})
    draw, source = random.Random(7).random, Fast(7)
    decisions, end = 0, time.perf_counter() + seconds
    started = time.perf_counter()
    while time.perf_counter() < end:
        rollout = Rollout(game.new(variant, config, seats), source)
        options = rollout.options()
        while options:
            options = rollout.choose(int(draw() * options))
            decisions += 1
    return decisions / (time.perf_counter() - started)


def median_of(measure: Callable[[], float], other: Callable[[], float]) -> tuple[float, float]:
    """Medians of two measures taken in turn, so that both meet the same machine."""
    pairs = [(measure(), other()) for _ in range(ROUNDS)]
    return sorted(pair[0] for pair in pairs)[ROUNDS // 2], sorted(pair[1] for pair in pairs)[ROUNDS // 2]


def run() -> list[Ratio]:
    rows = [_ratio(game, variant) for game in GAMES.values() for variant in game.card.variants]
    return [*rows, _even_ratio(GAMES["mushi"])]


def _ratio(game: Game, variant: Variant) -> Ratio:
    seats = min(4, variant.max_seats)
    ours, floor = median_of(
        lambda: our_decisions(game, variant.name, seats, SECONDS),
        lambda: pig_decisions(SECONDS, by_probability),
    )
    name = f"{game.card.id}/{variant.name}, {seats} seats: rules ÷ OpenSpiel pig(4)"
    return Ratio(name, "decisions/s", ours, floor, 1.0 if game.card.id == "mushi" else 0.5)


def _even_ratio(game: Game) -> Ratio:
    variant = game.card.variants[0].name
    ours, floor = median_of(
        lambda: our_decisions(game, variant, 4, SECONDS), lambda: pig_decisions(SECONDS, as_even)
    )
    name = f"{game.card.id}/{variant}, 4 seats: rules ÷ pig(4) told that its die is even"
    return Ratio(name, "decisions/s", ours, floor)
