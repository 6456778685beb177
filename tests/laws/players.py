"""Players that know nothing of any game, and games played by them."""

import random
from collections.abc import Callable

from engine_service.core.chance import Fast
from engine_service.core.game import Chance, Over, Sighting, State, Turn, View
from tests.laws.cases import Case

Policy = Callable[[State, int, random.Random], int]

TOO_LONG = 200_000
"""No game takes so many steps, whoever plays it."""


def any_move(state: State, seat: int, dice: random.Random) -> int:
    return dice.choice(state.legal(seat))


def first_move(state: State, seat: int, dice: random.Random) -> int:
    return state.legal(seat)[0]


def last_move(state: State, seat: int, dice: random.Random) -> int:
    return state.legal(seat)[-1]


def clock_move(state: State, seat: int, dice: random.Random) -> int:
    return state.default(seat)


def contrary_move(state: State, seat: int, dice: random.Random) -> int:
    """Anything but what the clock would play, if there is anything else."""
    others = [code for code in state.legal(seat) if code != state.default(seat)]
    return dice.choice(others) if others else state.default(seat)


POLICIES: dict[str, Policy] = {
    "any": any_move,
    "first": first_move,
    "last": last_move,
    "clock": clock_move,
    "contrary": contrary_move,
}


class Moment:
    """A game somewhere in its course: the position, and all that has been shown."""

    def __init__(self, case: Case, seed: int, policy: str) -> None:
        self.case = case
        self.state = case.game.new(case.variant, case.config, case.seats)
        self.shown: list[Sighting] = []
        self.steps = 0
        self.dice = random.Random(seed)
        self.fast = Fast(seed)
        self._policy = POLICIES[policy]

    def branch(self, state: State) -> "Moment":
        """Another course of the same game from ``state``, which it plays on; the same each time."""
        twin = Moment(self.case, self.steps, "any")
        twin.state = state
        return twin

    @property
    def over(self) -> bool:
        """Whether nothing is to come."""
        return isinstance(self.state.pending(), Over)

    def told(self, seat: int) -> list[View]:
        """The events that a seat has been shown."""
        return told(self.shown, seat)

    def step(self) -> list[Sighting]:
        """Play the next turn, or let the next chance fall."""
        pending = self.state.pending()
        if isinstance(pending, Turn):
            moves = {seat: self._policy(self.state, seat, self.dice) for seat in pending.seats}
            shown = self.state.play(moves)
        else:
            assert isinstance(pending, Chance)
            shown = self.state.resolve(self.fast.draw(pending.stream, pending.sizes))
        self.shown += shown
        self.steps += 1
        return shown

    def go(self, steps: int) -> "Moment":
        """So many steps on, or to the end."""
        for _ in range(steps):
            if self.over:
                break
            self.step()
        return self

    def to_a_turn(self) -> "Moment":
        """On to the next decision, or to the end."""
        while isinstance(self.state.pending(), Chance):
            self.step()
        return self


def told(shown: list[Sighting], seat: int | None) -> list[View]:
    """The events among ``shown`` that a seat (None: a spectator) sees."""
    return [sighting.event for sighting in shown if sighting.audience is None or seat in sighting.audience]


def finish(state: State, seed: int) -> Over:
    """Play a position, which is changed, to its end, at random."""
    dice, fast = random.Random(seed), Fast(seed)
    for _ in range(TOO_LONG):
        pending = state.pending()
        if isinstance(pending, Over):
            return pending
        if isinstance(pending, Turn):
            state.play({seat: any_move(state, seat, dice) for seat in pending.seats})
        else:
            state.resolve(fast.draw(pending.stream, pending.sizes))
    raise AssertionError(f"not over after {TOO_LONG} steps")


def any_move_of(seed: int) -> Callable[[list[str]], str]:
    """Chooses among texts at random, as a client does who sees only them."""
    return random.Random(seed).choice
