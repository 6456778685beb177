"""One bot among others of another kind, on deals that are played from every seat.

An observation is a *set*: all matches on one deal, so that the luck of it is everybody's. What they add up to
is for :mod:`mamenoki.strength.trial` to judge.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import copysign, inf

from engine_service.games import find
from mamenoki import house
from mamenoki.sdk import Bot
from mamenoki.sdk.local import Played, Table, match_seed, play_match
from mamenoki.strength.stopwatch import Timed
from mamenoki.strength.trial import CHANCE, Claim, Trial

EDGE = 0.2
"""What is to be told from nothing: a share of wins so much above an equal one, relatively."""
COOP_EDGE = 1.0
"""In play together: so many points more on the same deals."""


class Faulty(Exception):
    """A bot raised or was refused, so that nothing is measured: who, in what, and why."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two kinds of bots, by name: ``one`` is asked about, ``other`` is what it is measured by.

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

    @property
    def set_size(self) -> int:
        """Matches on one deal."""
        return 2 if self.together else self.seats


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


Make = Callable[[str], Bot]
"""A new bot of a kind, by its name in the pairing."""


def contest(
    pairing: Pairing, seed: int, most: int, claim: Claim | None = None, make: Make | None = None
) -> Outcome:
    """Play until the test knows, or ``most`` matches have been played. Raises Faulty.

    ``claim`` None: see :func:`claim_of`; ``make`` None: the names are house programs.
    """
    *_, outcome = progress_of(pairing, seed, most, claim, make)
    return outcome


def progress_of(
    pairing: Pairing, seed: int, most: int, claim: Claim | None = None, make: Make | None = None
) -> Iterator[Outcome]:
    """As :func:`contest`: the outcome so far, first of nothing, then after each set."""
    outcome = Outcome(pairing, Trial(claim or claim_of(pairing)))
    yield outcome
    observe = _observe_together if pairing.together else _observe_against
    for deal in _deals(seed, most // pairing.set_size):
        outcome.trial.observe(observe(outcome, deal, make or _house(pairing)))
        yield outcome
        if outcome.trial.verdict is not None:
            return


def claim_of(
    pairing: Pairing, edge: float | None = None, alpha: float = CHANCE, beta: float = CHANCE
) -> Claim:
    """That ``one`` wins its even share and no more, against that it wins ``edge`` more, relatively; where they play
    together, that it makes no more points, against ``edge`` more. None: EDGE or COOP_EDGE."""
    if pairing.together:
        return Claim(0.0, COOP_EDGE if edge is None else edge, alpha, beta)
    null = 1 / pairing.seats
    return Claim(null, null * (1 + (EDGE if edge is None else edge)), alpha, beta)


def _deals(seed: int, count: int) -> Iterator[bytes]:
    return (match_seed(seed, index) for index in range(count))


def _observe_against(outcome: Outcome, deal: bytes, make: Make) -> float:
    """The share of wins over one deal, ``one`` at each of its seats in turn; a shared win counts its part."""
    pairing = outcome.pairing
    won = 0.0
    for own in range(pairing.seats):
        programs = [pairing.one if seat == own else pairing.other for seat in range(pairing.seats)]
        played, bots = _play(pairing, programs, deal, make)
        placements = played.outcome.placements
        won += (placements[own] == 0) / placements.count(0)
        outcome.count([bots[own]])
    return won / pairing.seats


def _observe_together(outcome: Outcome, deal: bytes, make: Make) -> float:
    """How many points more ``one`` makes of a deal than ``other``."""
    pairing = outcome.pairing
    teams = [
        _play(pairing, [program] * pairing.seats, deal, make) for program in (pairing.one, pairing.other)
    ]
    scores = [played.outcome.scores[0] for played, _ in teams]
    outcome.count(teams[0][1])
    outcome.count([])
    for at, score in enumerate(scores):
        outcome.scores[at] += score
    return scores[0] - scores[1]


def _house(pairing: Pairing) -> Make:
    game = find(pairing.game)[0].card.id
    return lambda program: house.make(game, program, {})


def _play(pairing: Pairing, programs: list[str], deal: bytes, make: Make) -> tuple[Played, list[Timed]]:
    players = [f"house/{program}-{seat}@1" for seat, program in enumerate(programs)]
    bots = [Timed(make(program)) for program in programs]
    played = play_match(Table("strength", pairing.game, players, deal), bots)
    for fault in played.faults:
        who = f"{programs[fault.seat]}, seat {fault.seat} of {pairing.seats} in {pairing.game}"
        raise Faulty(f"{who}, {fault.kind}: {fault.message.rstrip()}")
    return played, bots
