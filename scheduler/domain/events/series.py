"""A match as a series of games: which is to be played next, and how it has come out.

A game gives each at the table a share: two points for each left behind and one for each that is
level, over the most that could be had. A match's order is by the sum of shares, then games won
alone. Two at a table stop when one of them has more than half the games. Where the games leave
open who is before and who behind the *cut*, up to ``extra`` more are played; after them the order
of the company decides. A void game is played again; after :data:`VOIDS` of them no more are, nor after
one that is void for good. Whoever has withdrawn before the match was decided is last; the others play on without, and where
they are too few for a table the match is decided as it stands.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .facts import Ended, Match, Record
from .settings import Stage

VOIDS = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table to be played: game ``game`` of a match, by ``players`` (the order is not that of seats)."""

    match: Match
    game: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """How a match came out. ``order``: best first; ``places``: entrant -> place, 0 best, ties by the games
    alone; ``shares``: of each game together; ``is_played``: at least one game has a result."""

    match: Match
    order: tuple[int, ...]
    places: Mapping[int, int]
    shares: Mapping[int, Fraction]
    is_played: bool


def settle(match: Match, record: Record, stage: Stage, cut: int | None) -> Settled | Wanted:
    """The match's outcome, or the game that it needs next. ``cut``: how many must be told from the rest;
    None: ties may stand."""
    ended = record.of(match)
    played = [game.placements for _, game in sorted(ended.items()) if game.placements is not None]
    voids = len(ended) - len(played)
    is_final = any(game.for_good for game in ended.values())
    here = tuple(one for one in match.company if one not in record.gone)
    table = _Table(match, here, played)
    if table.is_decided(stage, cut):
        return table.settled(match.company)
    if is_final or len(here) < stage.least or voids >= VOIDS or (cut is not None and len(here) <= cut):
        return table.settled(here)
    return Wanted(match, len(ended) + 1, here)


class _Table:
    def __init__(self, match: Match, here: Sequence[int], played: Sequence[Mapping[int, int]]) -> None:
        self._match, self._played = match, played
        self.shares = {one: sum((share(game, one) for game in played), Fraction()) for one in match.company}
        self.wins = {one: sum(is_won(game, one) for game in played) for one in match.company}
        self._here = here

    def is_decided(self, stage: Stage, cut: int | None) -> bool:
        if len(self._match.company) == 1:
            return True
        games = len(self._played)
        if len(self._match.company) == 2 and 2 * max(self.shares.values()) > stage.best_of:
            return True
        return games >= stage.best_of + stage.extra or (games >= stage.best_of and not self._is_open(cut))

    def _is_open(self, cut: int | None) -> bool:
        order = sorted(self._match.company, key=self._key)
        if cut is None or cut >= len(order):
            return False
        return self._key(order[cut - 1]) == self._key(order[cut])

    def settled(self, present: Sequence[int]) -> Settled:
        """With whoever is not ``present`` last."""
        company = self._match.company
        keys = {one: (one not in present, *self._key(one)) for one in company}
        order = tuple(sorted(company, key=lambda one: (keys[one], company.index(one))))
        ranked = sorted(keys.values())
        places = {one: ranked.index(keys[one]) for one in company}
        return Settled(self._match, order, places, self.shares, bool(self._played))

    def _key(self, one: int) -> tuple[Fraction, int]:
        return -self.shares[one], -self.wins[one]


def share(placements: Mapping[int, int], one: int) -> Fraction:
    """What a game gives: 1 for leaving all behind, 0 for being left behind by all or for not being there."""
    if one not in placements or len(placements) < 2:
        return Fraction()
    others = [place for other, place in placements.items() if other != one]
    points = sum(2 if place > placements[one] else int(place == placements[one]) for place in others)
    return Fraction(points, 2 * len(others))


def is_won(placements: Mapping[int, int], one: int) -> bool:
    """Was it first alone?"""
    return placements.get(one) == 0 and list(placements.values()).count(0) == 1


def games_of(record: Record, matches: Iterable[Match]) -> list[Ended]:
    """All games of those matches that have a result."""
    return [game for match in matches for game in record.of(match).values() if game.placements is not None]
