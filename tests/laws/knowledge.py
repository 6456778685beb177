"""What a seat knows: laws of imagining, tried wherever a decision is due."""

from engine_service.core.game import Chance, Sighting, State, Turn
from engine_service.core.record import encode
from tests.laws.players import Moment, told
from tests.laws.positions import Law


def imagined_positions_fit(moment: Moment) -> None:
    """What a seat imagines from what it was shown cannot be told, by that seat, from the truth."""
    for seat in range(moment.case.seats):
        for state in (imagined(moment, seat) for _ in range(2)):
            check_alike(seat, moment.state, state)


def imagined_positions_can_be_played(moment: Moment) -> None:
    """What is imagined goes on by the rules: any outcome, any move."""
    for seat in range(moment.case.seats):
        moment.branch(imagined(moment, seat)).go(40)


def equal_sightings_give_equal_views(moment: Moment) -> None:
    """The truth and what a seat imagines, played on alike: as long as the seat is shown the same,
    it sees the same and may do the same."""
    for seat in range(moment.case.seats):
        fork(moment, seat)


def fork(moment: Moment, seat: int) -> int:
    """Play both on; the number of turns for which nothing told them apart."""
    true, other = moment.state.copy(), imagined(moment, seat)
    for turns in range(12):
        pending = true.pending()
        if not isinstance(pending, Turn):
            return turns
        moves = {owner: moment.dice.choice(true.legal(owner)) for owner in pending.seats}
        if any(code not in other.legal(owner) for owner, code in moves.items()):
            return turns  # a move of another seat's that only its hidden things allow
        pairs = [(true.play(moves), other.play(moves))]
        while isinstance(true.pending(), Chance) and isinstance(other.pending(), Chance):
            pairs.append(fall_alike(moment, true, other))
        if isinstance(true.pending(), Chance) or isinstance(other.pending(), Chance):
            return turns  # it may still be shown what has told them apart
        if any(told(one, seat) != told(two, seat) for one, two in pairs):
            return turns
        check_alike(seat, true, other)
    return 12


def fall_alike(moment: Moment, true: State, other: State) -> tuple[list[Sighting], list[Sighting]]:
    """The same outcome in both positions, if both ask for the same."""
    one, two = true.pending(), other.pending()
    assert isinstance(one, Chance)
    assert isinstance(two, Chance)
    outcome = moment.fast.draw(one.stream, one.sizes)
    same = (one.stream, one.sizes) == (two.stream, two.sizes)
    return true.resolve(outcome), other.resolve(outcome if same else moment.fast.draw(two.stream, two.sizes))


def imagined(moment: Moment, seat: int) -> State:
    case = moment.case
    view, events = moment.state.view(seat), moment.told(seat)
    return case.game.imagine(case.variant, case.config, case.seats, seat, view, events, moment.fast.below)


def check_alike(seat: int, true: State, other: State) -> None:
    """Nothing that the seat or a spectator can see or do is different."""
    assert encode(other.view(seat)) == encode(true.view(seat)), f"what seat {seat} sees"
    assert encode(other.view(None)) == encode(true.view(None)), "what a spectator sees"
    one, two = true.pending(), other.pending()
    assert type(one) is type(two)
    if isinstance(one, Turn) and isinstance(two, Turn):
        assert one.seats == two.seats
        if seat in one.seats:
            assert true.legal(seat) == other.legal(seat)
            assert true.default(seat) == other.default(seat)


AT_A_TURN: list[Law] = [
    imagined_positions_fit,
    imagined_positions_can_be_played,
    equal_sightings_give_equal_views,
]
