import json

import pytest

from engine_service.core.clock import UNLIMITED
from engine_service.core.game import ConfigError, IllegalMove, NotationError, NotYourTurn
from engine_service.core.record import Decided, Drawn
from engine_service.core.referee import Referee
from engine_service.core.refusals import (
    Answered,
    Late,
    MatchOver,
    Misread,
    NoSeat,
    NotAllowed,
    Stale,
)
from tests.games.coin import COIN
from tests.games.tiny import TINY
from tests.unit.core.matches import BOT, SEED, answer, answer_all, open_match, owed, play_to_the_end

STRANGER = 99


def to_the_choice(referee: Referee) -> None:
    """Past the first bets, to seat 0's choice."""
    answer_all(referee)
    assert owed(referee) == [0]


def test_chance_is_drawn_up_to_the_first_decision() -> None:
    referee = open_match(seats=3)
    assert owed(referee) == [0, 1, 2]
    assert [type(event) for event in referee.log] == [Drawn]
    assert referee.sighting_count == 3


def test_a_decision_tells_its_legal_moves_in_canonical_order() -> None:
    decision = open_match(limits=BOT, now=5).decision(1)
    assert decision is not None
    assert (decision.id, decision.seat) == (1, 1)
    assert decision.legal == ["hold", "bet 1"]
    assert decision.codes == [0, 1]
    assert (decision.opened_ms, decision.deadline_ms, decision.bank_ms) == (5, 155, 50)


def test_a_decision_keeps_its_moves_after_the_match_has_moved_on() -> None:
    referee = open_match()
    decision = referee.decision(0)
    assert decision is not None
    to_the_choice(referee)
    assert decision.legal == ["hold", "bet 1"]


def test_without_limits_a_decision_has_no_deadline() -> None:
    referee = open_match(limits=UNLIMITED)
    decision = referee.decision(0)
    assert decision is not None
    assert decision.deadline_ms is None
    assert referee.deadline() is None


def test_decisions_are_counted_for_each_seat() -> None:
    referee = open_match()
    to_the_choice(referee)
    assert answer(referee, 0, "stay") == 2
    assert (answer(referee, 1, "hold"), answer(referee, 0, "hold")) == (2, 3)


def test_fresh_names_each_newly_opened_decision_once() -> None:
    referee = open_match(seats=3)
    assert referee.fresh() == [0, 1, 2]
    assert referee.fresh() == []
    to_the_choice(referee)
    assert referee.fresh() == [0]
    answer(referee, 0, "stay")
    answer(referee, 2, "hold")
    assert referee.fresh() == [0, 1]


def test_fresh_leaves_out_what_the_clock_has_played_meanwhile() -> None:
    referee = open_match(limits=[BOT, UNLIMITED])
    referee.expire(150)
    assert referee.fresh() == [1]


def test_the_same_answer_again_is_harmless_while_open_closed_and_over() -> None:
    referee = open_match()
    first = answer(referee, 0, "bet 1")
    referee.submit(0, first, "bet 1", 0)
    assert owed(referee) == [1]
    answer(referee, 1, "hold")
    before = referee.log[-1]
    referee.submit(0, first, "bet 1", 0)
    assert referee.log[-1] is before
    play_to_the_end(referee)
    record = referee.replay()
    referee.submit(0, first, "bet 1", 0)
    assert referee.replay() == record


def test_another_answer_is_refused_and_the_first_stands() -> None:
    referee = open_match()
    first = answer(referee, 0, "bet 1")
    with pytest.raises(Answered, match="seat 0 has answered decision 1 with 'bet 1'"):
        referee.submit(0, first, "hold", 0)
    answer(referee, 1, "hold")
    with pytest.raises(Answered):
        referee.submit(0, first, "rubbish", 0)
    decided = [event for event in referee.log if isinstance(event, Decided)]
    assert decided[0].moves == {0: 1, 1: 0}


def test_a_decision_that_is_not_open_is_refused() -> None:
    referee = open_match()
    for number in (0, 2, -1, 10**9):
        with pytest.raises(Stale, match=f"not asked decision {number}; it owes decision 1"):
            referee.submit(0, number, "hold", 0)


def test_a_seat_that_owes_nothing_is_refused() -> None:
    referee = open_match()
    to_the_choice(referee)
    with pytest.raises(NotYourTurn, match="it owes nothing now") as refusal:
        referee.submit(1, 2, "stay", 0)
    assert type(refusal.value) is NotYourTurn


@pytest.mark.parametrize("seat", [-1, 2, STRANGER])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    referee = open_match()
    with pytest.raises(NoSeat, match="seats 0 to 1"):
        referee.submit(seat, 1, "hold", 0)
    with pytest.raises(NoSeat):
        referee.decision(seat)
    with pytest.raises(NoSeat):
        referee.forfeit(seat, "resigned", 0)


def test_nothing_is_taken_after_the_end() -> None:
    referee = open_match()
    play_to_the_end(referee)
    with pytest.raises(MatchOver):
        referee.submit(0, STRANGER, "hold", 0)
    assert referee.decision(0) is None
    assert referee.deadline() is None
    assert referee.fresh() == []


def test_an_illegal_move_is_refused_with_what_would_count() -> None:
    referee = open_match()
    with pytest.raises(NotAllowed) as refusal:
        referee.submit(0, 1, "bet 3", 0)
    assert str(refusal.value) == "seat 0 may not play 'bet 3' now; it may play 2 moves: hold, bet 1"
    assert refusal.value.tries_left == 2
    assert isinstance(refusal.value, IllegalMove)
    assert answer(referee, 0, "hold") == 1


