"""Coin: call it three times. One or two seats.

For the corners of the wire and the replay: texts that JSON must escape or that are not
ASCII, scores below nothing, an outcome with one possibility, a step of chance that draws
nothing, a decision with one legal move, steps of chance next to each other on one stream.

Chance: ``mint`` (once with no outcome, once below 1, once below 2) and ``toss``. Default: the first move.
"""

from collections.abc import Callable, Mapping, Sequence

from engine_service.core.game import (
    Chance,
    Config,
    Game,
    GameCard,
    IllegalMove,
    NotationError,
    Over,
    Sighting,
    State,
    Turn,
    Variant,
    View,
)

MOVES = ["表", "裏", 'say "go"']
FACES = ["表", "裏"]
GO = 2
ROUNDS = 3


class CoinState(State):
    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.steps = 0
        self.made: list[int] = []
        self.calls: list[int] = []
        self.tosses: list[int] = []
        self.scores = [0] * seats
        self.now: Turn | Chance | Over = Chance("mint", [])

    def pending(self) -> Turn | Chance | Over:
        return self.now

    def legal(self, seat: int) -> list[int]:
        return [GO] if not self.calls else [0, 1]

    def default(self, seat: int) -> int:
        return self.legal(seat)[0]

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        for seat, code in moves.items():
            if code not in self.legal(seat):
                raise IllegalMove(f"seat {seat} may not play {code}")
        self.calls = [moves[seat] for seat in range(self.seats)]
        opening = self.calls[0] == GO
        self.now = Turn(list(range(self.seats))) if opening else Chance("toss", [2])
        return [Sighting({"event": "called", "calls": list(self.calls)})]

    def reading(self, outcome: Sequence[int]) -> View:
        return {"faces": [FACES[index] for index in outcome]}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        if self.steps < ROUNDS:
            return self.mint(outcome)
        side = outcome[0]
        self.tosses.append(side)
        self.scores = [
            score + (1 if call == side else -1) for score, call in zip(self.scores, self.calls, strict=True)
        ]
        if len(self.tosses) < ROUNDS:
            self.now = Turn(list(range(self.seats)))
        else:
            ranks = [sum(other > score for other in self.scores) for score in self.scores]
            self.now = Over("normal", list(self.scores), ranks)
        return [Sighting({"event": "tossed", "side": FACES[side]})]

    def mint(self, outcome: Sequence[int]) -> list[Sighting]:
        self.steps += 1
        self.made += outcome
        self.now = Turn(list(range(self.seats))) if self.steps == ROUNDS else Chance("mint", [self.steps])
        return [Sighting({"event": "minted", "side": FACES[index]}) for index in outcome]

    def view(self, seat: int | None) -> View:
        return {
            "steps": self.steps,
            "made": list(self.made),
            "tosses": list(self.tosses),
            "calls": list(self.calls),
            "scores": list(self.scores),
        }

    def copy(self) -> "CoinState":
        twin = CoinState(self.seats)
        twin.steps, twin.now, twin.scores = self.steps, self.now, list(self.scores)
        twin.made, twin.calls, twin.tosses = list(self.made), list(self.calls), list(self.tosses)
        return twin


class Coin(Game):
    def __init__(self) -> None:
        self.card = GameCard("coin", "コイン", 3, [Variant("standard", 1, 2, [], may_tie=True)])

    def new(self, variant: str, config: Config, seats: int) -> State:
        return CoinState(seats)

    def format(self, code: int) -> str:
        return MOVES[code]

    def parse(self, text: str) -> int:
        if text not in MOVES:
            raise NotationError(f"{text!r} is none of: {', '.join(MOVES)}")
        return MOVES.index(text)

    def imagine(
        self,
        variant: str,
        config: Config,
        seats: int,
        seat: int,
        view: View,
        sightings: Sequence[View],
        draw: Callable[[int], int],
    ) -> State:
        state = CoinState(seats)
        state.steps, state.scores = view["steps"], list(view["scores"])
        state.made, state.calls, state.tosses = list(view["made"]), list(view["calls"]), list(view["tosses"])
        state.now = Turn(list(range(seats)))
        if len(state.tosses) == ROUNDS:
            ranks = [sum(other > score for other in state.scores) for score in state.scores]
            state.now = Over("normal", list(state.scores), ranks)
        return state

    def tell(self, event: View, name: Callable[[int], str]) -> str:
        return f"{event['event']}."


COIN = Coin()
