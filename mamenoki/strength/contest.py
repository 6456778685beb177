"""One bot among others of another kind, on deals that are played from every seat."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import copysign, inf

from engine_service.games import find
from mamenoki.house import make
from mamenoki.sdk.local import Played, Table, match_seed, play_match
from mamenoki.strength.trial import Claim, Trial

EDGE = 0.2
"""What is to be told from nothing: a share of wins so much above an equal one, relatively."""
COOP_EDGE = 1.0
"""In play together: so many points more on the same deals."""


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
    """What came of a pairing. Means are of a match; ``ms``: thinking a decision of ``one``."""

    pairing: Pairing
    trial: Trial
    matches: int = 0
    scores: list[float] = field(default_factory=lambda: [0.0, 0.0])
    decisions: int = 0
    ns: int = 0

    @property
    def z(self) -> float:
        """How many standard errors the mean lies above the null's; infinite if all observations are alike."""
        error, step = self.trial.error, self.trial.mean - self.trial.claim.null
        return step / error if error else copysign(inf, step)

    @property
    def ms(self) -> float:
        return self.ns / 1e6 / self.decisions if self.decisions else 0.0

    def count(self, played: Played, seats: range) -> None:
        """A match more, of which these seats were ``one``'s."""
        self.matches += 1
        for seat in seats:
            self.decisions += played.thinking[seat].decisions
            self.ns += played.thinking[seat].ns


def contest(pairing: Pairing, seed: int, most: int) -> Outcome:
    """Play until the test knows, or ``most`` matches have been played. Raises what a bot raises."""
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
        played = _play(pairing, programs, deal)
        placements = played.outcome.placements
        won += (placements[own] == 0) / placements.count(0)
        outcome.count(played, range(own, own + 1))
    return won / pairing.seats


def _observe_together(outcome: Outcome, deal: bytes) -> float:
    """How many points more ``one`` makes of a deal than ``other``."""
    pairing = outcome.pairing
    teams = [_play(pairing, [program] * pairing.seats, deal) for program in (pairing.one, pairing.other)]
    scores = [played.outcome.scores[0] for played in teams]
    outcome.count(teams[0], range(pairing.seats))
    outcome.count(teams[1], range(0))
    for at, score in enumerate(scores):
        outcome.scores[at] += score
    return scores[0] - scores[1]


def _play(pairing: Pairing, programs: list[str], deal: bytes) -> Played:
    game = find(pairing.game)[0].card.id
    players = [f"house/{program}-{seat}@1" for seat, program in enumerate(programs)]
    played = play_match(
        Table("strength", pairing.game, players, deal), [make(game, one, {}) for one in programs]
    )
    if played.faults:
        raise RuntimeError(f"{played.faults[0].kind} in {pairing}: {played.faults[0].message}")
    return played
