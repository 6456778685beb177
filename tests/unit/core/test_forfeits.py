"""Strikes, forfeits, absence: who plays when a seat does not."""

import json

import pytest

from engine_service.core.clock import UNLIMITED, Limits
from engine_service.core.outcome import placements
from engine_service.core.record import Decided
from engine_service.core.referee import Referee
from engine_service.core.refusals import Forfeited, Late
from engine_service.core.replay import verify
from tests.games import TINY_GAMES
from tests.unit.core.matches import BOT, PERSON, answer, open_match, owed, play_to_the_end


def reasons(referee: Referee, seat: int) -> list[str | None]:
    """Why the clock played each of a seat's moves; None: it did not."""
    return [
        event.why.get(seat) for event in referee.log if isinstance(event, Decided) and seat in event.moves
    ]


def run_out(referee: Referee, seat: int) -> None:
    """Let the seat's time run out, the others answering at once."""
    now = referee.decision(seat).opened_ms if referee.decision(seat) else 0  # type: ignore[union-attr]  # just asked
    for other in owed(referee):
        if other != seat:
            decision = referee.decision(other)
            assert decision is not None
            answer(referee, other, decision.legal[0], now)
    due = referee.deadline()
    assert due is not None
    referee.expire(due - 1)
    assert seat in owed(referee)
    referee.expire(due)


def test_a_timeout_is_played_and_noted() -> None:
    referee = open_match(limits=BOT)
    run_out(referee, 1)
    decided = next(event for event in referee.log if isinstance(event, Decided))
    assert (decided.moves[1], decided.ms[1], decided.why) == (0, 150, {1: "timeout"})


def test_the_third_strike_forfeits_a_bot() -> None:
    referee = open_match(limits=[BOT, UNLIMITED], config={"rounds": 9, "turn_limit": 100})
    now = 0
    while 0 not in referee.forfeits:
        now += 1000
        referee.expire(now)
        for seat in owed(referee):
            if seat == 1:
                answer(referee, 1, "hold" if referee.view(1)["phase"] == 1 else "stay", now)
    play_to_the_end(referee, now)
    assert referee.forfeits == {0: "timeout"}
    why = reasons(referee, 0)
    assert why[:3] == ["timeout"] * 3
    assert set(why[3:]) == {"forfeited"}
    assert referee.result.strikes == [3, 0]
    with pytest.raises(Forfeited, match=r"seat 0 is forfeited \(timeout\)"):
        referee_with_forfeit().submit(0, 99, "hold", 0)


def referee_with_forfeit() -> Referee:
    referee = open_match()
    referee.forfeit(0, "timeout", 0)
    return referee


def test_strikes_of_every_kind_add_up() -> None:
    referee = open_match(limits=[BOT, UNLIMITED], config={"rounds": 9, "turn_limit": 100})
    run_out(referee, 0)
    for _ in range(3):
        with pytest.raises(Exception, match="now"):
            referee.submit(0, 2, "bet 1", 150)
    assert referee.forfeits == {}
    referee.leave(0, 160)
    answer(referee, 1, "hold", 200)
    due = referee.deadline()
    assert due is not None
    referee.expire(due)
    assert referee.forfeits == {0: "disconnect"}
    assert reasons(referee, 0)[:3] == ["timeout", "illegal", "disconnect"]


def test_a_person_is_never_forfeited_by_the_clock() -> None:
    referee = open_match(limits=[PERSON, UNLIMITED], config={"rounds": 9, "turn_limit": 100})
    now = 0
    while not referee.over:
        now += 1000
        referee.expire(now)
        if referee.decision(1) if not referee.over else None:
            answer(referee, 1, "hold" if referee.view(1)["phase"] == 1 else "stay", now)
    assert referee.forfeits == {}
    assert referee.result.strikes[0] == len(reasons(referee, 0)) > 3
    assert set(reasons(referee, 0)) == {"timeout"}


