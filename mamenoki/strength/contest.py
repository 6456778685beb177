"""One bot among others of another kind, on deals that are played from every seat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import copysign, inf

from engine_service.games import find
from mamenoki.house import make
from mamenoki.sdk.local import Played, Table, match_seed, play_match
from mamenoki.strength.stopwatch import Timed
from mamenoki.strength.trial import Claim, Trial

EDGE = 0.2
"""What is to be told from nothing: a share of wins so much above an equal one, relatively."""
COOP_EDGE = 1.0
"""In play together: so many points more on the same deals."""


class Faulty(Exception):
    """A house bot raised or was refused, so that nothing is measured: who, in what, and why."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """House programs: ``one`` is asked about, ``other`` is what it is measured by.

    Where seats play against each other, one of ``one`` sits among ``seats`` - 1 of ``other``;
    where they play together, all seats are ``one`` and then, on the same deal, all ``other``.
    """

    game: str
    seats: int
    one: str
    other: str

    @property
    def together(self) -> bool:
        return find(self.game)[1].cooperative


@dataclass(slots=True)
class Outcome:
    """What came of a pairing. Means are of a match; ``cpu_ns``: what ``one``'s decisions took of a processor."""

    pairing: Pairing
    trial: Trial
    matches: int = 0
    scores: list[float] = field(default_factory=lambda: [0.0, 0.0])
    decisions: int = 0
    cpu_ns: int = 0

    @property
    def z(self) -> float:
        """How many standard errors the mean lies above the null's; infinite if all observations are alike."""
        error, step = self.trial.error, self.trial.mean - self.trial.claim.null
        return step / error if error else copysign(inf, step)

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of a processor that a decision of ``one`` takes on average."""
        return self.cpu_ns / 1e6 / self.decisions if self.decisions else 0.0

    def count(self, own: Sequence[Timed]) -> None:
        """A match more, of which these bots were ``one``'s."""
        self.matches += 1
        for bot in own:
            self.decisions += bot.decisions
            self.cpu_ns += bot.cpu_ns


def contest(pairing: Pairing, seed: int, most: int) -> Outcome:
    """Play until the test knows, or ``most`` matches have been played. Raises Faulty."""
    together = pairing.together
    null = 0.0 if together else 1 / pairing.seats
    alternative = COOP_EDGE if together else null * (1 + EDGE)
    outcome = Outcome(pairing, Trial(Claim(null, alternative)))
    observe = _observe_together if together else _observe_against
    for deal in _deals(seed, most // (2 if together else pairing.seats)):
        outcome.trial.observe(observe(outcome, deal))
        if outcome.trial.verdict is not None:
            break
    return outcome


def _deals(seed: int, count: int) -> Iterator[bytes]:
    return (match_seed(seed, index) for index in range(count))


def _observe_against(outcome: Outcome, deal: bytes) -> float:
    """The share of wins over one deal, ``one`` at each of its seats in turn; a shared win counts its part."""
    pairing = outcome.pairing
    won = 0.0
    for own in range(pairing.seats):
        programs = [pairing.one if seat == own else pairing.other for seat in range(pairing.seats)]
        played, bots = _play(pairing, programs, deal)
        placements = played.outcome.placements
        won += (placements[own] == 0) / placements.count(0)
        outcome.count([bots[own]])
    return won / pairing.seats


def _observe_together(outcome: Outcome, deal: bytes) -> float:
    """How many points more ``one`` makes of a deal than ``other``."""
    pairing = outcome.pairing
    teams = [_play(pairing, [program] * pairing.seats, deal) for program in (pairing.one, pairing.other)]
    scores = [played.outcome.scores[0] for played, _ in teams]
    outcome.count(teams[0][1])
    outcome.count([])
    for at, score in enumerate(scores):
        outcome.scores[at] += score
    return scores[0] - scores[1]


def _play(pairing: Pairing, programs: list[str], deal: bytes) -> tuple[Played, list[Timed]]:
    game = find(pairing.game)[0].card.id
    players = [f"house/{program}-{seat}@1" for seat, program in enumerate(programs)]
    bots = [Timed(make(game, program, {})) for program in programs]
    played = play_match(Table("strength", pairing.game, players, deal), bots)
    for fault in played.faults:
        who = f"{programs[fault.seat]}, seat {fault.seat} of {pairing.seats} in {pairing.game}"
        raise Faulty(f"{who}, {fault.kind}: {fault.message.rstrip()}")
    return played, bots
