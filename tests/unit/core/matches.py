"""Matches of the little games, for the referee's tests."""

from engine_service.core.clock import UNLIMITED, Limits
from engine_service.core.game import Config, Game
from engine_service.core.referee import Referee
from tests.games.tiny import TINY

SEED = bytes(range(32))
BOT = Limits(first_ms=100, move_ms=20, bank_ms=50, grace_ms=1000)
PERSON = Limits(first_ms=100, move_ms=20, bank_ms=50, grace_ms=1000, may_forfeit=False)


def open_match(
    game: Game = TINY,
    seats: int = 2,
    limits: Limits | list[Limits] = UNLIMITED,
    seed: bytes = SEED,
    config: Config | None = None,
    now: int = 0,
) -> Referee:
    """A match that has just begun; one limit stands for every seat."""
    return Referee(
        match="m1",
        game=game,
        variant="standard",
        config=config or {},
        seats=seats,
        players=[f"owner/bot{seat}@1" for seat in range(seats)],
        seed=seed,
        limits=limits if isinstance(limits, list) else [limits] * seats,
        now=now,
    )


def owed(referee: Referee) -> list[int]:
    """The seats that owe a decision."""
    return [seat for seat in range(referee.seats) if referee.decision(seat)]


def answer(referee: Referee, seat: int, text: str, now: int = 0) -> int:
    """Answer the open decision; its id."""
    decision = referee.decision(seat)
    assert decision is not None
    referee.submit(seat, decision.id, text, now)
    return decision.id


def answer_all(referee: Referee, now: int = 0) -> None:
    """Every seat that owes a decision plays its first legal move."""
    for seat in owed(referee):
        decision = referee.decision(seat)
        assert decision is not None
        referee.submit(seat, decision.id, decision.legal[0], now)


def play_to_the_end(referee: Referee, now: int = 0) -> None:
    """First legal moves until it is over."""
    while not referee.over:
        answer_all(referee, now)