def test_a_person_may_resign() -> None:
    referee = open_match(limits=PERSON)
    referee.forfeit(0, "resigned", 5)
    answer(referee, 1, "hold", 5)
    play_to_the_end(referee, 5)
    assert referee.result.forfeits == {0: "resigned"}
    assert set(reasons(referee, 0)) == {"forfeited"}
    assert referee.result.strikes == [0, 0]


def test_a_dead_bot_is_forfeited_at_once() -> None:
    referee = open_match()
    referee.forfeit(0, "crash", 7)
    assert owed(referee) == [1]
    answer(referee, 1, "hold", 8)
    assert owed(referee) == [1]  # seat 0 has made its choice already
    play_to_the_end(referee, 9)
    assert reasons(referee, 0)[0] == "crash"
    assert set(reasons(referee, 0)[1:]) == {"forfeited"}
    assert all(event.ms.get(0, 0) == 0 for event in referee.log if isinstance(event, Decided))


def test_a_bot_that_dies_owing_nothing_is_forfeited_from_its_next_decision_on() -> None:
    referee = open_match()
    answer(referee, 0, "bet 1")
    referee.forfeit(0, "crash", 0)
    answer(referee, 1, "hold")
    assert reasons(referee, 0)[:2] == [None, "forfeited"]
    assert referee.view(None)["bets"] == [1, 0]


def test_the_first_reason_for_a_forfeit_stands() -> None:
    referee = open_match()
    referee.forfeit(0, "resigned", 0)
    referee.forfeit(0, "crash", 0)
    assert referee.forfeits == {0: "resigned"}


def test_a_forfeit_after_the_end_changes_nothing() -> None:
    referee = open_match()
    play_to_the_end(referee)
    referee.forfeit(0, "crash", 0)
    referee.leave(1, 0)
    referee.expire(10**9)
    referee.come(1, 0)
    assert referee.result.forfeits == {}
    assert not referee.result.all_forfeited


def test_when_all_are_forfeited_the_match_plays_itself_out_and_is_void() -> None:
    referee = open_match(seats=4)
    for seat in range(4):
        referee.forfeit(seat, "crash", 0)
    assert referee.over
    assert referee.result.all_forfeited
    assert referee.result.placements == [0, 0, 0, 0]
    assert verify(referee.replay(), TINY_GAMES).forfeited == [0, 1, 2, 3]


def test_forfeited_seats_share_the_last_place_whatever_the_rules_say() -> None:
    assert placements([0, 1, 2, 3], {0}) == [3, 0, 1, 2]
    assert placements([0, 1, 1, 3], {3}) == [0, 1, 1, 3]
    assert placements([0, 1, 1, 3], {0, 3}) == [2, 0, 0, 2]
    assert placements([0, 0, 2], {1}) == [0, 2, 1]
    assert placements([0, 0, 2], {}) == [0, 0, 2]
    assert placements([0], {0}) == [0]


def test_the_replay_ranks_by_the_rules_alone() -> None:
    referee = open_match(seats=3)
    referee.forfeit(2, "resigned", 0)
    play_to_the_end(referee)
    end = json.loads(referee.replay().splitlines()[-1])
    assert end["ranks"] == referee.result.ranks
    assert referee.result.placements[2] == 2
    assert verify(referee.replay(), TINY_GAMES).forfeited == [2]


def test_an_absent_seat_is_played_when_grace_is_over() -> None:
    referee = open_match(limits=Limits(None, None, 0, grace_ms=1000))
    referee.leave(0, 100)
    assert referee.deadline() == 1100
    answer(referee, 1, "hold", 200)
    referee.expire(1099)
    assert owed(referee) == [0]
    referee.expire(1100)
    assert reasons(referee, 0)[0] == "disconnect"


