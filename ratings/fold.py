"""Ratings as a fold over a ladder's ledger: pure, so that a rebuild gives the same bytes.

What an entry does, by kind:

``result``        TrueSkill over its seats
``new_version``   the player's mean stays, its deviation widens: the new program is probably much like the old
``season_reset``  every player goes part of the way back to the start
``correction``    nothing at its own place; the entry that it supersedes is folded with its content
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .trueskill_model import DIGITS, START, Skill, rate

WIDENING = START.deviation / 2
"""A new version adds this much deviation (in quadrature), up to that of an unknown player."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A ledger entry. ``content`` by kind is described in ``storage.ledger``."""

    place: int
    kind: str
    content: Mapping[str, Any]
    supersedes: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's skill after the entry at ``last_place``; ``games``: results so far."""

    skill: Skill
    games: int
    last_place: int


@dataclass(frozen=True, slots=True)
class Change:
    """What the entry at ``place`` did to one player; ``games`` counts it, if it is a result."""

    place: int
    player_id: int
    before: Skill
    after: Skill
    games: int


@dataclass(frozen=True, slots=True)
class Folded:
    """``standings``: of those players whom the entries touched. ``changes``: by place, then player id."""

    standings: dict[int, Standing]
    changes: list[Change]


Standings = Mapping[int, Standing]


def fold(entries: Iterable[Entry], standings: Standings, may_tie: bool) -> Folded:
    """Folds entries, given in order, into standings, which stay as they are.

    ``standings`` must hold every player that has one and that an entry names; for a
    ``season_reset`` that is every player of the ladder. Corrections among the entries
    change nothing; apply them first, with :func:`corrected`.
    """
    step = _Step(standings, may_tie)
    for entry in entries:
        _STEPS[entry.kind](step, entry)
    return Folded(step.touched, step.changes)


def corrected(entries: Iterable[Entry], corrections: Iterable[Entry]) -> list[Entry]:
    """The entries with the content that their latest correction gives them; void ones left out."""
    latest = {entry.supersedes: entry.content for entry in corrections}
    merged = [replace(entry, content=latest.get(entry.place, entry.content)) for entry in entries]
    return [entry for entry in merged if not entry.content.get("void")]


def touched_by(entries: Iterable[Entry]) -> set[int] | None:
    """The players whose standings a fold of these entries needs; None: all of the ladder's."""
    players: set[int] = set()
    for entry in entries:
        if entry.kind == "season_reset":
            return None
        players.update(_players(entry))
    return players


def _players(entry: Entry) -> list[int]:
    if entry.kind == "result":
        return [seat["player_id"] for seat in entry.content["seats"]]
    return [entry.content["player_id"]] if entry.kind == "new_version" else []


class _Step:
    """A fold on its way: the standings it began with, and what it has changed."""

    def __init__(self, given: Standings, may_tie: bool) -> None:
        self.given = given
        self.may_tie = may_tie
        self.touched: dict[int, Standing] = {}
        self.changes: list[Change] = []

    def standing(self, player: int) -> Standing | None:
        return self.touched.get(player) or self.given.get(player)

    def players(self) -> list[int]:
        return sorted({*self.given, *self.touched})

    def move(self, place: int, player: int, after: Skill, games: int = 0) -> None:
        old = self.standing(player)
        before, played = (START, 0) if old is None else (old.skill, old.games)
        self.touched[player] = Standing(after, played + games, place)
        self.changes.append(Change(place, player, before, after, played + games))


def _result(step: _Step, entry: Entry) -> None:
    seats = entry.content["seats"]
    players = [seat["player_id"] for seat in seats]
    standings = [step.standing(player) for player in players]
    skills = [START if standing is None else standing.skill for standing in standings]
    rated = rate(skills, [seat["placement"] for seat in seats], step.may_tie)
    for player, after in sorted(zip(players, rated, strict=True)):
        step.move(entry.place, player, after, games=1)


def _new_version(step: _Step, entry: Entry) -> None:
    player = entry.content["player_id"]
    standing = step.standing(player)
    if standing is not None:  # an unknown player has nothing to widen
        mean, deviation = standing.skill
        wide = min(START.deviation, math.hypot(deviation, WIDENING))
        step.move(entry.place, player, _rounded(mean, max(deviation, wide)))


def _season_reset(step: _Step, entry: Entry) -> None:
    keep = entry.content["keep_permille"] / 1000
    for player in step.players():
        standing = step.standing(player)
        assert standing is not None  # noqa: S101 - tells mypy; it comes from the standings
        step.move(entry.place, player, _pulled(standing.skill, keep))


def _pulled(skill: Skill, keep: float) -> Skill:
    mean = START.mean + keep * (skill.mean - START.mean)
    return _rounded(mean, math.sqrt(keep * skill.deviation**2 + (1 - keep) * START.deviation**2))


def _rounded(mean: float, deviation: float) -> Skill:
    return Skill(round(mean, DIGITS), round(deviation, DIGITS))


def _correction(step: _Step, entry: Entry) -> None:
    """Its content has been folded at the place that it supersedes."""


_STEPS: dict[str, Callable[[_Step, Entry], None]] = {
    "result": _result,
    "new_version": _new_version,
    "season_reset": _season_reset,
    "correction": _correction,
}
