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


NOBODY: list[int] = []


class Rollout:
    """A position played on, decision by decision, by somebody who only picks numbers.

    Chance falls by itself, and the moves of seats that decide at once are gathered and played
    together::

        options = rollout.options()
        while options:
            options = rollout.choose(int(random() * options))

    ``seat`` is whose decision it is; ``over`` is the end once there is one. The position given
    is changed, and is for reading alone while its rollout lasts.
    """

    def __init__(self, state: State, source: Source) -> None:
        self.state = state
        self.seat = 0
        self.over: Over | None = None
        self._source = source
        self._seats: list[int] = NOBODY  # of the pending turn
        self._moves: dict[int, int] = {}  # of those that decide at once
        self._codes: list[int] = []
        self._reach_a_turn()

    def options(self) -> int:
        """How many moves the next seat to decide may choose from; 0: the game is over."""
        return len(self._codes)

    def choose(self, index: int) -> int:
        """Play one of the seat's legal moves, counted from 0 in canonical order; IndexError beyond them.

        Returns what :meth:`options` says thereafter.
        """
        code = self._codes[index]
        if len(self._seats) != 1:
            return self._gather(code)
        # The round of nearly every decision, written out: a call costs as much as a simple move.
        state = self.state
        state.move(self.seat, code)
        pending = state.pending()
        while isinstance(pending, Chance):
            state.resolve(self._source.draw(pending.stream, pending.sizes))
            pending = state.pending()
        if not isinstance(pending, Turn):
            return self._end(pending)
        seats = self._seats = pending.seats
        seat = self.seat = seats[0]
        codes = self._codes = state.options(seat)
        return len(codes)

    def _gather(self, code: int) -> int:
        self._moves[self.seat] = code
        if len(self._moves) < len(self._seats):
            return self._ask(self._seats[len(self._moves)])
        self.state.play(self._moves)
        self._moves = {}
        return self._reach_a_turn()

    def _reach_a_turn(self) -> int:
        pending = self.state.pending()
        while isinstance(pending, Chance):
            self.state.resolve(self._source.draw(pending.stream, pending.sizes))
            pending = self.state.pending()
        if not isinstance(pending, Turn):
            return self._end(pending)
        self._seats = pending.seats
        return self._ask(pending.seats[0])

    def _ask(self, seat: int) -> int:
        self.seat = seat
        self._codes = self.state.options(seat)
        return len(self._codes)

    def _end(self, over: Over) -> int:
        self.over = over
        self._codes = []
        return 0
