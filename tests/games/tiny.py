"""Tiny: hidden cards, sealed bets, dice. Two to four seats.

Everybody is dealt a hidden card. A round: all seats bet in secret, up to a point more than
they have; each bet's die decides (4 to 6 wins it, 1 to 3 loses it); then one seat may swap
its card for a fresh one, the old one going away unseen. After the last round the cards are
turned up: points and card are the score.

Chance: ``deck`` (``slots`` are the seats dealt to, faces the ranks) and ``dice/R`` for round R
(``from`` are the seats that bet). Default: ``hold``, ``stay``.
"""

from collections.abc import Callable, Mapping, Sequence

from engine_service.core.game import (
    Chance,
    Config,
    Game,
    GameCard,
    IllegalMove,
    Json,
    NotationError,
    Over,
    Setting,
    Sighting,
    State,
    Turn,
    Variant,
    View,
)

MOVES = ["hold", "bet 1", "bet 2", "bet 3", "stay", "swap"]
HOLD, STAY, SWAP = 0, 4, 5
DEAL, BET, ROLL, CHOOSE, DRAW, END = range(6)


def whole(low: int, high: int) -> Callable[[Json], str | None]:
    def check(value: Json) -> str | None:
        return None if type(value) is int and low <= value <= high else f"an int from {low} to {high}"

    return check


class TinyState(State):
    def __init__(self, config: Config, seats: int) -> None:
        self.seats = seats
        self.rounds: int = config["rounds"]
        self.turn_limit: int = config["turn_limit"]
        self.deck = [rank for rank in range(1, config["ranks"] + 1) for _ in range(config["copies"])]
        self.cards: list[int | None] = [None] * seats
        self.points = [0] * seats
        self.bets = [0] * seats
        self.round = 0
        self.turns = 0
        self.set_phase(DEAL)

    def set_phase(self, phase: int) -> None:
        self.phase = phase
        self.now: Turn | Chance | Over = self.what_is_due()

    def what_is_due(self) -> Turn | Chance | Over:
        if self.phase == DEAL:
            return Chance("deck", [len(self.deck) - i for i in range(self.seats)])
        if self.phase == BET:
            return Turn(list(range(self.seats)))
        if self.phase == ROLL:
            return Chance(f"dice/{self.round}", [6] * len(self.bettors()))
        if self.phase == CHOOSE:
            return Turn([self.chooser()])
        if self.phase == DRAW:
            return Chance("deck", [len(self.deck)])
        end = "turn_limit" if self.round < self.rounds else "normal"
        scores = [points + (card or 0) for points, card in zip(self.points, self.cards, strict=True)]
        return Over(end, scores, [sum(other > score for other in scores) for score in scores])

    def bettors(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.bets[seat]]

    def chooser(self) -> int:
        return self.round % self.seats

    def pending(self) -> Turn | Chance | Over:
        return self.now

    def legal(self, seat: int) -> list[int]:
        if self.phase == BET:
            return list(range(min(3, self.points[seat] + 1) + 1))
        return [STAY, SWAP] if self.deck else [STAY]

    def default(self, seat: int) -> int:
        return HOLD if self.phase == BET else STAY

    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        for seat, code in moves.items():
            if code not in self.legal(seat):
                raise IllegalMove(f"seat {seat} may not play {code} now")
        self.turns += 1
        return self.play_bets(moves) if self.phase == BET else self.play_choice(moves[self.chooser()])

    def play_bets(self, moves: Mapping[int, int]) -> list[Sighting]:
        self.bets = [moves[seat] for seat in range(self.seats)]
        seen = [Sighting({"event": "bets", "bets": list(self.bets)})]
        self.set_phase(ROLL)
        return seen if self.bettors() else seen + self.resolve([])

    def play_choice(self, code: int) -> list[Sighting]:
        seat = self.chooser()
        seen = Sighting({"event": "swap" if code == SWAP else "stay", "seat": seat})
        if code == SWAP:
            self.cards[seat] = None
            self.set_phase(DRAW)
            return [seen]
        return [seen, *self.next_round()]

    def next_round(self) -> list[Sighting]:
        self.round += 1
        if self.round < self.rounds and self.turns < self.turn_limit:
            self.set_phase(BET)
            return []
        self.set_phase(END)
        return [Sighting({"event": "revealed", "cards": list(self.cards)})]

    def drawn(self, outcome: Sequence[int]) -> list[int]:
        deck = list(self.deck)
        return [deck.pop(index) for index in outcome]

    def reading(self, outcome: Sequence[int]) -> View:
        if self.phase == ROLL:
            return {"faces": [str(index + 1) for index in outcome], "from": self.bettors()}
        slots = list(range(self.seats)) if self.phase == DEAL else [self.chooser()]
        return {"slots": slots, "faces": [str(rank) for rank in self.drawn(outcome)]}

    def resolve(self, outcome: Sequence[int]) -> list[Sighting]:
        if self.phase == ROLL:
            return self.roll(outcome)
        if self.phase == DEAL:
            seen = [self.deal(seat, index) for seat, index in enumerate(outcome)]
            self.set_phase(BET)
            return seen
        return [self.deal(self.chooser(), outcome[0]), *self.next_round()]

    def deal(self, seat: int, index: int) -> Sighting:
        self.cards[seat] = self.deck.pop(index)
        return Sighting({"event": "drew", "seat": seat, "card": self.cards[seat]}, [seat])

    def roll(self, outcome: Sequence[int]) -> list[Sighting]:
        for seat, index in zip(self.bettors(), outcome, strict=True):
            self.points[seat] = max(
                0, self.points[seat] + (self.bets[seat] if index >= 3 else -self.bets[seat])
            )
        dice = [index + 1 for index in outcome]
        seen = [Sighting({"event": "rolled", "seats": self.bettors(), "dice": dice})] if outcome else []
        self.set_phase(CHOOSE)
        return seen

    def view(self, seat: int | None) -> View:
        return {
            "round": self.round,
            "turns": self.turns,
            "points": list(self.points),
            "bets": list(self.bets),
            "phase": self.phase,
            "deck": len(self.deck),
            "card": None if seat is None else self.cards[seat],
            "cards": list(self.cards) if self.phase == END else None,
        }

    def copy(self) -> "TinyState":
        twin = TinyState.__new__(TinyState)
        twin.__dict__.update(self.__dict__)
        twin.deck, twin.cards = list(self.deck), list(self.cards)
        twin.points, twin.bets = list(self.points), list(self.bets)
        return twin


