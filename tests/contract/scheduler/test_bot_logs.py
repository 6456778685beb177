"""Strikes are told from the replay alone, each with what that seat saw when it was asked."""

import json

import pytest

from engine_service.core.game import configure
from engine_service.core.record import encode
from engine_service.games import GAMES
from scheduler.bot_logs import Strike, strikes
from tests.unit.core.matches import BOT, answer_all, open_match, owed


@pytest.mark.parametrize(("game", "seats"), [("mushi", 2), ("seimi", 3)])
def test_a_strike_has_the_view_of_its_seat_and_the_clocks_move(game: str, seats: int) -> None:
    referee = open_match(GAMES[game], seats, BOT, config=configure(GAMES[game].card.variants[0], {}))
    late: list[tuple[int, str]] = []
    now = 0
    for _ in range(2):  # whose turn it is lets its time run out, once each or twice
        now += 10_000
        for seat in owed(referee):
            decision = referee.decision(seat)
            assert decision is not None
            late.append((seat, encode(referee.view(seat))))
        referee.expire(now)
    while not referee.over:
        answer_all(referee, now)
    told = [(seat, one) for seat in range(seats) for one in strikes(referee.replay(), seat)]
    assert sorted((seat, one.view) for seat, one in told) == sorted(late)
    assert {one.reason for _, one in told} == {"timeout"}
    lines = [json.loads(line) for line in referee.replay().splitlines()]
    for seat, one in told:
        assert played(lines, seat, one) == one.move


def played(lines: list[dict[str, object]], seat: int, strike: Strike) -> object:
    (line,) = [line for line in lines if line.get("n") == strike.event]
    moves = line["moves"]
    assert isinstance(moves, dict)
    return moves[str(seat)]


def test_the_move_that_forfeits_is_told_and_what_follows_is_not() -> None:
    referee = open_match(GAMES["mushi"], config=configure(GAMES["mushi"].card.variants[0], {}))
    referee.forfeit(1, "crash", 0)
    while not referee.over:
        answer_all(referee)
    assert [one.reason for one in strikes(referee.replay(), 1)] == ["crash"]
