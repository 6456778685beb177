"""What a sealed decision shows before every seat has answered: nothing."""

from collections.abc import Callable
from itertools import permutations

import pytest

from engine_service.core.clock import UNLIMITED
from engine_service.core.record import Decided
from engine_service.core.referee import Referee
from engine_service.core.refusals import Late, Misread
from tests.unit.core.matches import BOT, answer, open_match, owed

Sight = tuple[object, ...]


def sight(referee: Referee, seat: int | None) -> Sight:
    """All that the referee tells a seat, or a spectator."""
    decision = None if seat is None else referee.decision(seat)
    told = (decision.id, decision.legal, decision.deadline_ms, decision.bank_ms) if decision else None
    return (
        referee.view(seat),
        referee.sightings(seat, 0),
        referee.sighting_count,
        told,
        referee.over,
        len(referee.log),
    )


def misread_thrice(referee: Referee) -> None:
    for _ in range(3):
        with pytest.raises(Misread):
            referee.submit(0, 1, "rubbish", 10)


DEEDS: dict[str, Callable[[Referee], object]] = {
    "a bet": lambda referee: referee.submit(0, 1, "bet 1", 10),
    "a pass": lambda referee: referee.submit(0, 1, "hold", 10),
    "a move by the clock": lambda referee: referee.expire(150),
    "three refusals": misread_thrice,
    "a crash": lambda referee: referee.forfeit(0, "crash", 10),
    "a resignation": lambda referee: referee.forfeit(0, "resigned", 10),
    "a lost connection": lambda referee: referee.leave(0, 10),
}


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS.keys())
def test_the_others_see_nothing_of(deed: Callable[[Referee], object]) -> None:
    referee = open_match(seats=3, limits=[BOT, UNLIMITED, UNLIMITED])
    before = [sight(referee, seat) for seat in (1, 2, None)]
    referee.fresh()
    deed(referee)
    assert [sight(referee, seat) for seat in (1, 2, None)] == before
    assert referee.fresh() == []


def test_a_seat_that_has_answered_owes_nothing_more() -> None:
    referee = open_match(seats=3, limits=BOT)
    answer(referee, 1, "bet 1", 10)
    assert owed(referee) == [0, 2]
    assert referee.deadline() == 150
    referee.leave(1, 11)
    referee.expire(149)
    answer(referee, 0, "hold", 20)
    answer(referee, 2, "hold", 20)
    decided = next(event for event in referee.log if isinstance(event, Decided))
    assert decided.why == {}
    assert decided.ms == {0: 20, 1: 10, 2: 20}


def test_each_seat_has_a_deadline_of_its_own() -> None:
    referee = open_match(seats=3, limits=BOT)
    referee.stop_clock(2, 0)
    referee.start_clock(2, 30)
    assert referee.deadline() == 150
    answer(referee, 1, "bet 1", 149)
    referee.expire(150)
    assert owed(referee) == [2]
    assert referee.deadline() == 180
    with pytest.raises(Late):
        referee.submit(0, 1, "hold", 151)
    answer(referee, 2, "bet 1", 179)
    decided = next(event for event in referee.log if isinstance(event, Decided))
    assert (decided.moves, decided.why) == ({0: 0, 1: 1, 2: 1}, {0: "timeout"})
    assert decided.ms == {0: 150, 1: 149, 2: 149}


def test_a_late_answer_does_not_disturb_the_others() -> None:
    referee = open_match(seats=3, limits=[BOT, UNLIMITED, UNLIMITED])
    with pytest.raises(Late, match="decision 1 of seat 0 was due"):
        referee.submit(0, 1, "bet 1", 150)
    assert owed(referee) == [1, 2]
    answer(referee, 1, "bet 1", 500)
    answer(referee, 2, "hold", 500)
    assert referee.view(None)["bets"] == [0, 1, 0]


def test_the_order_of_answers_makes_no_difference() -> None:
    bets = {0: "bet 1", 1: "hold", 2: "bet 1"}
    replays = set()
    for order in permutations(bets):
        referee = open_match(seats=3)
        for seat in order:
            answer(referee, seat, bets[seat])
        while not referee.over:
            for seat in [seat for seat in order if seat in owed(referee)]:
                decision = referee.decision(seat)
                assert decision is not None
                answer(referee, seat, decision.legal[-1])
        replays.add(referee.replay())
    assert len(replays) == 1