class Tiny(Game):
    def __init__(self) -> None:
        self.card = GameCard(
            "tiny",
            "Tiny",
            1,
            [
                Variant(
                    "standard",
                    2,
                    4,
                    [
                        Setting("rounds", 4, whole(1, 50)),
                        Setting("ranks", 3, whole(1, 9)),
                        Setting("copies", 3, whole(2, 9)),
                        Setting("turn_limit", 20, whole(1, 100)),
                    ],
                    may_tie=True,
                )
            ],
        )

    def new(self, variant: str, config: Config, seats: int) -> State:
        return TinyState(config, seats)

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
        state = TinyState(config, seats)
        state.round, state.turns = view["round"], view["turns"]
        state.points, state.bets = list(view["points"]), list(view["bets"])
        for event in sightings:
            if event["event"] == "drew":
                state.deck.remove(event["card"])
        others = [other for other in range(seats) if other != seat]
        for other in others:
            state.cards[other] = state.deck.pop(draw(len(state.deck)))
        state.cards[seat] = view["card"]
        for event in sightings:
            if event["event"] == "swap" and event["seat"] != seat:
                state.deck.pop(draw(len(state.deck)))
        if view["cards"] is not None:
            state.cards = list(view["cards"])
        state.set_phase(view["phase"])
        return state

    def tell(self, event: View, name: Callable[[int], str]) -> str:
        kind = event["event"]
        return f"{name(event['seat'])}: {kind}." if "seat" in event else f"{kind}."


TINY = Tiny()
