"""Strikes are told from the replay alone, each with what that seat saw when it was asked."""

import json

import pytest

from engine_service.core.record import encode
from engine_service.games import GAMES
from scheduler.bot_logs import Strike, strikes
from tests.unit.core.matches import BOT, answer_all, open_match, owed


@pytest.mark.parametrize("game", ["mushi", "seimi"])
def test_a_strike_has_the_view_of_its_seat_and_the_clocks_move(game: str) -> None:
    referee = open_match(GAMES[game], limits=BOT, config=dict(GAMES[game].card.variants[0].config))
    late: list[tuple[int, str]] = []
    now = 0
    for _ in range(2):  # whose turn it is lets its time run out, once each or twice
        now += 10_000
        for seat in owed(referee):
            decision = referee.decision(seat)
            assert decision is not None
            late.append((seat, encode(decision.view)))
        referee.expire(now)
    while not referee.over:
        answer_all(referee, now)
    told = [(seat, one) for seat in (0, 1) for one in strikes(referee.replay(), seat)]
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


def test_what_follows_a_forfeit_is_no_strike() -> None:
    referee = open_match(GAMES["mushi"], config=dict(GAMES["mushi"].card.variants[0].config))
    referee.forfeit(1, "crash", 0)
    while not referee.over:
        answer_all(referee)
    assert strikes(referee.replay(), 1) == []
