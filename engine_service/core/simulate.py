"""Plays games without a referee, as fast as the rules go: for search, learning and measuring."""

from collections.abc import Callable, Sequence

from engine_service.core.chance import Fast, Source
from engine_service.core.game import Chance, Config, Game, Over, State, Turn

Chooser = Callable[[State, int], int]
"""Given a position and a seat of its pending turn, a legal code for that seat."""


def play_out(
    game: Game,
    variant: str,
    config: Config,
    seats: int,
    source: Source,
    choosers: Sequence[Chooser],
) -> Over:
    """Play a whole game, a chooser for each seat; ``config`` complete, as ``configure`` makes it."""
    return play_on(game.new(variant, config, seats), source, choosers)


def play_on(state: State, source: Source, choosers: Sequence[Chooser]) -> Over:
    """Play from a position, which is changed, to the end."""
    while True:
        pending = state.pending()
        if isinstance(pending, Turn):
            state.play({seat: choosers[seat](state, seat) for seat in pending.seats})
        elif isinstance(pending, Chance):
            state.resolve(source.draw(pending.stream, pending.sizes))
        else:
            return pending


def random_chooser(fast: Fast) -> Chooser:
    """Any legal move, each as likely as the others."""

    def choose(state: State, seat: int) -> int:
        codes = state.legal(seat)
        return codes[fast.below(len(codes))]

    return choose


def default_chooser(state: State, seat: int) -> int:
    """The move that the clock would play."""
    return state.default(seat)