@pytest.mark.parametrize(
    "text", ["", "HOLD", "hold ", "bet 01", "\x00", "ほ", "\ud800", "x" * 257, "x" * 10**6]
)
def test_what_no_move_reads_like_is_refused(text: str) -> None:
    referee = open_match()
    with pytest.raises(Misread) as refusal:
        referee.submit(0, 1, text, 0)
    assert refusal.value.tries_left == 2
    assert isinstance(refusal.value, NotationError)
    assert len(str(refusal.value)) < 400


def test_the_third_refused_answer_lets_the_clock_play() -> None:
    referee = open_match(seats=2, limits=BOT)
    for left in (2, 1):
        with pytest.raises(Misread) as refusal:
            referee.submit(0, 1, "rubbish", 0)
        assert refusal.value.tries_left == left
    with pytest.raises(NotAllowed, match="refused 3 times, so the clock has played 'hold'") as last:
        referee.submit(0, 1, "swap", 9)
    assert last.value.tries_left == 0
    assert owed(referee) == [1]
    with pytest.raises(Late):
        referee.submit(0, 1, "hold", 9)
    answer(referee, 1, "hold", 30)
    decided = referee.log[-1]
    assert isinstance(decided, Decided)
    assert (decided.moves, decided.ms, decided.why) == ({0: 0, 1: 0}, {0: 9, 1: 30}, {0: "illegal"})


def test_tries_are_counted_for_each_decision() -> None:
    referee = open_match()
    for _ in range(4):
        for seat in owed(referee):
            decision = referee.decision(seat)
            assert decision is not None
            for left in (2, 1):
                with pytest.raises(Misread) as refusal:
                    referee.submit(seat, decision.id, "rubbish", 0)
                assert refusal.value.tries_left == left
            referee.submit(seat, decision.id, decision.legal[0], 0)
    assert not any(event.why for event in referee.log if isinstance(event, Decided))


def test_a_refused_answer_to_another_decision_costs_no_try() -> None:
    referee = open_match()
    for _ in range(5):
        with pytest.raises(Stale):
            referee.submit(0, 7, "rubbish", 0)
    with pytest.raises(Misread) as refusal:
        referee.submit(0, 1, "rubbish", 0)
    assert refusal.value.tries_left == 2


def test_sightings_are_numbered_and_kept_from_other_eyes() -> None:
    referee = open_match(seats=3)
    assert referee.sightings(None, 0) == []
    for seat in range(3):
        [(n, event)] = referee.sightings(seat, 0)
        assert (n, event["event"], event["seat"]) == (seat, "drew", seat)
    assert referee.sightings(0, 1) == []
    to_the_choice(referee)
    assert (
        referee.sightings(None, 0) == referee.sightings(1, 3) == [(3, {"event": "bets", "bets": [0, 0, 0]})]
    )
    assert referee.sightings(1, referee.sighting_count) == []
    assert referee.sightings(1, -5) == referee.sightings(1, 0)
    assert referee.sightings(1, 1000) == []


def test_when_all_is_public_everybody_sees_the_same_numbers() -> None:
    referee = open_match(COIN)
    play_to_the_end(referee)
    numbers = [n for n, _ in referee.sightings(0, 0)]
    assert numbers == list(range(referee.sighting_count))
    assert referee.sightings(0, 3) == referee.sightings(None, 0)[3:]


def test_views_are_the_positions() -> None:
    referee = open_match()
    cards = [referee.view(seat)["card"] for seat in (0, 1)]
    assert all(cards)
    assert referee.view(None)["card"] is None
    play_to_the_end(referee)
    assert referee.view(None)["cards"] == [referee.view(0)["card"], referee.view(1)["card"]]


def test_the_outcome_follows_from_the_rules() -> None:
    referee = open_match(seats=3)
    play_to_the_end(referee)
    result = referee.result
    assert result.end == "normal"
    assert result.scores == [referee.view(seat)["card"] for seat in range(3)]
    assert result.ranks == result.placements
    assert (result.forfeits, result.strikes, result.all_forfeited) == ({}, [0, 0, 0], False)
    assert result.moves == sum(len(event.moves) for event in referee.log if isinstance(event, Decided)) == 16


def test_seed_and_result_are_kept_until_the_end() -> None:
    referee = open_match()
    with pytest.raises(ValueError, match="not over"):
        referee.replay()
    with pytest.raises(ValueError, match="not over"):
        _ = referee.result
    play_to_the_end(referee)
    assert json.loads(referee.replay().splitlines()[-1])["seed"] == SEED.hex()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "mega"}, "no variant 'mega'"),
        ({"seats": 5}, "not by 5"),
        ({"players": ["a"]}, "1 players"),
        ({"limits": []}, "0 limits"),
        ({"config": {"rounds": 0}}, "rounds is 0"),
        ({"config": {"luck": 1}}, "no setting 'luck'"),
    ],
)
def test_a_match_that_cannot_be_is_refused(change: dict[str, object], message: str) -> None:
    settings = {
        "match": "m",
        "game": TINY,
        "variant": "standard",
        "config": {},
        "seats": 2,
        "players": ["a", "b"],
        "seed": SEED,
        "limits": [UNLIMITED, UNLIMITED],
        "now": 0,
    }
    with pytest.raises(ConfigError, match=message):
        Referee(**{**settings, **change})  # type: ignore[arg-type]  # the wrong values are the test
