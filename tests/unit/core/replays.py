"""True replays of the little games, and what a re-run says of false ones."""

import random

import pytest

from engine_service.core.replay import Lie, verify
from tests.games import TINY_GAMES
from tests.games.coin import COIN
from tests.unit.core.matches import BOT, answer, open_match, owed


def random_match(seed: int, seats: int = 3) -> bytes:
    """A tiny match in which everything happens: bets, swaps, a time-out, a forfeit."""
    chooser = random.Random(seed)
    referee = open_match(seats=seats, limits=BOT, config={"rounds": 6})
    referee.expire(200)  # everybody's first bet is a time-out
    referee.forfeit(1, "resigned", 200)
    while not referee.over:
        for seat in owed(referee):
            decision = referee.decision(seat)
            assert decision is not None
            answer(referee, seat, chooser.choice(decision.legal), 200)
    return referee.replay()


def coin_match() -> bytes:
    referee = open_match(COIN)
    while not referee.over:
        for seat in owed(referee):
            decision = referee.decision(seat)
            assert decision is not None
            answer(referee, seat, decision.legal[seat % len(decision.legal)])
    return referee.replay()


TINY_REPLAY = random_match(5)
COIN_REPLAY = coin_match()


def refusal(data: bytes) -> Lie:
    with pytest.raises(Lie) as lie:
        verify(data, TINY_GAMES)
    assert str(lie.value) == f"line {lie.value.line}: {lie.value.message}"
    return lie.value
