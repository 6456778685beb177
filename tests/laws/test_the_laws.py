"""Each law catches a game that breaks it: Tiny, with one thing wrong."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from engine_service.core.game import Config, Json, Over, Sighting, State, Turn, View, configure
from tests.games.tiny import BET, CHOOSE, MOVES, TINY, Tiny, TinyState
from tests.laws import knowledge, positions
from tests.laws.cases import Case
from tests.laws.players import Moment
from tests.laws.positions import Law

CONFIG = configure(TINY.card.variants[0], {"rounds": 8})


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


def breaks(law: Law, game: Tiny) -> bool:
    """Whether the law catches the game at some moment of some of its courses."""
    case = Case("spoilt", game, "standard", 3, CONFIG)
    at_a_turn = law in knowledge.AT_A_TURN
    for seed in range(12):
        moment = Moment(case, seed, "any")
        for _ in range(40):
            if at_a_turn:
                moment.to_a_turn()
            if moment.over and at_a_turn:
                break
            try:
                law(moment)
            except Exception:  # noqa: BLE001  # a broken game may break anywhere: that is being caught
                return True
            except pytest.fail.Exception:
                return True
            if moment.over:
                break
            moment.step()
    return False


ALL_LAWS = positions.AT_ANY_STEP + knowledge.AT_A_TURN

CAUGHT: list[tuple[Law, Tiny]] = [
    (positions.pending_is_well_formed, spoilt(TurnOfNobody)),
    (positions.pending_is_well_formed, spoilt(SeatsUpsideDown)),
    (positions.pending_is_well_formed, spoilt(PendingMadeAnew)),
    (positions.pending_is_well_formed, spoilt(RanksInOrder)),
    (positions.legal_moves_stand_still, spoilt(NoMoves)),
    (positions.legal_moves_stand_still, spoilt(MovesTwice)),
    (positions.legal_moves_stand_still, spoilt(IllegalDefault)),
    (positions.legal_moves_keep_their_order, spoilt(ShuffledMoves)),
    (positions.texts_and_codes_are_inverse, spoilt(game=Stammering)),
    (positions.nonsense_is_refused, spoilt(game=Lenient)),
    (positions.illegal_moves_are_refused, spoilt(TakesAnything)),
    (positions.illegal_moves_are_refused, spoilt(RefusesTooLate)),
    (positions.sealed_moves_have_no_order, spoilt(FirstComeFirstServed)),
    (positions.any_outcome_may_fall, spoilt(FacesMissing)),
    (positions.any_outcome_may_fall, spoilt(ReadingDisordered)),
    (positions.views_are_plain_data, spoilt(HalfPoints)),
    (positions.views_are_plain_data, spoilt(NumbersForKeys)),
    (positions.views_are_built_anew, spoilt(WideOpen)),
    (positions.sightings_can_be_told, spoilt(Wordless)),
    (positions.sightings_can_be_told, spoilt(FarAudience)),
    (positions.sightings_can_be_told, spoilt(game=Mute)),
    (positions.copies_share_nothing, spoilt(SharedPoints)),
    (knowledge.imagined_positions_fit, spoilt(ShowsTheNeighbour)),
    (knowledge.imagined_positions_fit, spoilt(ShowsTheSpectator)),
    (knowledge.imagined_positions_fit, spoilt(MovesTellTheNeighbour)),
    (knowledge.imagined_positions_fit, spoilt(game=Unimaginative)),
    (knowledge.imagined_positions_fit, spoilt(game=Dreaming)),
    (knowledge.imagined_positions_can_be_played, spoilt(game=Shorthanded)),
    (knowledge.equal_sightings_give_equal_views, spoilt(TellsTooLate)),
]


def title(value: object) -> str:
    return getattr(value, "__name__", type(value).__name__)


@pytest.mark.parametrize(("law", "game"), CAUGHT, ids=title)
def test_the_law_catches_the_spoilt_game(law: Law, game: Tiny) -> None:
    assert breaks(law, game)


@pytest.mark.parametrize("law", ALL_LAWS, ids=title)
def test_the_law_lets_the_sound_game_pass(law: Law) -> None:
    assert not breaks(law, spoilt())


def test_every_law_has_its_offender() -> None:
    assert {law for law, _ in CAUGHT} == set(ALL_LAWS)


def test_forks_go_on_for_a_while() -> None:
    """Else the law of forks would hold for want of trying."""
    case = Case("sound", spoilt(), "standard", 3, CONFIG)
    lengths = [
        knowledge.fork(Moment(case, seed, "any").go(3).to_a_turn(), seat)
        for seed in range(20)
        for seat in range(3)
    ]
    assert max(lengths) >= 3
    assert sum(lengths) / len(lengths) > 1