def test_a_seat_that_stays_away_is_played_at_once_and_a_bot_forfeited() -> None:
    referee = open_match(limits=Limits(None, None, 0, grace_ms=1000), config={"rounds": 9, "turn_limit": 100})
    referee.leave(0, 0)
    answer(referee, 1, "hold", 0)
    referee.expire(1000)
    assert reasons(referee, 0) == ["disconnect"] * 2
    answer(referee, 1, "hold", 1000)
    assert reasons(referee, 0) == ["disconnect"] * 3
    assert referee.forfeits == {0: "disconnect"}


def test_a_seat_that_comes_back_in_time_plays_on() -> None:
    referee = open_match(limits=Limits(None, None, 0, grace_ms=1000))
    referee.leave(0, 100)
    referee.come(0, 1099)
    assert referee.deadline() is None
    answer(referee, 0, "bet 1", 5000)
    answer(referee, 1, "hold", 5000)
    assert reasons(referee, 0) == [None]


def test_coming_back_late_does_not_undo_what_was_due() -> None:
    referee = open_match(limits=Limits(None, None, 0, grace_ms=1000))
    referee.leave(0, 100)
    referee.come(0, 1100)
    assert owed(referee) == [1]
    with pytest.raises(Late):
        referee.submit(0, 1, "bet 1", 1100)
    referee.leave(0, 1200)
    answer(referee, 1, "hold", 1200)
    assert referee.deadline() == 2200  # a new grace


def test_the_clock_of_an_absent_seat_may_run_out_before_its_grace() -> None:
    referee = open_match(limits=[BOT, UNLIMITED])
    referee.leave(0, 10)
    assert referee.deadline() == 150
    referee.expire(150)
    answer(referee, 1, "hold", 150)
    assert reasons(referee, 0) == ["disconnect"]


def test_time_of_a_hand_over_is_not_charged() -> None:
    referee = open_match(limits=BOT)
    referee.stop_clock(0, 0)
    answer(referee, 1, "hold", 10)
    assert referee.deadline() is None
    decision = referee.decision(0)
    assert decision is not None
    assert decision.deadline_ms is None
    referee.start_clock(0, 1000)
    assert referee.deadline() == 1150
    answer(referee, 0, "bet 1", 1120)
    decided = next(event for event in referee.log if isinstance(event, Decided))
    assert decided.ms == {0: 120, 1: 10}
    following = referee.decision(0)
    assert following is not None
    assert following.bank_ms == 30


def test_the_decision_after_a_late_expiry_begins_then() -> None:
    referee = open_match(limits=BOT)
    answer(referee, 1, "hold", 0)
    referee.expire(5000)  # the server was busy
    decision = referee.decision(0)
    assert decision is not None
    assert decision.opened_ms == 5000
    assert decision.bank_ms == 0


def test_an_answer_at_the_deadline_is_late_and_one_before_it_in_time() -> None:
    early, late = open_match(limits=BOT), open_match(limits=BOT)
    answer(early, 0, "bet 1", 149)
    with pytest.raises(Late):
        late.submit(0, 1, "bet 1", 150)


def test_a_match_with_everything_in_it_verifies() -> None:
    referee = open_match(seats=4, limits=BOT, config={"rounds": 9, "turn_limit": 100})
    referee.forfeit(3, "crash", 0)
    run_out(referee, 0)
    referee.leave(1, 150)
    now = 150
    while not referee.over:
        now += 10
        answer_all_but(referee, 1, now)
        referee.expire(now)
    assert {reason for seat in range(4) for reason in reasons(referee, seat)} == {
        None,
        "timeout",
        "crash",
        "disconnect",
        "forfeited",
    }
    assert verify(referee.replay(), TINY_GAMES).scores == referee.result.scores


def answer_all_but(referee: Referee, absent: int, now: int) -> None:
    for seat in owed(referee):
        decision = referee.decision(seat)
        if seat != absent and decision is not None:
            answer(referee, seat, decision.legal[-1], now)
