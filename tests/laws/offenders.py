"""Games with one thing wrong each, made from Tiny, for the laws to catch."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine_service.core.game import Config, Json, Over, Sighting, State, Turn, View
from tests.games.tiny import BET, CHOOSE, MOVES, Tiny, TinyState


class Sound(TinyState):
    """Tiny as it is; what follows spoils one thing each."""

    def copy(self) -> "Sound":
        twin = type(self).__new__(type(self))
        twin.__dict__.update(super().copy().__dict__)
        return twin


class TurnOfNobody(Sound):
    def what_is_due(self) -> Any:
        return Turn([]) if self.phase == CHOOSE else super().what_is_due()


class SeatsUpsideDown(Sound):
    def what_is_due(self) -> Any:
        due = super().what_is_due()
        return Turn(due.seats[::-1]) if isinstance(due, Turn) else due


class PendingMadeAnew(Sound):
    def pending(self) -> Any:
        return self.what_is_due()


class RanksInOrder(Sound):
    def what_is_due(self) -> Any:
        due = super().what_is_due()
        return Over(due.end, due.scores, [1, 2, 3]) if isinstance(due, Over) else due


class HalfPoints(Sound):
    def view(self, seat: int | None) -> View:
        return {**super().view(seat), "share": 0.5}


class NumbersForKeys(Sound):
    def view(self, seat: int | None) -> View:
        return {**super().view(seat), "by_seat": {0: 1}}


class WideOpen(Sound):
    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        view["bets"] = self.bets
        return view


class NoMoves(Sound):
    def legal(self, seat: int) -> list[int]:
        return [] if self.phase == CHOOSE else super().legal(seat)


class MovesTwice(Sound):
    def legal(self, seat: int) -> list[int]:
        return super().legal(seat) * 2


class ShuffledMoves(Sound):
    def legal(self, seat: int) -> list[int]:
        legal = super().legal(seat)
        return legal[::-1] if self.turns % 3 else legal


class IllegalDefault(Sound):
    def default(self, seat: int) -> int:
        return 3 if self.phase == BET else super().default(seat)


class TakesAnything(Sound):
    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        if self.phase == BET:
            self.turns += 1
            return self.play_bets({seat: max(0, min(code, 3)) for seat, code in moves.items()})
        return super().play(moves)


class RefusesTooLate(Sound):
    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        self.points[0] += 1
        return super().play(moves)


class FirstComeFirstServed(Sound):
    def play_bets(self, moves: Mapping[int, int]) -> list[Sighting]:
        self.points[next(iter(moves))] += 1
        return super().play_bets(moves)


class SharedPoints(Sound):
    def copy(self) -> "SharedPoints":
        twin = super().copy()
        twin.points = self.points
        return twin  # type: ignore[return-value]  # Sound.copy makes one of its own kind


class FacesMissing(Sound):
    def reading(self, outcome: Sequence[int]) -> View:
        reading = super().reading(outcome)
        reading["faces"] = reading["faces"][1:]
        return reading


class ReadingDisordered(Sound):
    def reading(self, outcome: Sequence[int]) -> View:
        return dict(reversed(super().reading(outcome).items()))


class Wordless(Sound):
    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        super().play(moves)
        return []


class FarAudience(Sound):
    def play(self, moves: Mapping[int, int]) -> list[Sighting]:
        return [Sighting(sighting.event, [7]) for sighting in super().play(moves)]


class ShowsTheNeighbour(Sound):
    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        return view if seat is None else {**view, "card": self.cards[(seat + 1) % self.seats]}


class ShowsTheSpectator(Sound):
    def view(self, seat: int | None) -> View:
        return {**super().view(seat), "card": self.cards[seat or 0]}


class MovesTellTheNeighbour(Sound):
    def legal(self, seat: int) -> list[int]:
        legal = super().legal(seat)
        return legal[:1] if self.cards[(seat + 1) % self.seats] == 1 else legal


class TellsTooLate(Sound):
    """A view that depends on a hidden card only once a swap has been made."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        if seat is not None and self.turns > 5:
            view["hint"] = self.cards[(seat + 1) % self.seats]
        return view


class Mute(Tiny):
    def tell(self, event: View, name: Callable[[int], str]) -> str:
        return ""


class Stammering(Tiny):
    def format(self, code: int) -> str:
        return f"{MOVES[code]} "


class Lenient(Tiny):
    def parse(self, text: str) -> int:
        return super().parse(text.strip().lower().rstrip("?"))


class Unimaginative(Tiny):
    def imagine(self, variant: str, config: Config, seats: int, seat: int, *rest: Json) -> State:
        state = super().imagine(variant, config, seats, seat, *rest)
        assert isinstance(state, TinyState)
        state.points = [0] * seats
        return state


class Shorthanded(Tiny):
    def imagine(self, variant: str, config: Config, seats: int, seat: int, *rest: Json) -> State:
        state = super().imagine(variant, config, seats, seat, *rest)
        assert isinstance(state, TinyState)
        state.points.pop()
        return state


class Dreaming(Tiny):
    """Forgets the cards that others have put away: the deck is too large."""

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
        seen = [event for event in sightings if event["event"] != "swap"]
        return super().imagine(variant, config, seats, seat, view, seen, draw)


def spoilt(kind: type[TinyState] = Sound, game: type[Tiny] = Tiny) -> Tiny:
    """A game of the kind, whose positions (imagined ones too) are of the other kind."""

    class Spoilt(game):  # type: ignore[misc,valid-type]  # made to measure
        def new(self, variant: str, config: Config, seats: int) -> State:
            return kind(config, seats)

        def imagine(self, variant: str, config: Config, seats: int, seat: int, *rest: Any) -> State:
            state = super().imagine(variant, config, seats, seat, *rest)
            twin = kind(config, seats)
            twin.__dict__.update(state.__dict__)
            return twin

    return Spoilt()
