"""A fingerprint of a match of every usual case, to be compared between processes.

``python -m tests.laws.digest`` prints it.
"""

import hashlib
import sys

from engine_service.core.clock import UNLIMITED
from engine_service.core.record import encode
from engine_service.core.referee import Referee
from tests.laws.cases import CASES, Case
from tests.laws.players import any_move_of

USUAL = [case for case in CASES if "odd" not in case.name]


def referee_of(case: Case, seed: int) -> Referee:
    """A match of a case that has just begun, without limits."""
    return Referee(
        match=case.name,
        game=case.game,
        variant=case.variant,
        config=case.config,
        seats=case.seats,
        players=[f"player/{seat}@1" for seat in range(case.seats)],
        seed=hashlib.sha256(f"{case.name}/{seed}".encode()).digest(),
        limits=[UNLIMITED] * case.seats,
        now=0,
    )


def play(case: Case, seed: int) -> Referee:
    """A finished match of random moves."""
    referee, choose = referee_of(case, seed), any_move_of(seed)
    while not referee.over:
        for seat in referee.fresh():
            decision = referee.decision(seat)
            assert decision is not None
            referee.submit(seat, decision.id, choose(decision.legal), 0)
    return referee


def digest() -> str:
    """Everything that anybody was shown, and the replay, of every usual case."""
    total = hashlib.sha256()
    for case in USUAL:
        referee = play(case, 1)
        total.update(referee.replay())
        for seat in (None, *range(case.seats)):
            total.update(encode([referee.sightings(seat, 0), referee.view(seat)]).encode())
    return total.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(digest() + "\n")
