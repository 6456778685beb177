"""Laws of whole matches, under the referee."""

import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_service.core.clock import Limits
from engine_service.core.game import MoveError
from engine_service.core.record import Decided, encode
from engine_service.core.referee import Referee
from engine_service.core.refusals import Late
from engine_service.core.replay import verify, walk
from tests.laws import digest
from tests.laws.cases import ALL_GAMES, CASES, Case

ROOT = Path(__file__).parents[2]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


fewer = settings(max_examples=max(2, settings().max_examples // 3))  # a match is long


@every_case
@fewer
@given(seed=st.integers(0, 2**32))
def test_a_match_is_told_alike_from_its_replay(case: Case, seed: int) -> None:
    referee = digest.play(case, seed)
    tale = walk(referee.replay(), ALL_GAMES)
    told = [sighting for step in tale.steps() for sighting in step.sightings]
    assert (tale.end.end, tale.end.scores, tale.end.ranks) == (
        referee.result.end,
        referee.result.scores,
        referee.result.ranks,
    )
    assert len(told) == referee.sighting_count
    for seat in (None, *range(case.seats)):
        seen = [(n, s.event) for n, s in enumerate(told) if s.audience is None or seat in s.audience]
        assert referee.sightings(seat, 0) == seen
        assert tale.state.view(seat) == referee.view(seat)


@every_case
@fewer
@given(seed=st.integers(0, 2**32))
def test_a_match_survives_whatever_its_players_do(case: Case, seed: int) -> None:
    rough = Rough(case, seed)
    rough.play()
    result = rough.referee.result
    verified = verify(rough.referee.replay(), ALL_GAMES)
    assert verified.scores == result.scores
    assert set(verified.forfeited) <= set(result.forfeits)
    assert result.all_forfeited == (len(result.forfeits) == case.seats)
    last = [result.placements[seat] for seat in result.forfeits]
    assert all(place == case.seats - len(result.forfeits) for place in last)
    for seat in range(case.seats):
        numbers = [n for n, _ in rough.referee.sightings(seat, 0)]
        assert numbers == sorted(set(numbers))


class Rough:
    """A match in which answers are late, wrong or doubled, connections drop and bots die."""

    def __init__(self, case: Case, seed: int) -> None:
        self.dice = random.Random(seed)
        self.now = self.dice.randrange(10**6)
        self.seats = case.seats
        self.referee = Referee(
            match="rough",
            game=case.game,
            variant=case.variant,
            config=case.config,
            seats=case.seats,
            players=['ムシ "quoted" \\'] * case.seats,
            seed=self.dice.randbytes(32),
            limits=[self.limits() for _ in range(case.seats)],
            now=self.now,
        )

    def limits(self) -> Limits:
        choose = self.dice.choice
        return Limits(
            choose([None, 40, 400]), choose([None, 20, 200]), choose([0, 50]), 300, choose([True, False])
        )

    def play(self) -> None:
        while not self.referee.over:
            self.now += self.dice.choice([0, 0, 0, 1, 5, 30])
            seat = self.dice.randrange(self.seats)
            self.dice.choices(
                [self.answer, self.blunder, self.wait, self.move_about, self.die], [300, 6, 3, 6, 0.1]
            )[0](seat)

    def answer(self, seat: int) -> None:
        decision = self.referee.decision(seat)
        if decision is None:
            return
        text = self.dice.choice(decision.legal)
        with suppress(Late):
            self.referee.submit(seat, decision.id, text, self.now)
            self.referee.submit(seat, decision.id, text, self.now)

    def blunder(self, seat: int) -> None:
        number = self.dice.choice([0, 1, 2, 10**6])
        decision = self.referee.decision(seat)
        if decision is not None and self.dice.random() < 0.7:
            number = decision.id
        before = len(self.referee.log)
        with pytest.raises(MoveError):
            self.referee.submit(seat, number, self.dice.choice(["", "rubbish", "hub?"]), self.now)
        assert len(self.referee.log) >= before

    def wait(self, seat: int) -> None:
        due = self.referee.deadline()
        if due is None:
            return
        before = len(self.referee.log)
        self.now = max(self.now, due - 1)
        if self.now < due:
            self.referee.expire(self.now)
            assert len(self.referee.log) == before
        self.now = max(self.now, due)
        self.referee.expire(self.now)
        after = self.referee.deadline()
        assert after is None or after > self.now

    def move_about(self, seat: int) -> None:
        do = self.dice.choice(
            [self.referee.leave, self.referee.come, self.referee.stop_clock, self.referee.start_clock]
        )
        do(seat, self.now)

    def die(self, seat: int) -> None:
        self.referee.forfeit(seat, self.dice.choice(["crash", "resigned"]), self.now)


@every_case
def test_times_are_kept_as_measured(case: Case) -> None:
    """A replay's moves and times, walked through a referee again, give the same bytes."""
    first = digest.referee_of(case, 3)
    dice, now = random.Random(3), 0
    while not first.over:
        for seat in first.fresh():
            decision = first.decision(seat)
            assert decision is not None
            now = decision.opened_ms + dice.randrange(50)
            first.submit(seat, decision.id, dice.choice(decision.legal), now)
    again = digest.referee_of(case, 3)
    for event in first.log:
        if isinstance(event, Decided):
            for seat, code in event.moves.items():
                decision = again.decision(seat)
                assert decision is not None
                text = case.game.format(code)
                again.submit(seat, decision.id, text, decision.opened_ms + event.ms[seat])
    assert again.replay() == first.replay()


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_another_process_comes_to_the_same(hash_seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.laws.digest"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    assert done.stdout.strip() == digest.digest()


def test_the_digest_tells_matches_apart() -> None:
    """Else comparing it would show nothing."""
    case = CASES[0]
    prints = {
        encode([line.decode() for line in digest.play(case, seed).replay().splitlines()]) for seed in range(4)
    }
    assert len(prints) == 4
