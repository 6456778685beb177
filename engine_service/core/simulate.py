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

        while n := rollout.options():
            rollout.choose(int(random() * n))

    ``seat`` is whose decision it is; ``over`` is the end once there is one. The position given
    is changed, and is for reading alone while its rollout lasts.
    """

    def __init__(self, state: State, source: Source) -> None:
        self.state = state
        self.seat = 0
        self.over: Over | None = None
        self._source = source
        self._seats: list[int] = NOBODY  # of the pending turn; nobody's between turns
        self._moves: dict[int, int] = {}
        self._codes: list[int] = []

    def options(self) -> int:
        """How many moves the next seat to decide may choose from; 0: the game is over.

        To be asked before every :meth:`choose`; asked twice, it answers the same.
        """
        if not self._seats and not self._reaches_a_turn():
            return 0
        self.seat = self._seats[len(self._moves)]
        self._codes = self.state.legal(self.seat)
        return len(self._codes)

    def choose(self, index: int) -> None:
        """Play one of the seat's legal moves, counted from 0 in canonical order; IndexError beyond them."""
        code = self._codes[index]
        if len(self._seats) == 1:  # nearly always: nothing is gathered
            self._seats = NOBODY
            self.state.play({self.seat: code})
            return
        self._moves[self.seat] = code
        if len(self._moves) == len(self._seats):
            self.state.play(self._moves)
            self._seats, self._moves = NOBODY, {}

    def _reaches_a_turn(self) -> bool:
        state, source = self.state, self._source
        while True:
            pending = state.pending()
            if isinstance(pending, Turn):
                self._seats = pending.seats
                return True
            if not isinstance(pending, Chance):
                self.over = pending
                return False
            state.resolve(source.draw(pending.stream, pending.sizes))
