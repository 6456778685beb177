"""What has happened in a stage: an append-only list of facts, and what they add up to.

A *match* is a slot of the stage (``W2.1``: round 2, table 1) with its company; it is played
as a series of one or more *games*, each a table of its own. A game belongs to its slot **and**
its company: where a correction changes who sits in a slot, what the former company played there
stays in the list and counts no more, and a slot whose company stays keeps its games.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Match:
    """``company``: the entrants, in the order in which a tie of everything is decided. One alone: a bye."""

    slot: str
    company: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round whose draw hung on the standings was drawn. It stands, whatever is corrected later in its
    stage; a correction that changes who is in the stage has the stage drawn anew. ``among``: the stage's
    entrants, in any order."""

    round: int
    matches: tuple[Match, ...]
    among: frozenset[int]


@dataclass(frozen=True, slots=True)
class Ended:
    """A game has ended. ``placements``: who sat there to its place, 0 best, equal is a tie; None: void.

    ``for_good``: it is not played again, and the match is decided as it stands.
    """

    match: Match
    game: int
    placements: Mapping[int, int] | None
    for_good: bool = False


@dataclass(frozen=True, slots=True)
class Withdrew:
    """An entrant plays no more; what it has played stands."""

    entrant: int


Fact = Drawn | Ended | Withdrew


class FactError(ValueError):
    """A fact that contradicts the others; the message says which and how."""


@dataclass(frozen=True, slots=True)
class Record:
    """The facts, folded. ``games``: match -> game number -> its ending; ``draws``: by whom they were drawn
    among, the rounds by their numbers."""

    draws: Mapping[frozenset[int], Mapping[int, tuple[Match, ...]]] = field(default_factory=dict)
    games: Mapping[Match, Mapping[int, Ended]] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()

    def rounds(self, among: Iterable[int]) -> Mapping[int, tuple[Match, ...]]:
        """The rounds that were drawn among those entrants, by number, from 1."""
        return self.draws.get(frozenset(among), {})

    def of(self, match: Match) -> Mapping[int, Ended]:
        """The games of a match that have ended, by number, from 1."""
        return self.games.get(match, {})


def fold(facts: Iterable[Fact]) -> Record:
    """What the facts add up to. FactError for a game or a round that is told twice."""
    draws: dict[frozenset[int], dict[int, tuple[Match, ...]]] = {}
    games: dict[Match, dict[int, Ended]] = {}
    gone: set[int] = set()
    for fact in facts:
        if isinstance(fact, Drawn):
            _put(draws.setdefault(fact.among, {}), fact.round, fact.matches, f"round {fact.round}")
        elif isinstance(fact, Ended):
            _put(games.setdefault(fact.match, {}), fact.game, fact, f"game {fact.game} of {fact.match.slot}")
        else:
            gone.add(fact.entrant)
    return Record(draws, games, frozenset(gone))


def corrected(facts: Sequence[Fact], right: Ended) -> list[Fact]:
    """The same facts with that game's ending put right. FactError if the game has not ended, or with others."""
    at = [i for i, fact in enumerate(facts) if _is_same_game(fact, right)]
    if not at:
        raise FactError(f"game {right.game} of {right.match.slot} has no result that could be corrected")
    wrong = facts[at[0]]
    sat = set(wrong.placements or right.match.company) if isinstance(wrong, Ended) else set()
    if right.placements is not None and not set(right.placements) <= set(right.match.company) & sat:
        raise FactError(f"{sorted(right.placements)} did not sit at game {right.game} of {right.match.slot}")
    return [right if i == at[0] else fact for i, fact in enumerate(facts)]


def _is_same_game(fact: Fact, other: Ended) -> bool:
    return isinstance(fact, Ended) and (fact.match, fact.game) == (other.match, other.game)


def _put(where: dict[Key, Value], key: Key, value: Value, name: str) -> None:
    if key in where:
        raise FactError(f"{name} is told twice; correct the first instead")
    where[key] = value
